import { alertStateKey } from '#records/storage/keys.ts';
import { useAlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { textLike, textWith } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const script = useAlertScript();

const FIRING = 'Alert · 6 unpaid invoices today, your limit is 5 · Al Noor Trading';

it('a figure that leaves its bounds is mailed once when its rule fires, is not mailed again while it fires, and is mailed once when the figure is back', async () => {
  await script.rules([{ ...TOO_MANY_UNPAID, clearAt: 3 }]);
  script.unpaid(5);
  expect(await script.check(0)).toMatchObject({ transitions: [], mailed: false, mail: null });
  script.unpaid(6);
  expect(await script.check(15)).toMatchObject({
    transitions: [{ rule: 'too-many-unpaid', from: 'ok', to: 'firing', value: '6.000' }],
    mailed: true,
    mail: { status: 'sent' },
  });
  script.unpaid(4);
  expect(await script.check(30)).toMatchObject({ transitions: [], mailed: false });
  script.unpaid(9);
  expect(await script.check(45)).toMatchObject({ transitions: [], mailed: false });
  script.unpaid(3);
  expect(await script.check(105)).toMatchObject({
    transitions: [{ rule: 'too-many-unpaid', from: 'firing', to: 'ok', value: '3.000' }],
    mailed: true,
  });
  expect(await script.check(120)).toMatchObject({ transitions: [], mailed: false });
  const [fired, resolved, ...others] = await script.mails();
  expect(others).toEqual([]);
  expect(fired?.to).toEqual(['owner-700001@merchants.example']);
  expect(fired?.subject).toBe(FIRING);
  expect(fired?.text).toContain('Since: 20\u00A0November\u00A02026 at\u00A012:15 (Kuwait\u00A0time)');
  expect(resolved?.subject).toBe(
    'Back to normal · 3 unpaid invoices today, your limit is 5 · Al Noor Trading',
  );
  expect(resolved?.text).toContain('At the beginning: 6\nHighest: 9\nAt the end: 3\n');
  expect(resolved?.text).toContain('From: 20\u00A0November\u00A02026 at\u00A012:15 (Kuwait\u00A0time)');
  expect(resolved?.text).toContain('Until: 20\u00A0November\u00A02026 at\u00A013:45 (Kuwait\u00A0time)');
  expect(resolved?.text).toContain('Lasted: 1 hour and 30 minutes');
});

it('when the day changes a check of an earlier day changes no rule state; its dry run shows what would change', async () => {
  script.unpaid(6);
  await script.check(12 * 60 + 5);
  const back = await script.check(12 * 60 + 20, { day: '2026-11-20' });
  expect(back).toMatchObject({ transitions: [], mailed: false });
  expect(back.ignored).toContain('dryRun');
  expect(await script.check(12 * 60 + 20, { day: '2026-11-20', dryRun: true })).toMatchObject({
    transitions: [{ from: 'ok', to: 'firing', value: '6.000' }],
    ignored: null,
  });
  expect((await script.state()).day).toBe('2026-11-21');
});

it('a rule with a lower bound waits for the sealed day when it has no notBefore; a day that was sealed before it was over does not count', async () => {
  await script.rules([{ name: 'too-few', measure: 'invoiceCount', below: 3 }]);
  const { world } = script;
  world.clock.setTo('2026-11-20T09:00:00Z');
  await world.report({ day: 'today', send: false });
  expect((await script.check(30)).transitions).toEqual([]);
  world.clock.setTo('2026-11-21T04:00:00Z');
  script.unpaid(1);
  await world.report({ send: false });
  const answer = await script.check(20 * 60, { day: '2026-11-20' });
  expect(answer).toMatchObject({ transitions: [{ to: 'firing', value: '1.000' }], mailed: true });
});

it('a state with members of another version is read as far as its members are known', async () => {
  script.unpaid(6);
  await script.check(0);
  const other = { ...(await script.state()), later: { version: 9 } };
  await script.world.aws.s3.write(BUCKET, alertStateKey(CODE), JSON.stringify(other));
  script.unpaid(1);
  expect((await script.check(15)).transitions).toMatchObject([{ from: 'firing', to: 'ok' }]);
});

const RECIPIENTS = ['a@merchants.example', 'b@merchants.example'];

async function readyToFire(): Promise<void> {
  await script.rules([TOO_MANY_UNPAID], { recipients: RECIPIENTS });
  // The first check writes a state, which the next check replaces.
  await script.check(0);
  script.unpaid(6);
}

describe('a mail that SES refuses', () => {
  it('makes the check fail with a named error, and the next check sends the mail', async () => {
    script.unpaid(6);
    script.world.refuseMails(/./);
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(15)).toMatchObject({ transitions: [], mailed: true, mail: { status: 'sent' } });
    expect(await script.subjectsOf(() => script.check(30))).toEqual([]);
    expect(script.world.mails('alert')).toHaveLength(1);
  });

  it('does not keep rules from changing, and ops are notified when newer alerts replace it', async () => {
    script.unpaid(6);
    script.world.refuseMails(/^owner/, 3);
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(15)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect((await script.state()).tick).toBe(minutesAfterNoon(15));
    script.unpaid(2);
    expect(await script.check(30)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect(await script.said()).toEqual(['Back to normal']);
    const subject = textLike(/^\[Daybook\] Merchant \d+, \d{4}-\d\d-\d\d: alert mail was refused$/);
    const text = textWith('too-many-unpaid: firing');
    expect(await script.world.readMails('ops')).toMatchObject([{ subject, text }]);
  });

  it('is given up after a whole day, and ops are notified', async () => {
    await script.rules([{ name: 'age', measure: 'reportAge', above: 1 }]);
    const { world } = script;
    world.clock.setTo('2026-11-19T03:00:00Z');
    await world.report({ day: '2026-11-18', send: false });
    world.refuseMails(/^owner/, Infinity);
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    await expect(script.check(60)).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await script.check(24 * 60)).toMatchObject({ transitions: [], mailed: false });
    expect((await script.state()).owed).toBeNull();
    expect(world.mails('ops')).toHaveLength(1);
  });

  it('is not given up while the notice about it cannot be sent', async () => {
    script.unpaid(6);
    script.world.refuseMails(/./, Infinity);
    await expect(script.check(0)).rejects.toMatchObject({ name: 'MailRefusedError' });
    script.unpaid(2);
    await expect(script.check(30)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    expect((await script.state()).owed?.lines).toMatchObject([{ says: 'firing' }]);
    script.world.aws.faults.clear();
    expect(await script.check(45)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect(await script.said()).toEqual(['Alert', 'Back to normal']);
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

/** The name of the first check with a mail. */
const firstCheck = () => script.world.keys('mail/alerts/')[0]?.split('/').at(-1)?.replace('.json', '');

describe('a held mail', () => {
  it('is sent again to those who do not have it, also after later checks, and not a second time', async () => {
    await readyToFire();
    // The second of two calls has an unknown outcome.
    script.world.awsDoes({ kind: 'reset', when: 'before' }, { service: 'ses', key: /^b@/ });
    expect(await script.check(15)).toMatchObject({ mail: { status: 'held' } });
    await script.check(30);
    const again = () => script.world.alertCheck({ resend: firstCheck() });
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
    await expect(script.world.alertCheck({ resend: firstCheck() })).rejects.toThrow(
      'does not keep what it said',
    );
  });

  it.each([
    ['an unknown check', '20260101T000000Z-0000abcd', 'is not the name of a check with a mail'],
    ['another text', '../state', 'must be the name of a check'],
  ])('of %s is refused', async (_, check, message) => {
    await readyToFire();
    await expect(script.world.alertCheck({ resend: check })).rejects.toThrow(message);
  });
});

const SUM = { name: 'sum', measure: 'unpaidAmount', above: '1.000' };
const EXPIRING = { name: 'expiring', measure: 'expiringUnpaid', withinDays: 20, above: 0 };
/** The registry, after the day was sealed or mailed in KWD. */
const CHANGED = { currency: 'SAR', invoiceStatuses: { 0: 'paid', 1: 'not_paid', 2: 'cancelled' } };
const UNPAID = { invoice_status: 0, amount: '145.000', expires_at: '2026-12-02' };

/** Seals the day on the next morning, with an unpaid invoice. */
async function sealDay(): Promise<void> {
  script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
  script.world.clock.setTo('2026-11-21T04:00:00Z');
  await script.world.report({ send: false });
}

async function lastText(): Promise<string> {
  return ((await script.mails()).at(-1)?.text ?? '').replaceAll('\u00A0', ' ');
}

describe('an alert after the registry has changed', () => {
  it('counts expiring invoices by the words of their pages, and names them in the currency of these', async () => {
    script.world.payments.data.insertInvoice(CODE, DAY, { ...UNPAID, invoice_status: 1, amount: '9.000' });
    await sealDay();
    await script.rules([EXPIRING], CHANGED);
    const { transitions } = await script.check(0, { now: '2026-11-21T05:00:00Z' });
    expect(transitions).toMatchObject([{ to: 'firing', value: '1.000' }]);
    expect(await lastText()).toContain('145.000 KWD');
  });

  it('does not hold an amount of a page against a bound in another currency', async () => {
    await sealDay();
    await script.rules([SUM, { ...SUM, name: 'low', above: undefined, below: '1000' }], CHANGED);
    const answer = await script.check(0, { now: '2026-11-21T05:00:00Z', day: DAY });
    expect(answer).toMatchObject({ mailed: false, noData: [{ rule: 'sum' }, { rule: 'low' }] });
  });

  it('names invoices of a sealed day by its words and in its currency', async () => {
    await sealDay();
    await script.rules([{ name: 'count', measure: 'unpaidCount', above: 0 }], CHANGED);
    await script.check(0, { now: '2026-11-21T05:00:00Z', day: DAY });
    expect(await lastText()).toContain('145.000 KWD');
  });

  it('is mailed again as it was', async () => {
    await script.rules([SUM]);
    script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
    await script.check(0);
    const check = firstCheck();
    await script.rules([SUM], { ...CHANGED, recipients: ['other@merchants.example'] });
    await script.check(15, { resend: check });
    const text = await lastText();
    expect(text).toContain('145.000 KWD');
    expect(text).toContain('1.000 KWD');
    expect(text).not.toContain('SAR');
  });

  it('is over when its amounts were in another currency, and begins again with the new one', async () => {
    await script.rules([{ ...SUM, repeatAfter: '5m' }]);
    script.world.payments.data.insertInvoice(CODE, DAY, UNPAID);
    await script.check(0);
    await script.rules([{ ...SUM, repeatAfter: '5m' }], { currency: 'SAR' });
    expect((await script.check(15)).transitions).toMatchObject([
      { from: 'firing', to: 'removed', value: '145.000' },
      { from: 'ok', to: 'firing', value: '145.000' },
    ]);
    const text = await lastText();
    expect(text).toContain('145.00 SAR');
    expect(text).not.toContain('KWD');
  });
});
