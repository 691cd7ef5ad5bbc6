import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { AlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { defined, textLike } from '#support/assertions/index.ts';
import { addDays } from '#records/day/business-day.ts';

let script: AlertScript;

const WATCHED = { source: 'watchlist', statuses: { 1: 'approved' } };

/** The current value of each measure. Each rule fires at any value, so its transition shows the value. */
async function valuesOf(
  rules: readonly Record<string, unknown>[],
  event: { now?: string; day?: string } = {},
): Promise<Record<string, string | null>> {
  await script.rules(rules.map((rule) => ({ name: rule['measure'], above: 0, ...rule })));
  const { transitions } = await script.check(0, { dryRun: true, ...event });
  return Object.fromEntries(transitions.map(({ rule, value }) => [rule, value]));
}

describe('the requests to the service', () => {
  const share = { name: 'share', measure: 'cancelledShare', above: 90 };
  const none = { name: 'none', measure: 'invoiceCount', below: 1 };
  const age = { name: 'age', measure: 'reportAge', above: 26 };
  const expiring = { name: 'expiring', measure: 'expiringUnpaid', withinDays: 3, above: 100 };
  const sum = { name: 'sum', measure: 'unpaidAmount', above: '0' };
  it.each<[string, Record<string, unknown>[], Record<string, number>]>([
    ['one page of each type for rules on counts', [TOO_MANY_UNPAID, share, none], { login: 1, invoices: 4 }],
    ['none for rules on sealed days', [age, expiring], {}],
    // Three pages of single invoices, one empty page of each other type, and page 1 again to see that nothing changed.
    [
      'every page once for amounts, and one more of each type for counts',
      [TOO_MANY_UNPAID, sum],
      { login: 1, invoices: 3 + 3 + 1 + 4 },
    ],
  ])('are %s', async (_what, rules, requests) => {
    script = await AlertScript.start(rules);
    script.unpaid(40);
    expect(await script.requestsOf(() => script.check(0))).toEqual(requests);
  });

  it('are none without rules, and nothing is written', async () => {
    script = await AlertScript.start([]);
    const before = script.world.keys();
    const requests = await script.requestsOf(async () => {
      expect(await script.check(0)).toMatchObject({ transitions: [], mailed: false, mail: null });
    });
    expect(requests).toEqual({});
    expect(script.world.keys()).toEqual(before);
  });
});

describe('the values', () => {
  it('are those of the service’s records', async () => {
    script = await AlertScript.start();
    const { data } = script.world.payments;
    data.seedDay(CODE, DAY, { invoices: 120, refunds: 6 });
    const { invoices, refunds } = data.truth(CODE, DAY);
    const [unpaid, paid] = [defined(invoices.byStatus['0']), defined(invoices.byStatus['1'])];
    const values = await valuesOf([
      { measure: 'invoiceCount' },
      { measure: 'unpaidCount' },
      { measure: 'unpaidAmount', above: '0.000' },
      { measure: 'refundCount' },
      { measure: 'refundTotal', above: '0.000' },
      { measure: 'refundShare' },
      { measure: 'largestRefund', above: '0.000' },
    ]);
    const share = (Number(refunds.total) / Number(paid.total)) * 100;
    expect(values).toEqual({
      invoiceCount: '120.000',
      unpaidCount: `${unpaid.count}.000`,
      unpaidAmount: unpaid.total,
      refundCount: `${refunds.count}.000`,
      refundTotal: refunds.total,
      refundShare: share.toFixed(3),
      largestRefund: textLike(/^\d+\.\d{3}$/),
    });
  });

  it('count each invoice once where stats cover all types and the service ignores the type', async () => {
    script = await AlertScript.start([], { behaviour: { statsScope: 'all' } });
    script.world.payments.data.seedDay(CODE, DAY, { invoices: 60, refunds: 0 });
    expect(await valuesOf([{ measure: 'invoiceCount' }])).toEqual({ invoiceCount: '60.000' });
    script.unpaid(3);
    let firstAnswer = '';
    const body = (original: string) => (firstAnswer ||= original);
    script.world.serviceDoes({ kind: 'replace', body }, { operation: 'invoices', times: Infinity });
    expect(await valuesOf([{ measure: 'invoiceCount' }])).toEqual({ invoiceCount: '63.000' });
  });

  it('of amounts are the sealed ones when the day is over and sealed', async () => {
    script = await AlertScript.start();
    const { world } = script;
    world.clock.setTo('2026-11-21T04:00:00Z');
    script.unpaid(3);
    await world.report({ send: false });
    const { amounts } = await world.manifest(1);
    assert.exists(amounts);
    script.unpaid(0);
    const later = { now: '2026-11-21T05:00:00Z', day: DAY };
    const requests = await script.requestsOf(async () => {
      const values = await valuesOf([{ measure: 'unpaidAmount', above: '0' }], later);
      expect(values).toEqual({ unpaidAmount: amounts.notPaid });
    });
    expect(requests).toEqual({});
  });

  it('of amounts are read again where the sealed day does not balance', async () => {
    script = await AlertScript.start();
    const { world } = script;
    world.clock.setTo('2026-11-21T04:00:00Z');
    script.unpaid(3);
    world.payments.behaviour.wrongTotal = 1;
    await world.report({ send: false });
    const later = { now: '2026-11-21T05:00:00Z', day: DAY };
    const sum = { measure: 'unpaidAmount', above: '0' };
    expect(await valuesOf([sum], later)).toEqual({});
    world.payments.behaviour.wrongTotal = 0;
    const { total } = defined(world.payments.data.truth(CODE, DAY).invoices.byStatus['0']);
    expect(await valuesOf([sum], later)).toEqual({ unpaidAmount: total });
  });

  it('of refunds include the refunds of the watch list and those that a sealed revision knows', async () => {
    script = await AlertScript.start([], { defaults: { refunds: WATCHED } });
    const { world } = script;
    const sealed = world.payments.data.insertRefund(CODE, DAY, { amount: '7.250' });
    const watched = world.payments.data.insertRefund(CODE, DAY, { amount: '2.000' });
    await world.report({ refundIds: [sealed], send: false });
    const list = `config/refunds/${CODE}.json`;
    await world.aws.s3.write(BUCKET, list, JSON.stringify([watched, 999_999]));
    const rules = [
      { measure: 'refundTotal', above: '0' },
      { measure: 'largestRefund', above: '0' },
    ];
    expect(await valuesOf(rules)).toEqual({ refundTotal: '9.250', largestRefund: '7.250' });
  });

  it('of invoices about to expire come from the sealed days, also across the end of a month', async () => {
    script = await AlertScript.start();
    const { world } = script;
    const expiring = { invoice_status: 0, expires_at: '2026-12-02' };
    for (const day of ['2026-11-19', DAY]) {
      world.payments.data.insertInvoice(CODE, day, expiring);
      world.payments.data.insertInvoice(CODE, day, { ...expiring, expires_at: '2026-12-03' });
      world.payments.data.insertInvoice(CODE, day, { ...expiring, invoice_status: 1 });
    }
    world.clock.setTo('2026-11-29T04:00:00Z');
    for (let date = 19; date <= 28; date += 1) {
      if (date !== 22 && date !== 28) await world.report({ day: `2026-11-${date}`, send: false });
    }
    const rules = [
      { name: 'both', measure: 'expiringUnpaid', withinDays: 3 },
      { name: 'wider', measure: 'expiringUnpaid', withinDays: 4 },
      { name: 'newer', measure: 'expiringUnpaid', withinDays: 3, createdWithinDays: 9 },
    ];
    const now = '2026-11-29T12:00:00Z';
    // A day in between is not sealed. Its figures are unknown, so the sum of the other days cannot resolve the rule.
    expect(await valuesOf(rules, { now })).toEqual({});
    await world.report({ day: '2026-11-22', send: false });
    // Yesterday is not sealed yet, as on every night until its report.
    expect(await valuesOf(rules, { now })).toEqual({ both: '2.000', wider: '4.000', newer: '1.000' });
    // The days since then have no report.
    expect(await valuesOf(rules, { now: '2026-11-30T12:00:00Z' })).toEqual({});
  });

  it('of the age of the last report are the hours since the newest sealed day was pulled', async () => {
    script = await AlertScript.start();
    const { world } = script;
    world.clock.setTo('2026-11-21T03:00:00Z');
    await world.report({ send: false });
    const { pulledAt } = await world.manifest(1);
    const now = new Date(Date.parse(pulledAt) + 27 * 3_600_000).toISOString();
    const values = await valuesOf([{ measure: 'reportAge', above: 26 }], { now });
    expect(values).toEqual({ reportAge: '27.000' });
  });
});

const FRIDAYS = ['2026-10-23', '2026-10-30', '2026-11-06', '2026-11-13'];
const SO_FAR = { name: 'slow', measure: 'shareOfUsualSoFar', below: 50, notBefore: '14:00' };
const OF_DAY = { name: 'bad-day', measure: 'shareOfUsualDay', below: 50 };

/** An invoice of the day that was paid on it at a time. */
function paid(day: string, time: string, amount: string): void {
  const transaction = { payment_type: 'KNET', paid_on: `${day} ${time}` };
  script.world.payments.data.insertInvoice(CODE, day, { invoice_status: 1, amount, transaction });
}

/** Reports a day on the next morning. */
async function sealed(day: string): Promise<void> {
  const { clock } = script.world;
  clock.setTo(Math.max(clock.now(), Date.parse(`${day}T00:00:00Z`) + 30 * 3_600_000));
  await script.world.report({ day, send: false });
}

/** Each Friday had 30.000 before 14:00 and 20.000 after. */
async function fridays(days = FRIDAYS): Promise<void> {
  for (const day of days) {
    paid(day, '09:30:00', '10.000');
    paid(day, '13:59:59', '20.000');
    paid(day, '14:00:00', '20.000');
    await sealed(day);
  }
}

async function start(rules: readonly unknown[], merchant = {}): Promise<void> {
  script = await AlertScript.start([]);
  await script.rules(rules, merchant);
}

describe('a rule against the usual at this time of day', () => {
  it('waits for its time, fires with the figures, and is back when the day has caught up', async () => {
    await start([SO_FAR]);
    await fridays();
    paid(DAY, '10:00:00', '12.300');
    // 13:45 in Kuwait, and then 14:05.
    expect(await script.requestsOf(() => script.check(105))).toEqual({});
    expect(await script.check(125)).toMatchObject({ transitions: [{ to: 'firing', value: '41.000' }] });
    expect((await script.world.lastMail('alert')).text).toContain(
      '12.300 KWD paid today, 41% of what the last 4 Fridays had by 14:00 on average, you expect at least 50%',
    );
    paid(DAY, '14:20:00', '40.000');
    expect(await script.check(155)).toMatchObject({ transitions: [{ to: 'ok', value: '104.600' }] });
    expect((await script.world.lastMail('alert')).text).toContain('Fridays had by 14:30 on average');
  });

  it('looks the earlier days up once a day', async () => {
    await start([SO_FAR]);
    await fridays();
    paid(DAY, '10:00:00', '29.000');
    await script.check(125);
    const { usual } = await script.state();
    expect(usual).toMatchObject({ days: 4 });
    expect(defined(usual).before[56]).toBe('120.000');
    script.world.awsDoes({ kind: 'error', status: 403, code: 'AccessDenied' }, { key: /^days\// });
    expect(await script.check(140)).toMatchObject({ noData: [], transitions: [] });
  });

  it('has no data with too little history, and ops hear it once for all days', async () => {
    await start([SO_FAR]);
    await fridays(FRIDAYS.slice(3));
    paid(DAY, '10:00:00', '1.000');
    const young = { noData: [{ rule: 'slow', isWithoutUsual: true }], transitions: [] };
    for (const minutes of [125, 304, 305, 600, 24 * 60 + 125, 24 * 60 + 310]) {
      expect(await script.check(minutes)).toMatchObject(young);
    }
    expect(script.world.mails('ops')).toHaveLength(1);
    expect((await script.world.lastMail('ops')).text).toContain(
      'Rules against the usual need two earlier days',
    );
  });

  it.each([
    ['has a payment without a time', { paid_on: '2026-11-20' }],
    ['has a payment that does not say when', {}],
  ])('has no data where the day %s', async (_, transaction) => {
    await start([SO_FAR]);
    await fridays();
    script.world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, transaction });
    expect(await script.check(125)).toMatchObject({ noData: [{ rule: 'slow' }], transitions: [] });
  });
});

describe('what ops hear of rules against the usual without data', () => {
  const OTHER = '700002';
  const withoutTime = (code: string, day: string) => {
    const transaction = { paid_on: day };
    script.world.payments.data.insertInvoice(code, day, { invoice_status: 1, transaction });
  };

  it.each<[string, Record<string, unknown>, string]>([
    ['the payments of the day so far have no times', SO_FAR, 'a payment without a time'],
    ['no day is sealed', OF_DAY, 'no sealed day'],
  ])('is one notice for all merchants and days where %s', async (_, rule, cause) => {
    const options = { merchants: 2, defaults: { alerts: [rule] } };
    script = await AlertScript.start([rule], options);
    for (const day of [0, 1]) {
      for (const merchantCode of [CODE, OTHER]) {
        withoutTime(merchantCode, addDays(DAY, day));
        for (const minutes of [125, 310]) {
          const { noData } = await script.check(day * 24 * 60 + minutes, { merchantCode });
          expect(noData).toMatchObject([{ rule: rule['name'], cause }]);
        }
      }
    }
    expect(script.world.mails('ops')).toHaveLength(1);
    expect((await script.world.lastMail('ops')).text).toContain(cause);
  });

  it('is a notice of its own where the service does not answer', async () => {
    await start([SO_FAR]);
    await fridays();
    script.world.serviceDoes({ kind: 'status', status: 400 }, { operation: 'invoices', times: Infinity });
    const { noData } = await script.check(125);
    expect(noData).toEqual([{ rule: 'slow', since: minutesAfterNoon(125) }]);
  });
});

describe('a rule against the usual of a whole day', () => {
  it('holds the newest sealed day against the first readings of its weekday', async () => {
    await start([OF_DAY]);
    await fridays();
    paid(DAY, '10:00:00', '20.500');
    await sealed(DAY);
    const check = () => script.check(0, { now: new Date(script.world.clock.now()).toISOString() });
    expect(await check()).toMatchObject({ transitions: [{ to: 'firing', value: '41.000' }] });
    expect((await script.world.lastMail('alert')).text).toContain(
      '20.500 KWD came in on Friday, 20 November 2026, 41% of what the last 4 Fridays had on average',
    );
    // A later reading of the day changes nothing: mornings are compared with mornings.
    paid(DAY, '23:00:00', '500.000');
    script.world.clock.setTo(script.world.clock.now() + 3_600_000);
    expect(await script.world.report({ day: DAY, send: false })).toMatchObject({ revision: 2 });
    expect(await check()).toMatchObject({ transitions: [], noData: [] });
    expect((await script.state()).rules['bad-day']?.place).toBe('firing');
  });

  it('has no data for a day that was out of balance when it was first read', async () => {
    await start([OF_DAY]);
    await fridays();
    script.world.payments.behaviour.wrongStats = { total: 99 };
    await sealed(DAY);
    const now = new Date(script.world.clock.now()).toISOString();
    expect(await script.check(0, { now })).toMatchObject({
      noData: [{ rule: 'bad-day', cause: 'a sealed day that cannot be compared' }],
    });
  });
});
