import { addDays } from '#records/day/business-day.ts';
import { historyKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { doneKeys, expectNothingDone, failureOf } from '#support/daily-report/failed-run.ts';
import { defined, textLike } from '#support/assertions/index.ts';

/** The service's id of the merchant, and the id of another one. */
const OWN = 1084;
const STRANGER = 990_077;
const DAY_AFTER = addDays(DAY, 1);
const LATER = addDays(DAY, 2);

const world = useWorld({ perPage: 3 });
const failure = (event: Record<string, unknown> = {}) => failureOf(world.report(event));
let output: ReturnType<typeof captureOutput>;
beforeEach(() => {
  // At this time the next day is over.
  world.clock.setTo(`${addDays(DAY, 3)}T00:00:00Z`);
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 3 });
  output = captureOutput();
});

function idsOf(day: string) {
  const { invoices, refunds } = world.payments.data.truth(CODE, day);
  return { invoices: invoices.ids, refunds: refunds.ids };
}

/** Changes all records of a day to those of a merchant. */
function becomeOf(merchantId: number, day: string): void {
  const { invoices, refunds } = idsOf(day);
  for (const id of invoices) world.payments.data.updateInvoice(CODE, id, { merchant_id: String(merchantId) });
  for (const id of refunds) world.payments.data.updateRefund(CODE, id, { merchant_id: merchantId });
}

/** The run fails with an error that names the field. Neither id appears anywhere. */
async function expectNamed(event: Record<string, unknown> = {}, path = /merchant_id$/): Promise<void> {
  const error = await failure(event);
  expect(error).toMatchObject({ name: 'ContractError', path: textLike(path) });
  const said = `${error.message} ${JSON.stringify(error)} ${output.text()}`;
  expect(said).not.toContain(String(STRANGER));
  expect(said).not.toContain(String(OWN));
}

describe('in one pull', () => {
  const refund = ({ refunds }: ReturnType<typeof idsOf>) =>
    world.payments.data.updateRefund(CODE, defined(refunds[1]), { merchant_id: STRANGER });
  const invoice = ({ invoices }: ReturnType<typeof idsOf>) =>
    world.payments.data.updateInvoice(CODE, defined(invoices[7]), { merchant_id: String(STRANGER) });

  it.each([
    ['one invoice', invoice, /^response\.invoices\.data\[\d\]\.merchant_id$/],
    ['one refund', refund, /merchant_id$/],
  ])('%s of another merchant: a contract error, and nothing is sealed', async (_what, change, path) => {
    change(idsOf(DAY));
    await expectNamed({}, path);
    await expectNothingDone(world);
  });

  it('another merchant’s id is also found where only the details have it', async () => {
    await world.putRegistry({ [CODE]: { refunds: { source: 'watchlist' } } });
    refund(idsOf(DAY));
    await expectNamed({ refundIds: idsOf(DAY).refunds }, /^response\.merchant_id$/);
    await expectNothingDone(world);
  });
});

describe('from revision to revision and from day to day', () => {
  it('a revision says whose records it has, and the next revision cannot have another merchant’s', async () => {
    await world.report();
    expect((await world.manifest(1)).merchantId).toBe(String(OWN));
    const before = doneKeys(world);
    becomeOf(STRANGER, DAY);
    await expectNamed();
    expect(doneKeys(world)).toEqual(before);
    expect(world.mails()).toHaveLength(1);
  });

  it('the next day with records must have those of the same merchant', async () => {
    await world.report();
    await world.report({ day: DAY_AFTER });
    world.payments.data.seedDay(CODE, LATER, { invoices: 5, refunds: 1 });
    becomeOf(STRANGER, LATER);
    await expectNamed({ day: LATER });
    expect(world.keys(`days/day=${LATER}`)).toEqual([]);
  });

  it('a merchant with a new id is accepted only when the registry has the new id', async () => {
    await world.report();
    becomeOf(STRANGER, DAY);
    await world.putRegistry({ [CODE]: { merchantId: String(STRANGER) } });
    expect(await world.report()).toMatchObject({ revision: 2, balanced: true });
    await world.putRegistry();
    expect(await world.report()).toMatchObject({ revision: 2, unchanged: true });
  });

  it('the merchant id in the registry is checked from the first day', async () => {
    await world.putRegistry({ [CODE]: { merchantId: '4711' } });
    await expectNamed();
    await expectNothingDone(world);
  });

  it('after a revision that was sealed without a merchant id, records of any merchant are accepted once', async () => {
    await world.report();
    const { merchantId: _merchantId, ...older } = await world.manifest(1);
    await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), JSON.stringify(older));
    world.payments.data.insertInvoice(CODE, DAY);
    expect(await world.report()).toMatchObject({ revision: 2 });
    expect((await world.manifest(2)).merchantId).toBe(String(OWN));
  });
});

it('an alert check has figures of the merchant’s own records, and no data of another’s', async () => {
  const alerts = ['invoiceCount', 'unpaidAmount', 'refundCount'].map((measure) => ({
    name: measure,
    measure,
    above: measure === 'unpaidAmount' ? '0.000' : 0,
  }));
  await world.putRegistry({ [CODE]: { alerts } });
  await world.report();
  world.payments.data.seedDay(CODE, DAY_AFTER, { invoices: 9, refunds: 2 });
  const event = { day: DAY_AFTER, now: `${DAY_AFTER}T09:00:00Z` };
  expect(await world.alertCheck({ ...event, dryRun: true })).toMatchObject({ noData: [] });
  becomeOf(STRANGER, DAY_AFTER);
  const noData = alerts.map(({ name: rule }) => ({ rule }));
  expect(await world.alertCheck(event)).toMatchObject({ transitions: [], mail: null, noData });
  expect(output.text()).toContain('ContractError');
  expect(output.text()).not.toContain(String(STRANGER));
});

const ARCHIVED = { kind: 'error', status: 403, code: 'InvalidObjectState' } as const;
const archive = (key: string) =>
  world.awsDoes(ARCHIVED, { service: 's3', operation: 'GetObject', key: new RegExp(key), times: Infinity });

describe.each<[string, (key: string) => unknown]>([
  ['damaged', (key) => world.aws.s3.write(BUCKET, key, '{')],
  ['in an archive', archive],
])('where the manifest of the day before is %s', (_, spoil) => {
  beforeEach(async () => {
    world.payments.data.seedDay(CODE, DAY_AFTER, { invoices: 4, refunds: 0 });
    world.payments.data.seedDay(CODE, LATER, { invoices: 4, refunds: 0 });
    for (const day of [DAY, DAY_AFTER]) await world.report({ day, send: false });
    await spoil(manifestKey(DAY_AFTER, CODE, 1));
    // The history has the id, too.
    await world.aws.s3.remove(BUCKET, historyKey(CODE));
  });

  it('the one before it says whose records these must be, and their report goes out', async () => {
    becomeOf(STRANGER, LATER);
    await expectNamed({ day: LATER });
    becomeOf(OWN, LATER);
    expect((await world.report({ day: LATER })).mail.status).toBe('sent');
  });

  it('and no earlier manifest can be read, the error names the damaged one, because it may have held the merchant id', async () => {
    await spoil(manifestKey(DAY, CODE, 1));
    expect((await failure({ day: LATER })).message).toContain(manifestKey(DAY_AFTER, CODE, 1));
  });
});
