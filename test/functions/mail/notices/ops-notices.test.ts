import PostalMime from 'postal-mime';
import { NoticeTime, OpsNotices, type OpsNoticeSettings } from '#mail/notices/ops-notices.ts';
import { SesMailSender } from '#mail/ses-mail-sender.ts';
import { snsPublisher } from '#mail/notices/sns-publisher.ts';
import { opsNoticeKey } from '#records/storage/keys.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';
import { aNotice } from '#support/rendering/alerts.ts';
import { defined } from '#support/assertions/index.ts';

const bucket = 'daybook-data';
const topicArn = 'arn:aws:sns:us-east-1:000000000000:ops';
const about = 'held 700001 2026-11-20 r0001';
const held = aNotice({ about });
const now = Date.UTC(2026, 10, 21, 3);

function noticesOn(sandbox: RunningSandbox, settings: Partial<OpsNoticeSettings> = {}) {
  const logged: { message: string; fields: Record<string, unknown> }[] = [];
  const notices = new OpsNotices({
    s3: sandbox.clients.s3,
    bucket,
    stage: 'prod',
    from: 'daybook@example.com',
    recipients: ['one@example.com', 'two@example.com'],
    mailSender: new SesMailSender({ client: sandbox.clients.ses, from: 'daybook@example.com' }),
    publish: snsPublisher(sandbox.clients.sns),
    clock: { now: () => now, sleep: () => Promise.reject(new Error('nothing to wait for')) },
    log: (message, fields) => logged.push({ message, fields }),
    ...settings,
  });
  return { sandbox, notices, logged };
}

const newNotices = async (settings?: Partial<OpsNoticeSettings>) => noticesOn(await runSandbox(), settings);

describe('notifyOnce', () => {
  it('mails every recipient, publishes to the topic, and records the notice', async () => {
    const { sandbox, notices, logged } = await newNotices({ topicArn, replyTo: 'answers@example.com' });
    await notices.notifyOnce({ ...held, meaning: ['line one', 'line two'] });
    const destinations = [['one@example.com'], ['two@example.com']];
    expect(sandbox.mail.messages.map((mail) => mail.destinations)).toEqual(destinations);
    const subject = '[Daybook prod] Merchant 700001, 2026-11-20: mail of a report is held';
    const mail = await PostalMime.parse(defined(sandbox.mail.messages[0]).raw);
    expect(mail).toMatchObject({
      subject,
      date: '2026-11-21T03:00:00.000Z',
      replyTo: [{ name: '', address: 'answers@example.com' }],
    });
    expect(mail.text).toContain('line one\nline two\n');
    const headers = mail.headers.filter(({ key }) => key.startsWith('x-daybook-'));
    expect(headers).toMatchObject([
      { key: 'x-daybook-kind', value: 'ops' },
      { key: 'x-daybook-reference', value: opsNoticeKey(about) },
    ]);
    expect(sandbox.mail.messages[0]?.tags).toMatchObject({ kind: 'ops' });
    const message = `${subject}\n\n${defined(mail.text).trimEnd()}\n`;
    expect(sandbox.notices.messages).toEqual([{ topicArn, subject, message }]);
    const object = await sandbox.s3.read(bucket, opsNoticeKey(about));
    expect(JSON.parse(String(object))).toMatchObject({ about, toldAt: '2026-11-21T03:00:00.000Z' });
    expect(logged).toEqual([]);
  });

  it('keeps no claim if no notice could be sent, so that the next run sends it', async () => {
    const { sandbox, notices, logged } = await newNotices({ topicArn });
    sandbox.faults.add({ service: 'ses', times: 2, action: knownErrors.ses.notVerified });
    sandbox.faults.add({ service: 'sns', times: 1, action: knownErrors.sns.notFound });
    expect(await notices.notifyOnce(held)).toBe(false);
    expect(await notices.wasNotified(about)).toBe(false);
    expect(logged.map(({ message }) => message).toSorted()).toEqual([
      'ops could not be notified',
      'ops mail was not accepted',
      'ops mail was not accepted',
      'ops topic was not notified',
    ]);
    expect(JSON.stringify(logged)).not.toContain('@');
    for (let time = 0; time < 2; time += 1) expect(await notices.notifyOnce(held)).toBe(true);
    expect(sandbox.mail.messages).toHaveLength(2);
    expect(sandbox.s3.list(bucket)).toEqual([opsNoticeKey(about)]);
  });

  it.each([
    ['one recipient of two', { service: 'ses', key: /one@/ }],
    ['every recipient, but the topic', { service: 'ses', times: 2 }],
    ['the topic', { service: 'sns' }],
  ])('records the notice although %s did not get it', async (_name, fault) => {
    const { sandbox, notices, logged } = await newNotices({ topicArn });
    sandbox.faults.add({ ...fault, action: knownErrors.ses.notVerified });
    expect(await notices.notifyOnce(held)).toBe(true);
    expect(await notices.wasNotified(about)).toBe(true);
    expect(logged.length).toBeGreaterThan(0);
  });

  it.each([
    ['is unknown', { kind: 'unknown', reason: 'ECONNRESET' } as const],
    ['is an error of the sender itself', new Error('someone@example.com is broken')],
  ])('does not count a mail as sent whose outcome %s, and throws nothing', async (_what, outcome) => {
    const send = () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
    const { notices, logged } = await newNotices({ mailSender: { send } });
    await notices.notifyOnce(held);
    expect(await notices.wasNotified(about)).toBe(false);
    expect(JSON.stringify(logged)).not.toContain('@');
  });

  it('sends although the bucket cannot be read, and throws nothing when it cannot be written', async () => {
    const { sandbox, notices, logged } = await newNotices();
    sandbox.faults.add({ service: 's3', times: 2, action: knownErrors.s3.accessDenied });
    await notices.notifyOnce(held);
    expect(sandbox.mail.messages).toHaveLength(2);
    expect(logged.map(({ fields }) => fields['errorName'])).toEqual(['AccessDenied', 'AccessDenied']);
  });

  it('leaves the record of another run that sent it while the bucket did not answer this one', async () => {
    const sandbox = await runSandbox();
    sandbox.faults.add({ service: 's3', action: { kind: 'delay', milliseconds: 1_500 } });
    const refusal = { kind: 'refused', reason: '', throttled: false } as const;
    const { notices } = noticesOn(sandbox, { mailSender: { send: () => Promise.resolve(refusal) } });
    notices.begin(9_000);
    const late = notices.notifyOnce(held);
    await vi.waitFor(() => expect(sandbox.requests).toHaveLength(1));
    expect(await noticesOn(sandbox).notices.notifyOnce(held)).toBe(true);
    expect(await late).toBe(false);
    expect(await notices.wasNotified(about)).toBe(true);
    await noticesOn(sandbox).notices.notifyOnce(held);
    expect(sandbox.mail.messages).toHaveLength(2);
  });

  it('is sent by one of many runs at once, and the others wait for it', async () => {
    const sandbox = await runSandbox();
    const runs = Array.from({ length: 20 }, () => noticesOn(sandbox, { topicArn }).notices.notifyOnce(held));
    expect(await Promise.all(runs)).toEqual(runs.map(() => true));
    expect(sandbox.mail.messages).toHaveLength(2);
    expect(sandbox.notices.messages).toHaveLength(1);
  });

  it('writes to the log that there are no recipients', async () => {
    const { sandbox, notices, logged } = await newNotices({ recipients: [] });
    expect(await notices.notifyOnce(held)).toBe(true);
    expect(logged).toEqual([
      { message: 'ops could not be notified', fields: { about, key: opsNoticeKey(about) } },
    ]);
    expect(sandbox.s3.list(bucket)).toEqual([]);
  });

  it('gives the topic a subject that SNS accepts, whatever a name contains', async () => {
    const { sandbox, notices } = await newNotices({ topicArn, recipients: ['one@example.com'] });
    const name = `مقهى\r\nBcc: x@example.com ${'🍕'.repeat(200)}`;
    await notices.notifyOnce({ ...held, happened: `held: ${name}`, meaning: [name] });
    expect(sandbox.notices.messages[0]?.subject).toMatch(
      /^\[Daybook prod\] Merchant 700001, 2026-11-20: held: [\x20-\x7e]{1,49}$/,
    );
    expect(sandbox.notices.messages[0]?.message).toContain('مقهى Bcc');
    const mail = await PostalMime.parse(defined(sandbox.mail.messages[0]).raw);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  });
});

const TWENTY = Array.from({ length: 20 }, (_, index) => `ops-${index}@example.com`);
const HANG = { kind: 'hang', when: 'before' } as const;

/** What notices come to, in a third of the time that remains. */
async function inTime<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const value = await run();
  expect(performance.now() - began).toBeLessThan(REMAINING / 3 + AND_A_BIT);
  return value;
}

/** The time for a notice in a run with this much time left. Milliseconds. */
async function givenOf(remaining: number): Promise<number> {
  const time = new NoticeTime();
  time.begin(remaining);
  return time.spend((milliseconds) => Promise.resolve(milliseconds));
}

/** A third of this is one second. */
const REMAINING = 3_000;
/** On a busy machine a wait can take longer than requested. */
const AND_A_BIT = 1_500;

describe('the time for notices to ops', () => {
  it('is a third of the run’s time, however many calls for recipients SES does not answer', async () => {
    const { sandbox, notices, logged } = await newNotices({ recipients: TWENTY });
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
    notices.begin(REMAINING);
    expect(await inTime(() => notices.notifyOnce(aNotice({ about: 'one' })))).toBe(false);
    // A claim that has ended: the next run need not wait.
    const [record] = sandbox.s3.list(bucket);
    expect(record).toMatch(/^mail\/ops\//);
    expect(logged.map(({ message }) => message)).toContain('ops could not be notified');
    expect(JSON.stringify(logged)).not.toContain('@');
  });

  it.each(['one after another', 'at the same time'])('is shared by all notices, sent %s', async (order) => {
    const { sandbox, notices, logged } = await newNotices({ recipients: TWENTY, topicArn });
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
    sandbox.faults.add({ service: 'sns', times: Infinity, action: HANG });
    notices.begin(REMAINING);
    const names = Array.from({ length: 8 }, (_, index) => `notice ${index}`);
    const told = await inTime(async () => {
      if (order === 'at the same time')
        return Promise.all(names.map((name) => notices.notifyOnce(aNotice({ about: name }))));
      const each: boolean[] = [];
      for (const name of names) each.push(await notices.notifyOnce(aNotice({ about: name })));
      return each;
    });
    expect(told).toEqual(names.map(() => false));
    // Each notice is in the log, also those that were not begun.
    const named = new Set(logged.map(({ fields }) => fields['about']).filter((about) => about !== undefined));
    expect(named).toEqual(new Set(names));
  });

  it('is enough for the topic if SES does not answer; the notice is recorded and not sent again in every run', async () => {
    const { sandbox, notices } = await newNotices({ recipients: TWENTY, topicArn });
    sandbox.faults.add({ service: 'ses', times: Infinity, action: HANG });
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
    const silent = { mailSender: { send: () => never }, publish: () => never };
    const { notices } = noticesOn(sandbox, { topicArn, ...silent });
    notices.begin(REMAINING);
    expect(await inTime(() => notices.notifyOnce(aNotice({ about: 'one' })))).toBe(false);
  });

  it('is given again to each run, and postponed notices are sent then', async () => {
    const { sandbox, notices, logged } = await newNotices({ recipients: TWENTY, topicArn });
    notices.begin(0);
    expect(await notices.notifyOnce(aNotice({ about: 'one' }))).toBe(false);
    expect(logged.map(({ message }) => message)).toEqual([
      'ops notice is put off: the time for notices is spent',
    ]);
    expect(sandbox.mail.messages).toEqual([]);
    notices.begin(60_000);
    expect(await notices.notifyOnce(aNotice({ about: 'one' }))).toBe(true);
    expect(sandbox.mail.messages).toHaveLength(20);
  });

  it('that is left when a notice was sent quickly is not lost', async () => {
    const { sandbox, notices } = await newNotices({ recipients: ['ops@example.com'] });
    notices.begin(REMAINING);
    for (const name of ['a', 'b', 'c', 'd'])
      expect(await notices.notifyOnce(aNotice({ about: name }))).toBe(true);
    expect(sandbox.mail.messages).toHaveLength(4);
  });

  it('is a third of that of the run, and at most 30 seconds, however long it may take', async () => {
    const given = await givenOf(15 * 60_000);
    expect(given).toBeLessThanOrEqual(30_000);
    expect(given).toBeGreaterThan(29_000);
    expect(await givenOf(60_000)).toBeLessThanOrEqual(20_000);
    expect(await givenOf(-1)).toBe(0);
  });
});
