import { describe, expect, it } from 'vitest';
import { OpsNotices, NoticeTime } from '#mail/notices/ops-notices.ts';
import type { OpsNoticeSettings } from '#mail/notices/ops-notices.ts';
import { SesMailSender } from '#mail/ses-mail-sender.ts';
import { snsPublisher } from '#mail/notices/sns-publisher.ts';
import { opsNoticeKey } from '#records/storage/keys.ts';
import { aNotice } from '#support/rendering/notices.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import type { RunningSandbox } from '#support/aws/running-sandbox.ts';

const bucket = 'daybook-data';
const topicArn = 'arn:aws:sns:us-east-1:000000000000:ops';
const HANG = { kind: 'hang', when: 'before' } as const;

function noticesOn(sandbox: RunningSandbox, settings: Partial<OpsNoticeSettings> = {}) {
  const logged: { message: string; details: Record<string, unknown> }[] = [];
  const notices = new OpsNotices({
    s3: sandbox.clients.s3,
    bucket,
    from: 'daybook@example.com',
    recipients: Array.from({ length: 20 }, (_, index) => `ops-${index}@example.com`),
    topicArn,
    mailSender: new SesMailSender({ client: sandbox.clients.ses, from: 'daybook@example.com' }),
    publish: snsPublisher(sandbox.clients.sns),
    clock: { now: () => Date.now(), sleep: () => Promise.reject(new Error('nothing to wait for')) },
    log: (message, details) => logged.push({ message, details }),
    ...settings,
  });
  return { notices, logged };
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; took: number }> {
  const began = performance.now();
  const value = await run();
  return { value, took: performance.now() - began };
}

/** A third of this is one second. */
const REMAINING = 3_000;
/** On a busy machine a wait can take longer than requested. */
const AND_A_BIT = 1_500;

describe('the time for notices to ops', () => {
  it('is a third of the run’s time, however many calls for recipients SES does not answer', async () => {
    const sandbox = await runSandbox();
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
    const { notices, logged } = noticesOn(sandbox, { topicArn: undefined });
    notices.begin(REMAINING);
    const { value, took } = await timed(() => notices.notifyOnce(aNotice({ about: 'one' })));
    expect(value).toBe(false);
    expect(took).toBeLessThan(REMAINING / 3 + AND_A_BIT);
    // A claim that has ended: the next run need not wait.
    const [record] = sandbox.s3.list(bucket);
    expect(record).toMatch(/^mail\/ops\//);
    expect(logged.map(({ message }) => message)).toContain('ops could not be notified');
    expect(JSON.stringify(logged)).not.toContain('@');
  });

  it.each(['one after another', 'at the same time'])('is shared by all notices, sent %s', async (order) => {
    const sandbox = await runSandbox();
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
    sandbox.faults.add({ service: 'sns', times: Infinity, action: HANG });
    const { notices, logged } = noticesOn(sandbox);
    notices.begin(REMAINING);
    const names = Array.from({ length: 8 }, (_, index) => `notice ${index}`);
    const { value, took } = await timed(async () => {
      if (order === 'at the same time')
        return Promise.all(names.map((name) => notices.notifyOnce(aNotice({ about: name }))));
      const told: boolean[] = [];
      for (const name of names) told.push(await notices.notifyOnce(aNotice({ about: name })));
      return told;
    });
    expect(value).toEqual(names.map(() => false));
    expect(took).toBeLessThan(REMAINING / 3 + AND_A_BIT);
    // Each notice is in the log, also those that were not begun.
    const named = new Set(
      logged.map(({ details }) => details['about']).filter((about) => about !== undefined),
    );
    expect(named).toEqual(new Set(names));
  });

  it('is enough for the topic if SES does not answer; the notice is recorded and not sent again in every run', async () => {
    const sandbox = await runSandbox();
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
    const { notices } = noticesOn(sandbox);
    for (let run = 0; run < 3; run += 1) {
      notices.begin(REMAINING);
      expect(await notices.notifyOnce(aNotice({ about: 'one' }))).toBe(true);
    }
    expect(sandbox.notices.messages).toHaveLength(1);
    expect(sandbox.s3.list(bucket)).toEqual([opsNoticeKey('one')]);
  });

  it('is limited if S3 does not answer, and if a sender never answers', async () => {
    const sandbox = await runSandbox();
    sandbox.faults.add({ service: 's3', times: Infinity, action: HANG });
    const never = new Promise<never>(() => undefined);
    const { notices } = noticesOn(sandbox, { mailSender: { send: () => never }, publish: () => never });
    notices.begin(REMAINING);
    const { value, took } = await timed(() => notices.notifyOnce(aNotice({ about: 'one' })));
    expect(value).toBe(false);
    expect(took).toBeLessThan(REMAINING / 3 + AND_A_BIT);
  });

  it('is given again to each run, and postponed notices are sent then', async () => {
    const sandbox = await runSandbox();
    const { notices, logged } = noticesOn(sandbox);
    notices.begin(0);
    expect(await notices.notifyOnce(aNotice({ about: 'one' }))).toBe(false);
    expect(logged.map(({ message }) => message)).toEqual([
      'ops notice is put off: the time for notices is spent',
    ]);
    expect(sandbox.mail.messages).toEqual([]);
    notices.begin(REMAINING);
    expect(await notices.notifyOnce(aNotice({ about: 'one' }))).toBe(true);
    expect(sandbox.mail.messages).toHaveLength(20);
  });

  it('that is left when a notice was sent quickly is not lost', async () => {
    const sandbox = await runSandbox();
    const { notices } = noticesOn(sandbox, { recipients: ['ops@example.com'] });
    notices.begin(REMAINING);
    for (const name of ['a', 'b', 'c', 'd'])
      expect(await notices.notifyOnce(aNotice({ about: name }))).toBe(true);
    expect(sandbox.mail.messages).toHaveLength(4);
  });
});

/** The time for a notice in a run with this much time left. Milliseconds. */
async function givenOf(remaining: number): Promise<number> {
  const time = new NoticeTime();
  time.begin(remaining);
  return time.spend((milliseconds) => Promise.resolve(milliseconds));
}

describe('the time for notices to ops', () => {
  it('is at most 30 seconds, however long the run may take', async () => {
    const given = await givenOf(15 * 60_000);
    expect(given).toBeLessThanOrEqual(30_000);
    expect(given).toBeGreaterThan(29_000);
  });

  it('is a third of the time of a shorter run', async () => {
    expect(await givenOf(60_000)).toBeLessThanOrEqual(20_000);
    expect(await givenOf(-1)).toBe(0);
  });
});
