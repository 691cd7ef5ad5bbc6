import { afterEach, describe, expect, it } from 'vitest';
import { AlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from './alert-script.ts';

let script: AlertScript;
afterEach(() => script.close());

const RECIPIENTS = ['a@merchants.example', 'b@merchants.example'];

/** The calls of a check that fires, with two recipients; asserted below. */
const CALLS = 16;

async function firingScript(): Promise<AlertScript> {
  const started = await AlertScript.start();
  await started.rules([TOO_MANY_UNPAID], { recipients: RECIPIENTS });
  // The first check leaves a state behind, so that the next one replaces it.
  await started.check(0);
  started.unpaid(6);
  return started;
}

/** What AWS was asked in one step. */
async function callsOf(step: () => Promise<unknown>): Promise<string[]> {
  const { requests } = script.world.aws;
  const before = requests.length;
  await step();
  return requests.slice(before).map(({ service, operation }) => `${service} ${operation}`);
}

/** From the call of this number (from 0) on, nothing reaches AWS any more, or the call itself still does. */
function dieAt(call: number, when: 'before' | 'after'): void {
  const { faults } = script.world.aws;
  if (when === 'after') faults.add({ skip: call, action: { kind: 'reset', when: 'after' } });
  faults.add({ skip: call, times: Infinity, action: { kind: 'reset', when: 'before' } });
}

/** To whom a mail has gone that says so. */
function reached(says: string): string[] {
  const mails = script.world.mails('alert').filter(({ raw }) => raw.toString().includes(says));
  return mails.flatMap(({ destinations }) => destinations).sort();
}

async function heldRecipients(): Promise<number> {
  const ledgers = await script.ledgers();
  return ledgers.flatMap(({ recipients }) => recipients).filter(({ status }) => status === 'held').length;
}

describe('a check that is killed at a call to AWS', () => {
  it('makes calls that are all among those killed below', async () => {
    script = await firingScript();
    const calls = await callsOf(() => script.check(15));
    expect(calls).toHaveLength(CALLS);
    expect(calls.filter((call) => call === 'ses SendRawEmail')).toHaveLength(2);
  });

  const deaths = Array.from({ length: CALLS }, (_, call) => call).flatMap((call) =>
    (['before', 'after'] as const).map((when) => [call, when] as const),
  );

  it.each(deaths)('is made good by the next: call %i, %s it took effect', async (call, when) => {
    script = await firingScript();
    const { world } = script;
    dieAt(call, when);
    await expect(script.check(15, { scheduledTime: minutesAfterNoon(15) })).rejects.toThrow();
    world.aws.faults.clear();
    // To have died after a call and to have died before the next one leave the same behind: so the one is followed by
    // the same tick again, as the state machine runs it, and the other by the next tick at once.
    if (when === 'after') await script.check(16, { scheduledTime: minutesAfterNoon(15) });
    await script.check(30);
    await script.check(45);

    const mailed = reached('above 5');
    expect(new Set(mailed).size).toBe(mailed.length);
    const held = await heldRecipients();
    const missed = RECIPIENTS.filter((recipient) => !mailed.includes(recipient));
    // Who did not get it is held, and so is who got it when nobody could write that down.
    expect(missed.length).toBeLessThanOrEqual(held);
    expect(held).toBeLessThanOrEqual(1);
    expect(world.mails('ops')).toHaveLength(held);
    const { place, announced } = (await script.state()).rules['too-many-unpaid']!;
    expect(place).toBe('firing');
    expect([minutesAfterNoon(15), minutesAfterNoon(30)]).toContain(announced!.since);

    // And back again, told once to each.
    script.unpaid(1);
    await script.check(60);
    expect(reached('no longer above 5')).toEqual(RECIPIENTS);
  });
});

describe('a check that dies with its mail owed', () => {
  it('is made good although the figure is back by then: both mails go, in their order', async () => {
    script = await firingScript();
    const { faults } = script.world.aws;
    faults.add({ key: /^mail\//, times: Infinity, action: { kind: 'reset', when: 'before' } });
    await expect(script.check(15)).rejects.toThrow();
    faults.clear();
    script.unpaid(1);
    expect(await script.check(30)).toMatchObject({
      transitions: [{ from: 'firing', to: 'ok' }],
      mailed: true,
    });
    const mails = (await script.mails()).map(({ to, subject }) => [to[0], subject.split(':')[0]]);
    const [a, b] = RECIPIENTS;
    expect(mails).toEqual([
      [a, 'firing'],
      [b, 'firing'],
      [a, 'resolved'],
      [b, 'resolved'],
    ]);
  });
});

describe('a call to SES whose outcome is not known', () => {
  it.each(['before', 'after'] as const)('is held and told to ops, and never repeated (%s)', async (when) => {
    script = await AlertScript.start();
    script.unpaid(6);
    script.world.aws.faults.add({ service: 'ses', action: { kind: 'reset', when } });
    expect(await script.check(0)).toMatchObject({ mailed: false, mail: { status: 'held' } });
    for (const minutes of [15, 30]) await script.check(minutes);
    const alerts = script.world.aws.requests.filter(
      ({ service, key }) => service === 'ses' && key?.includes('owner-700001'),
    );
    expect(alerts).toHaveLength(1);
    expect(script.world.mails('ops')).toHaveLength(1);
    expect(script.world.mails('ops')[0]!.raw.toString()).toContain('too-many-unpaid: firing');
  });
});

describe('a mail that SES refuses', () => {
  const refusal = { kind: 'error', status: 400, code: 'MessageRejected' } as const;

  it('fails the check by name, and the next check sends it', async () => {
    script = await AlertScript.start();
    script.unpaid(6);
    script.world.aws.faults.add({ service: 'ses', action: refusal });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(15)).toMatchObject({ transitions: [], mailed: true, mail: { status: 'sent' } });
    expect(await script.subjectsOf(() => script.check(30))).toEqual([]);
    expect(script.world.mails('alert')).toHaveLength(1);
  });

  it('does not keep rules from moving, and ops are told when newer alerts take its place', async () => {
    script = await AlertScript.start();
    script.unpaid(6);
    script.world.aws.faults.add({ service: 'ses', key: /^owner/, times: 3, action: refusal });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(15)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect((await script.state()).tick).toBe(minutesAfterNoon(15));
    script.unpaid(2);
    expect(await script.check(30)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect((await script.mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['resolved']);
    expect(script.world.mails('ops')).toHaveLength(1);
    expect(script.world.mails('ops')[0]!.raw.toString()).toContain('too-many-unpaid: firing');
  });

  it('for a whole day is given up, and ops are told', async () => {
    script = await AlertScript.start([{ name: 'age', measure: 'reportAge', above: 1 }]);
    const { world } = script;
    world.clockAhead = Date.parse('2026-11-19T03:00:00Z') - Date.now();
    await world.report({ day: '2026-11-18', send: false });
    world.aws.faults.add({ service: 'ses', key: /^owner/, times: Infinity, action: refusal });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(60)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(24 * 60)).toMatchObject({ transitions: [], mailed: false });
    expect((await script.state()).owed).toBeNull();
    expect(world.mails('ops')).toHaveLength(1);
  });
});

describe('a merchant without recipients', () => {
  it('has its rules moved, and the ledger says why nobody was told', async () => {
    script = await AlertScript.start();
    await script.rules([TOO_MANY_UNPAID], { recipients: [] });
    script.unpaid(6);
    expect(await script.check(0)).toMatchObject({
      transitions: [{ to: 'firing' }],
      mailed: false,
      mail: { status: 'skipped' },
    });
    expect(await script.ledgers()).toMatchObject([{ status: 'skipped', kind: 'alert' }]);
  });
});
