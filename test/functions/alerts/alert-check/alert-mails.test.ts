import { addressHash, alertLedgerKey, alertStateKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { useAlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { daybookHeadersIn } from '#support/readers/mail-source.ts';
import { defined, textLike } from '#support/assertions/index.ts';

const script = useAlertScript();

describe('the mail of a check', () => {
  it('is kept in the alert state until the check after it was sent, and its ledger and its tags name the check', async () => {
    script.unpaid(6);
    await script.check(0, { scheduledTime: minutesAfterNoon(0) });
    const { owed } = await script.state();
    assert.exists(owed);
    expect(owed).toMatchObject({
      check: textLike(/^20261120T090000Z-[0-9a-f]{8}$/),
      day: '2026-11-20',
      lines: [{ rule: 'too-many-unpaid', says: 'firing', value: '6.000' }],
    });
    const { check } = owed;
    expect(script.world.keys('mail/alerts/')).toEqual([alertLedgerKey(CODE, check)]);
    const recipient = addressHash('owner-700001@merchants.example');
    const recipients = [{ to: recipient, status: 'accepted' }];
    const ledger = { kind: 'alert', status: 'accepted', figures: null, recipients };
    expect(await script.ledgers()).toMatchObject([ledger]);
    const tags = { kind: 'alert', merchant: CODE, day: '2026-11-20', check, recipient };
    const mail = defined(script.world.mails('alert')[0]);
    expect(mail.tags).toEqual(tags);
    expect(await daybookHeadersIn(mail.raw)).toEqual({
      'x-daybook-kind': 'alert',
      'x-daybook-reference': `${CODE} 2026-11-20 ${check}`,
      'x-daybook-check': check,
      'x-daybook-rules': 'too-many-unpaid',
    });
    await script.check(15);
    expect((await script.state()).owed).toBeNull();
  });

  it('is written in the merchant’s language', async () => {
    await script.rules([TOO_MANY_UNPAID], { language: 'ar', name: 'مقهى الكويت' });
    script.unpaid(6);
    await script.check(0);
    const [mail] = await script.mails();
    expect(mail?.subject).toBe('تنبيه · 6 فواتير غير مدفوعة اليوم، والحد المحدد 5 · مقهى الكويت');
    expect(mail?.html).toContain('<html lang="ar" dir="rtl"');
    expect(mail?.text).toContain('فواتير غير مدفوعة');
  });
});

/** A check whose mail cannot be begun, so that a later check owes it. */
async function owingCheck(): Promise<void> {
  script.world.awsDoes({ kind: 'reset', when: 'before' }, { key: /^mail\//, times: Infinity });
  await expect(script.check(0)).rejects.toThrow();
  script.world.aws.faults.clear();
}

describe('the invoices of a mail', () => {
  const UNPAID = { above: 1, name: 'unpaid', measure: 'unpaidCount' };
  const insert = (amount: string, reference: string, more: Record<string, unknown> = {}) =>
    script.world.payments.data.insertInvoice(CODE, DAY, {
      ...{ invoice_status: 0, amount, reference_number: reference, expires_at: '2026-11-22' },
      ...more,
    });

  it.each([
    ['a count', UNPAID],
    ['a sum', { ...UNPAID, measure: 'unpaidAmount', above: '1.000' }],
  ])('behind %s are the five largest, with number, reference and amount', async (_what, rule) => {
    await script.rules([rule]);
    const ids = ['7.000', '3.000', '12.500', '9.000', '1.000', '2.000'].map((amount, index) =>
      insert(amount, `ref-${index}`),
    );
    insert('99.000', 'paid', { invoice_status: 1 });
    await script.check(0);
    const { text } = defined((await script.mails())[0]);
    const shown = text.matchAll(/ {2}(ref-\d|paid): (.*)\u00A0KWD\n {4}Invoice (\d+), expires 22 Nov 2026/g);
    expect(Array.from(shown, ([, reference, amount, id]) => [reference, amount, Number(id)])).toEqual([
      ['ref-2', '12.500', ids[2]],
      ['ref-3', '9.000', ids[3]],
      ['ref-0', '7.000', ids[0]],
      ['ref-1', '3.000', ids[1]],
      ['ref-5', '2.000', ids[5]],
    ]);
  });

  it('are the refunds, and the sealed invoices that expire first', async () => {
    await script.rules([
      { name: 'refunds', measure: 'largestRefund', above: '1.000' },
      { name: 'soon', measure: 'expiringUnpaid', withinDays: 3, above: 0 },
    ]);
    const { world } = script;
    insert('4.000', 'expires-later', { expires_at: '2026-11-23' });
    insert('5.000', 'expires-first');
    insert('6.000', 'expires-too-late', { expires_at: '2026-11-28' });
    const members = { amount: '7.250', order_reference_number: 'ord-1' };
    const refund = world.payments.data.insertRefund(CODE, DAY, members);
    await world.report({ day: DAY, send: false });
    await script.check(0);
    const { text } = defined((await script.mails())[0]);
    expect(text).toContain(`  ord-1: 7.250\u00A0KWD\n    Refund ${refund}\n`);
    expect(text).toMatch(/expires-first: 5\.000.*\n.*expires 22 Nov 2026\n {2}expires-later/);
    expect(text).not.toContain('expires-too-late');
  });

  it('have no redacted reference, and neither mail nor state has a name, an address or a phone number', async () => {
    await script.rules([UNPAID], { redact: ['Reference_Number'] });
    const customer = { name: 'Fatima Hidden', email: 'fatima@hidden.example', phone_number: '+96550001234' };
    for (const reference of ['secret-1', 'secret-2']) insert('7.000', reference, { customer });
    await script.check(0);
    const { text, html } = defined((await script.mails())[0]);
    const state = JSON.stringify(await script.state());
    expect(text).toContain('Unpaid invoices to look at');
    for (const kept of [text, html, state])
      expect(kept).not.toMatch(/secret-|Fatima|hidden\.example|96550001234/);
  });

  it('are kept in the state until the mail is sent, so that a later check sends the same mail', async () => {
    await script.rules([{ ...UNPAID, title: 'Call them', note: 'Ask Fatima.' }]);
    insert('7.000', 'first');
    insert('8.000', 'second');
    await owingCheck();
    const { owed } = await script.state();
    expect(owed?.lines[0]?.items.map(({ reference }) => reference)).toEqual(['second', 'first']);
    insert('99.000', 'third');
    await script.rules([{ ...UNPAID, title: 'Other words', repeatAfter: '30d' }]);
    await script.check(15);
    const { subject, text } = defined((await script.mails())[0]);
    expect(subject).toBe('Alert · Call them · Al Noor Trading');
    expect(text).toContain('2 unpaid invoices today, your limit is 1\n  Ask Fatima.\n');
    expect(text).not.toContain('third');
  });

  it('are left out of a mail that an earlier version owes', async () => {
    await script.rules([UNPAID]);
    insert('7.000', 'first');
    insert('8.000', 'second');
    await owingCheck();
    const added = new Set(['course', 'day', 'days', 'title', 'note', 'items']);
    const key = alertStateKey(CODE);
    const reviver = function (this: object, name: string, value: unknown): unknown {
      return name === 'course' || (added.has(name) && 'rule' in this) ? undefined : value;
    };
    const state: unknown = JSON.parse(await script.world.text(key), reviver);
    await script.world.aws.s3.write(BUCKET, key, JSON.stringify(state));
    await script.check(15);
    const { text } = defined((await script.mails())[0]);
    expect(text).toContain('2 unpaid invoices today, your limit is 1\n');
    expect(text).not.toMatch(/first|second|At the beginning/);
  });
});

it('rules that cannot be used are left out and named by their paths, and the other rules run', async () => {
  await script.rules([
    { name: 'two bounds', measure: 'unpaidCount', above: 5 },
    { name: 'both', measure: 'unpaidCount', above: 5, below: 1 },
    { name: '<script>', measure: 'unpaidCount', above: 5 },
    { name: 'sum', measure: 'unpaidAmount', above: 'lots' },
    'not a rule',
    { name: 'unknown', measure: 'unpaidcount', above: 5 },
    TOO_MANY_UNPAID,
    { ...TOO_MANY_UNPAID, above: 1 },
  ]);
  script.unpaid(6);
  const answer = await script.check(0);
  expect(answer.transitions).toMatchObject([{ rule: 'too-many-unpaid', to: 'firing' }]);
  const indexes = answer.rejected.map(({ path }) => /^alerts\[(\d)\]/.exec(path)?.[1]);
  expect(indexes).toEqual(['0', '1', '2', '3', '4', '5', '7']);
  expect(answer.rejected.find(({ path }) => path.startsWith('alerts[3]'))?.path).toBe('alerts[3].above');
  expect(JSON.stringify(answer.rejected)).not.toContain('script');
  expect((await script.mails()).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('6 unpaid invoices today'),
  ]);
});

it.each([
  ['with an unknown member', { dryrun: true }, 'InvalidEventError'],
  ['with a malformed time', { now: 'noon' }, 'InvalidEventError'],
  ['of a day that has not begun yet', { day: '2026-11-21' }, 'InvalidDayError'],
  ['of an unknown merchant', { merchantCode: '799999' }, 'UnknownMerchantError'],
])('an event %s is refused with a named error', async (_what, event, name) => {
  await expect(script.check(0, event)).rejects.toMatchObject({ name });
  expect(script.world.keys('alerts/')).toEqual([]);
});
