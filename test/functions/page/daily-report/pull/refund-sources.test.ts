import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { checkRecord, expectNothingDone, failureOf, requestsOf } from '#support/daily-report/failed-run.ts';
import { sealedRecords } from '#support/daily-report/sealed-rows.ts';
import { defined } from '#support/assertions/index.ts';

const CSV = `config/refunds/${CODE}.csv`;
const JSON_LIST = `config/refunds/${CODE}.json`;
const STATUSES = { 0: 'pending', 1: 'approved', 2: 'rejected' };
/** An id that the service never gave to a refund. */
const UNKNOWN = 424242;

const world = useWorld({ perPage: 4 });
/** The day's refunds. The ids of a merchant are ascending. */
let ids: number[];
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 6 });
  ({ ids } = world.payments.data.truth(CODE, DAY).refunds);
});

const notFound = (id: number | string) => {
  return { name: 'knownRefunds', what: `refund ${id}`, service: 'not found', rows: null };
};

async function useSource(source: 'list' | 'watchlist' | 'both'): Promise<void> {
  await world.putRegistry({ [CODE]: { refunds: { source, statuses: STATUSES } } });
}

async function sealedIds(revision = 1): Promise<number[]> {
  return (await sealedRecords(world, 'refunds', revision)).map(({ id }) => id);
}

/** How often each refund was requested, by its id. */
function asked(): Record<string, number> {
  const paths = world.payments.requests
    .filter(({ operation }) => operation === 'refund')
    .map(({ path }) => path);
  const groups = Object.entries(Object.groupBy(paths, (path) => path.slice(path.lastIndexOf('/') + 1)));
  return Object.fromEntries(groups.map(([id, requests]) => [id, defined(requests).length]));
}

describe('the source "list"', () => {
  it('does not read the watch list', async () => {
    await world.aws.s3.write(BUCKET, CSV, `id\n${UNKNOWN}\n`);
    expect(await world.report()).toMatchObject({ balanced: true });
    expect(asked()).not.toHaveProperty(UNKNOWN.toString());
  });

  it('at a service without a list is an error that names the setting', async () => {
    world.payments.behaviour.hasRefundList = false;
    const { name, message } = await failureOf(world.report());
    expect(name).toBe('RefundListMissingError');
    for (const part of ['refund list (page 1): ', 'refunds.source', 'service.refundListPath'])
      expect(message).toContain(part);
    await expectNothingDone(world);
    expect(await checkRecord(world)).toMatchObject({ outcome: 'failed', error: 'RefundListMissingError' });
  });

  it('with a sum that differs from its refunds is explained', async () => {
    world.serviceDoes(
      { kind: 'call', before: () => world.payments.data.deleteRefund(CODE, defined(ids[0])) },
      { operation: 'refund', path: new RegExp(`/${defined(ids[0])}$`) },
    );
    const answer = await world.report();
    expect(answer).toMatchObject({ balanced: false, refunds: { count: 5 } });
    expect(answer.differences).toEqual([notFound(defined(ids[0]))]);
  });
});

describe('the source "watchlist"', () => {
  beforeEach(() => useSource('watchlist'));

  it.each<[string, string, (a: number, b: number) => string]>([
    [CSV, 'a header', (a, b) => `id\n${a}\n${b}\n`],
    [CSV, 'a header in capitals and further columns', (a, b) => `ID,note\n${a},"a, b"\n${b},\n`],
    [CSV, 'no header', (a, b) => `${a}\n${b}\n`],
    [CSV, 'a mark, Windows line ends and blank lines', (a, b) => `\uFEFFid\r\n${a}\r\n\r\n${b}\r\n`],
    [CSV, 'a byte order mark and no header', (a, b) => `\uFEFF${a}\n${b}`],
    [CSV, 'quotes, blanks and an id twice', (a, b) => `"${a}"\n ${b} \n${a}\n`],
    [JSON_LIST, 'numbers', (a, b) => `[${a}, ${b}]`],
    [JSON_LIST, 'strings', (a, b) => `["${a}", "${b}"]`],
    [JSON_LIST, 'a byte order mark', (a, b) => `\uFEFF[${a}, "${b}"]\n`],
  ])('reads %s with %s', async (key, _name, text) => {
    await world.aws.s3.write(BUCKET, key, text(defined(ids[1]), defined(ids[4])));
    expect(await world.report()).toMatchObject({ balanced: true, refunds: { count: 2 } });
    expect(await sealedIds()).toEqual([ids[1], ids[4]]);
    expect(Object.values(asked())).toEqual([1, 1]);
    expect(requestsOf(world, 'refunds')).toBe(0);
  });

  it('requests an id beyond 2^53 digit for digit', async () => {
    const digits = '90071992547409931234567';
    await world.aws.s3.write(BUCKET, JSON_LIST, `[${digits}]`);
    const answer = await world.report();
    expect(answer.differences).toEqual([notFound(digits)]);
    expect(asked()).toEqual({ [digits]: 1 });
  });

  it('reads both objects if both exist, and nothing if there is none', async () => {
    expect(await world.report()).toMatchObject({ balanced: true, refunds: { count: 0, total: '0.000' } });
    await world.aws.s3.write(BUCKET, CSV, `${defined(ids[0])}`);
    await world.aws.s3.write(BUCKET, JSON_LIST, `[${defined(ids[0])}, ${defined(ids[2])}]`);
    expect(await world.report()).toMatchObject({ balanced: true, refunds: { count: 2 } });
    expect(await sealedIds(2)).toEqual([ids[0], ids[2]]);
  });

  it.each([
    ['an unknown id', CSV, `id\n1400\nabc\n`, `${CSV}, line 3: is not a refund id (digits)`],
    ['another separator', CSV, `id;note\n1400;x\n`, `${CSV}, line 1: is not a refund id (digits)`],
    ['a negative id', CSV, `-5\n`, `${CSV}, line 1: is not a refund id (digits)`],
    ['a path', CSV, `1400/../../login\n`, `${CSV}, line 1: is not a refund id (digits)`],
    ['no JSON', JSON_LIST, `[1400`, `${JSON_LIST}: is not a JSON array of refund ids`],
    ['an object', JSON_LIST, `{"ids":[1400]}`, `${JSON_LIST}: is not a JSON array of refund ids`],
    ['a fraction', JSON_LIST, `[14.5]`, `${JSON_LIST}: is not a JSON array of refund ids`],
    ['a negative number', JSON_LIST, `[-1]`, `${JSON_LIST}: is not a JSON array of refund ids`],
  ])('with %s is an error that names the object and the place', async (_name, key, text, message) => {
    await world.aws.s3.write(BUCKET, key, text);
    const error = await failureOf(world.report());
    expect({ name: error.name, message: error.message }).toEqual({ name: 'WatchListError', message });
    expect(world.payments.requests).toEqual([]);
    await expectNothingDone(world);
    expect(await checkRecord(world)).toMatchObject({ outcome: 'failed', error: 'WatchListError' });
  });
});

it('the source "both" reads the ids of the list and of the watch list, each of them once', async () => {
  await useSource('both');
  const sale = { transaction_date: `${DAY} 10:00:00` };
  const other = world.payments.data.insertRefund(CODE, '2026-11-22', sale);
  await world.aws.s3.write(BUCKET, CSV, `id\n${other}\n${defined(ids[3])}\n`);
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: true, refunds: { count: 6 } });
  expect(await sealedIds()).toEqual([...ids, other]);
  expect(Object.values(asked())).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

describe('an id that was given before', () => {
  beforeEach(() => useSource('watchlist'));

  it('in the event or in an earlier run is requested besides those of the watch list', async () => {
    await world.aws.s3.write(BUCKET, CSV, `${defined(ids[0])}`);
    const answer = await world.report({ refundIds: [ids[1], `00${defined(ids[2])}`] });
    expect(answer).toMatchObject({ balanced: true, refunds: { count: 3 } });
    expect(await world.report()).toMatchObject({ revision: 1, unchanged: true, refunds: { count: 3 } });
    await world.report({ refundIds: [ids[3]] });
    expect(await sealedIds(2)).toEqual(ids.slice(0, 4));
    world.payments.data.updateRefund(CODE, defined(ids[1]), { status: 1, remarks: 'changed later' });
    await world.report();
    const changed = await sealedRecords(world, 'refunds', 3);
    expect(changed[1]).toMatchObject({ id: ids[1], remarks: 'changed later' });
    expect(await sealedIds(3)).toEqual(ids.slice(0, 4));
  });

  it('and that the service never knew is a difference, and is not kept for the day', async () => {
    const answer = await world.report({ refundIds: [UNKNOWN, ids[0]] });
    expect(answer).toMatchObject({
      balanced: false,
      differences: [notFound(UNKNOWN)],
      refunds: { count: 1 },
      mail: { status: 'sent' },
    });
    const { text, subject } = await world.lastMail('report');
    expect(subject).toContain('Not confirmed');
    expect(text).toContain(`Refund ${UNKNOWN} is expected, but the service does not know it.`);
    expect(await world.report()).toMatchObject({ revision: 2, balanced: true });
    expect(asked()[UNKNOWN]).toBe(1);
    world.payments.data.insertRefund(CODE, DAY, { id: UNKNOWN });
    expect(await world.report({ refundIds: [UNKNOWN] })).toMatchObject({
      revision: 3,
      balanced: true,
      refunds: { count: 2 },
    });
    expect(await sealedIds(3)).toEqual([UNKNOWN, ids[0]]);
  });

  it('and that the service loses later is a difference, and is requested again', async () => {
    await world.report({ refundIds: [ids[0], ids[1]] });
    world.payments.data.deleteRefund(CODE, defined(ids[0]));
    const second = await world.report();
    expect(second).toMatchObject({ revision: 2, balanced: false, refunds: { count: 1 } });
    await world.report();
    expect(asked()[defined(ids[0])]).toBe(3);
  });
});

it('a refund of another day is kept in the snapshot, and counts by its own date alone in the mail', async () => {
  await useSource('watchlist');
  const { data } = world.payments;
  const sale = (sold: string) => ({ amount: '10.000', status: 1, transaction_date: `${sold} 23:59:59` });
  const given = [
    ...[DAY, '2026-11-01'].map((sold) => data.insertRefund(CODE, DAY, sale(sold))),
    ...[DAY, '2026-11-24'].map((sold) => data.insertRefund(CODE, '2026-11-25', sale(sold))),
  ];
  await world.aws.s3.write(BUCKET, JSON_LIST, JSON.stringify(given));
  expect(await world.report()).toMatchObject({ refunds: { count: 2, saleBasis: { count: 2 } } });
  expect(await sealedIds()).toEqual(given.toSorted((one, other) => one - other));
  const { text } = await world.lastMail('report');
  expect(text).toMatch(/ {2}Refunds by their date: \w+ 2 \(20\.000\)\.\n/);
  expect(text).not.toContain('own sales');
});
