import { addDays } from '#records/day/business-day.ts';
import { dataFile } from '#records/revision/manifest.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { AlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { defined } from '#support/assertions/index.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

const SUM = { name: 'sum', measure: 'unpaidAmount', above: '0' };

let script: AlertScript;

function serviceIsDown(): void {
  script.world.serviceDoes({ kind: 'server-error', status: 500 }, { times: Infinity });
}

function serviceIsBack(): void {
  script.world.payments.behaviour.faults.clear();
}

describe('while the service is down', () => {
  it('rules keep their state, ops are notified once after three hours, and no rule is called resolved', async () => {
    script = await AlertScript.start();
    script.unpaid(6);
    await script.check(0);
    serviceIsDown();
    for (const minutes of [15, 120, 194]) {
      expect(await script.check(minutes)).toMatchObject({
        transitions: [],
        mailed: false,
        noData: [{ rule: 'too-many-unpaid', since: minutesAfterNoon(15) }],
      });
    }
    expect(script.world.mails('ops')).toHaveLength(0);
    expect((await script.state()).rules['too-many-unpaid']?.place).toBe('firing');
    for (const minutes of [195, 210, 600]) await script.check(minutes);
    expect(script.world.mails('ops')).toHaveLength(1);
    const notice = defined(script.world.mails('ops')[0]).raw.toString();
    expect(notice).toMatch(
      /^Subject: \[Daybook\] Merchant \d+, \d{4}-\d\d-\d\d: alert rules have no data\r$/m,
    );
    expect(notice).toContain('too-many-unpaid');
    expect(notice).toContain(CODE);
    serviceIsBack();
    script.unpaid(2);
    expect(await script.check(615)).toMatchObject({ transitions: [{ to: 'ok' }], mailed: true });
    expect(await script.said()).toEqual(['Alert', 'Back to normal']);
  });

  it('ops are notified only once, even when the check cannot save its state after the notice', async () => {
    script = await AlertScript.start();
    serviceIsDown();
    await script.check(0);
    await script.rules([TOO_MANY_UNPAID, { ...TOO_MANY_UNPAID, name: 'another' }]);
    script.world.refusePuts(/^alerts\//);
    await expect(script.check(180)).rejects.toMatchObject({ name: 'StorageError' });
    expect(script.world.mails('ops')).toHaveLength(1);
    script.world.aws.faults.clear();
    serviceIsBack();
    await script.check(195);
    expect(script.world.mails('ops')).toHaveLength(1);
  });

  it('ops are notified again when data are missing a second time', async () => {
    script = await AlertScript.start();
    for (const from of [0, 300]) {
      serviceIsDown();
      await script.check(from);
      await script.check(from + 180);
      serviceIsBack();
      await script.check(from + 200);
    }
    expect(script.world.mails('ops')).toHaveLength(2);
  });

  it.each([
    ['cannot be read', { kind: 'server-error', status: 500 }, {}],
    ['takes all the time for reading', { kind: 'hang' }, { getRemainingTimeInMillis: () => 43_000 }],
  ] as const)(
    'rules on counts are still checked where only a later page %s',
    async (_what, action, context) => {
      script = await AlertScript.start([TOO_MANY_UNPAID, SUM]);
      script.unpaid(40);
      script.world.serviceDoes(action, { operation: 'invoices', page: 2, times: Infinity });
      const answer = await script.world.alertCheck({ now: minutesAfterNoon(0) }, lambdaContext(context));
      expect(answer).toMatchObject({
        transitions: [{ rule: 'too-many-unpaid', to: 'firing', value: '40.000' }],
        noData: [{ rule: 'sum' }],
      });
    },
  );

  it('rules that do not need the service are still checked', async () => {
    script = await AlertScript.start([TOO_MANY_UNPAID, { name: 'age', measure: 'reportAge', above: 26 }]);
    const { world } = script;
    world.clock.setTo('2026-11-19T03:00:00Z');
    await world.report({ day: '2026-11-18', send: false });
    serviceIsDown();
    expect(await script.check(0)).toMatchObject({
      transitions: [{ rule: 'age', to: 'firing' }],
      noData: [{ rule: 'too-many-unpaid' }],
      mailed: true,
    });
  });
});

const LARGE = { name: 'large', measure: 'largestRefund', above: '100.000' };
const REFUNDS = { name: 'refunds', measure: 'refundCount', above: 0 };
const SOON = { name: 'soon', measure: 'expiringUnpaid', withinDays: 3, above: 0 };

describe('a value that cannot be known', () => {
  it.each([
    ['counts that the service does not send', TOO_MANY_UNPAID, { behaviour: { counts: 'null' } }],
    ['a share of zero', { name: 'share', measure: 'unpaidShare', above: 10 }, {}],
    ['amounts without names for the statuses', SUM, { defaults: { invoiceStatuses: undefined } }],
    ['a service without a refund list', REFUNDS, { behaviour: { hasRefundList: false } }],
    ['a merchant without a sealed day', { name: 'age', measure: 'reportAge', above: 1 }, {}],
    ['a measure of expiring invoices without any sealed day', SOON, {}],
  ] as const)('neither fires nor resolves its rule: %s', async (_name, rule, options) => {
    script = await AlertScript.start([rule], options);
    const answer = await script.check(0);
    expect(answer).toMatchObject({ transitions: [], mailed: false });
    expect(answer.noData).toEqual([{ rule: rule.name, since: minutesAfterNoon(0) }]);
  });

  it('is a sum over fewer rows than the service states, unless the registry ignores that', async () => {
    script = await AlertScript.start([SUM]);
    script.unpaid(40);
    script.world.payments.behaviour.wrongTotal = 3;
    expect((await script.check(0)).noData).toHaveLength(1);
    await script.rules([SUM], { balance: { ignore: ['paginationTotal'] } });
    expect(await script.check(15)).toMatchObject({ noData: [], transitions: [{ to: 'firing' }] });
  });

  it.each(['unpaidAmount', 'unpaidCount'] as const)(
    'is %s if all invoices of the answer are of another type or day, unless the registry ignores it',
    async (measure) => {
      script = await AlertScript.start();
      const rules = [{ name: 'open', measure, above: measure === 'unpaidCount' ? 0 : '0' }];
      const { data, behaviour } = script.world.payments;
      const single = { invoice_type: 1, invoice_status: 0 };
      for (let more = 0; more < 3; more += 1) data.insertInvoice(CODE, DAY, single);
      behaviour.wrongType = { '0': '1' };
      await script.rules(rules, { invoiceTypes: ['0'] });
      expect(await script.check(0)).toMatchObject({ noData: [{ rule: 'open' }], transitions: [] });
      await script.rules(rules, { invoiceTypes: ['0'], balance: { ignore: ['invoiceType'] } });
      expect(await script.check(15)).toMatchObject({ noData: [], transitions: [{ to: 'firing' }] });
      // A service that gives one list for all types is known: its list counts once.
      await script.rules(rules, { invoiceTypes: ['1', '0'] });
      expect((await script.check(30)).noData).toEqual([]);
      behaviour.wrongType = {};
      behaviour.wrongDay = -1;
      data.seedDay(CODE, addDays(DAY, -1), { invoices: 5, refunds: 0 });
      await script.rules(rules, { invoiceTypes: ['1'] });
      expect((await script.check(45)).noData).toHaveLength(1);
    },
  );

  it('is known for refunds if the registry ignores the count of their list', async () => {
    script = await AlertScript.start([LARGE]);
    const { data } = script.world.payments;
    const goes = data.insertRefund(CODE, DAY, { amount: '900.000' });
    for (let more = 0; more < 16; more += 1) data.insertRefund(CODE, DAY, { amount: '1.000' });
    /** One refund leaves the list after the first page stated the count, and before the second page is read. */
    const cut = (id: number) => {
      const before = () => data.deleteRefund(CODE, id);
      script.world.serviceDoes({ kind: 'call', before }, { operation: 'refunds', page: 2 });
    };
    cut(goes);
    expect((await script.check(0)).noData).toHaveLength(1);
    await script.rules([LARGE], { balance: { ignore: ['refundListCount'] } });
    cut(goes + 1);
    expect((await script.check(15)).noData).toEqual([]);
  });

  it.each([
    ['names a refund that the service does not know', 'after'],
    ['is shorter than its stated count', 'before'],
  ] as const)('is a sum of refunds whose list %s', async (_name, when) => {
    script = await AlertScript.start([LARGE]);
    const { data, behaviour } = script.world.payments;
    const large = data.insertRefund(CODE, DAY, { amount: '900.000' });
    for (let more = 0; more < 15; more += 1) data.insertRefund(CODE, DAY, { amount: '1.000' });
    expect((await script.check(0)).transitions).toMatchObject([{ to: 'firing' }]);
    const goes = () => data.deleteRefund(CODE, large);
    behaviour.faults.add({ operation: 'refunds', page: 2, action: { kind: 'call', [when]: goes } });
    expect(await script.check(15)).toMatchObject({
      transitions: [],
      noData: [{ rule: 'large' }],
      mailed: false,
    });
    // Now the list does not contain the refund, and the count does not include it.
    expect((await script.check(30)).transitions).toMatchObject([{ to: 'ok', value: '1.000' }]);
  });

  it('is reported without the content of the sealed rows that cannot be read', async () => {
    script = await AlertScript.start([{ name: 'soon', measure: 'expiringUnpaid', withinDays: 30, above: 0 }]);
    const { world } = script;
    script.unpaid(2);
    await world.report({ send: false });
    const { key } = dataFile(await world.manifest(1), 'invoices', 'json');
    await world.aws.s3.write(BUCKET, key, '{"name":"Fatima"');
    expect((await script.check(0)).noData).toHaveLength(1);
  });
});
