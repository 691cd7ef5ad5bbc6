import { describe, expect, it } from 'vitest';
import { useAlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alert-check/alert-script.ts';

const script = useAlertScript();

const RECIPIENTS = ['a@merchants.example', 'b@merchants.example'];

async function readyToFire(): Promise<void> {
  await script.rules([TOO_MANY_UNPAID], { recipients: RECIPIENTS });
  // The first check writes a state, which the next check replaces.
  await script.check(0);
  script.unpaid(6);
}

describe('a mail that SES refuses', () => {
  const refusal = { kind: 'error', status: 400, code: 'MessageRejected' } as const;

  it('makes the check fail with a named error, and the next check sends the mail', async () => {
    script.unpaid(6);
    script.world.awsDoes(refusal, { service: 'ses' });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(15)).toMatchObject({ transitions: [], mailed: true, mail: { status: 'sent' } });
    expect(await script.subjectsOf(() => script.check(30))).toEqual([]);
    expect(script.world.mails('alert')).toHaveLength(1);
  });

  it('does not keep rules from changing, and ops are notified when newer alerts replace it', async () => {
    script.unpaid(6);
    script.world.awsDoes(refusal, { service: 'ses', key: /^owner/, times: 3 });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(15)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect((await script.state()).tick).toBe(minutesAfterNoon(15));
    script.unpaid(2);
    expect(await script.check(30)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect((await script.mails()).map(({ subject }) => subject.split(' · ')[0])).toEqual(['Back to normal']);
    expect(script.world.mails('ops')).toHaveLength(1);
    expect(script.world.mails('ops')[0]?.raw.toString()).toMatch(
      /^Subject: \[Daybook\] Merchant \d+, \d{4}-\d\d-\d\d: alert mail was refused\r$/m,
    );
    expect(script.world.mails('ops')[0]?.raw.toString()).toContain('too-many-unpaid: firing');
  });

  it('is given up after a whole day, and ops are notified', async () => {
    await script.rules([{ name: 'age', measure: 'reportAge', above: 1 }]);
    const { world } = script;
    world.clock.setTo('2026-11-19T03:00:00Z');
    await world.report({ day: '2026-11-18', send: false });
    world.awsDoes(refusal, { service: 'ses', key: /^owner/, times: Infinity });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(60)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(24 * 60)).toMatchObject({ transitions: [], mailed: false });
    expect((await script.state()).owed).toBeNull();
    expect(world.mails('ops')).toHaveLength(1);
  });

  it('is not given up while the notice about it cannot be sent', async () => {
    script.unpaid(6);
    const { faults } = script.world.aws;
    faults.add({ service: 'ses', times: Infinity, action: refusal });
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    script.unpaid(2);
    await expect(script.check(30)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    expect((await script.state()).owed?.lines).toMatchObject([{ says: 'firing' }]);
    faults.clear();
    expect(await script.check(45)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect((await script.mails()).map(({ subject }) => subject.split(' · ')[0])).toEqual([
      'Alert',
      'Back to normal',
    ]);
  });
});

it('a merchant without recipients still has its rules checked, and the ledger says why no mail was sent', async () => {
  await script.rules([TOO_MANY_UNPAID], { recipients: [] });
  script.unpaid(6);
  expect(await script.check(0)).toMatchObject({
    transitions: [{ to: 'firing' }],
    mailed: false,
    mail: { status: 'skipped' },
  });
  expect(await script.ledgers()).toMatchObject([{ status: 'skipped', kind: 'alert' }]);
});

describe('a held mail', () => {
  it('is sent again to those who do not have it, also after later checks, and not a second time', async () => {
    await readyToFire();
    // The second of two calls has an unknown outcome.
    const [, second = ''] = RECIPIENTS;
    const hold = {
      service: 'ses',
      key: new RegExp(second),
      action: { kind: 'reset', when: 'before' },
    } as const;
    script.world.aws.faults.add(hold);
    expect(await script.check(15)).toMatchObject({ mail: { status: 'held' } });
    await script.check(30);
    const [key = ''] = script.world.keys('mail/alerts/');
    const check = key.slice(key.lastIndexOf('/') + 1, -'.json'.length);
    const again = () => script.world.alertCheck({ resend: check });
    expect(await again()).toMatchObject({ transitions: [], mail: { status: 'sent' }, mailed: true });
    const mails = await script.mails();
    expect(mails.map(({ to }) => to[0])).toEqual(RECIPIENTS);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(1);
    // The ledger keeps no invoices.
    expect(mails.map(({ text }) => /Invoice \d+/.test(text))).toEqual([true, false]);
    expect(await again()).toMatchObject({ mail: { status: 'skipped' }, mailed: false });
    expect(await script.mails()).toHaveLength(2);
  });

  it('of more than 64 KiB is refused: its ledger does not keep what it said', async () => {
    const rules = Array.from({ length: 150 }, (_, rule) => ({
      name: `rule-${rule}`,
      measure: 'unpaidCount',
      above: 5,
      note: 'n'.repeat(300),
    }));
    await script.rules(rules);
    script.unpaid(6);
    expect(await script.check(0)).toMatchObject({ mailed: true });
    const [key = ''] = script.world.keys('mail/alerts/');
    const resend = key.slice(key.lastIndexOf('/') + 1, -'.json'.length);
    await expect(script.world.alertCheck({ resend })).rejects.toThrow('does not keep what it said');
  });

  it.each([
    ['an unknown check', '20260101T000000Z-0000abcd', 'is not the name of a check with a mail'],
    ['another text', '../state', 'must be the name of a check'],
  ])('of %s is refused', async (_, check, message) => {
    await readyToFire();
    await expect(script.world.alertCheck({ resend: check })).rejects.toThrow(message);
  });
});
