import type { PaymentsFaultAction } from '#sandbox/payments/http/faults.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { failureOf, requestsOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/index.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readTransactions } from '#page/daily-report/pull/second-witness.ts';

const PATH = '/api/v1/report/transactions';
const BEFORE = '2026-11-19';
const world = useWorld({ perPage: 4 });
const SERVICE = { transactionsPath: PATH };

type Row = Readonly<Record<string, unknown>>;
type Change = (rows: readonly Row[]) => readonly unknown[];

function listSays(change: Change): void {
  world.payments.behaviour.transactions = change;
}

beforeEach(async () => {
  await world.putRegistry({}, SERVICE);
  world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 1 });
  insertPaid(DAY, '10.250', '09:30:00', '9000000010.250');
  insertPaid(DAY, '0.005', '23:59:59', '900000000.005');
});

/** An invoice that was made on a day and paid on {@link DAY}. */
function insertPaid(made: string, amount: string, time: string, payment_id: string): void {
  const transaction = { payment_type: 'KNET', paid_on: `${DAY} ${time}`, payment_id };
  world.payments.data.insertInvoice(CODE, made, { invoice_status: 1, amount, transaction });
}

describe('a day whose payments are held against the transaction list', () => {
  beforeEach(async () => {
    await world.putRegistry({ [CODE]: { followFor: '1d' } }, SERVICE);
    await world.report({ day: BEFORE, send: false });
  });

  it('counts what was paid on the day of an invoice that was made before', async () => {
    insertPaid(BEFORE, '7.000', '11:00:00', '800000001');
    await world.report({ day: BEFORE, send: false });
    expect(await world.report()).toMatchObject({ balanced: true, differences: [] });
    expect((await world.manifest(1)).received?.ofEarlier).toEqual({ count: 1, sum: '7.000' });
  });

  it('asks nothing more of a day that goes on', async () => {
    const before = requestsOf(world, 'transactions');
    world.clock.setTo(`${DAY}T12:00:00Z`);
    await world.report({ send: false });
    expect(requestsOf(world, 'transactions')).toBe(before);
  });

  /** The rows with another first one. */
  const first =
    (change: (row: Row) => Row): Change =>
    ([row = {}, ...rows]) => [change(row), ...rows];
  const each =
    (change: (row: Row, index: number) => Row): Change =>
    (rows) =>
      rows.map(change);
  const more =
    (...others: Row[]): Change =>
    (rows) => [...rows, ...others.map((other, id) => ({ ...rows[0], id, ...other }))];
  const addedTo = (row: Row) => Number(row['amount']) + 0.001;
  const COUNT = 'transactionCount';
  const AMOUNT = 'transactionAmount';
  const METHODS = 'transactionMethods';
  const IDS = 'transactionIds';

  it.each<[string, Change, string[]]>([
    ['lacks a payment', (rows) => rows.slice(0, -1), [IDS, COUNT, AMOUNT, METHODS]],
    ['has a payment more, by another method', more({ payment_type: 'Wallet' }), [COUNT, AMOUNT]],
    ['has another amount', first((row) => ({ ...row, amount: addedTo(row) })), [AMOUNT, METHODS]],
    ['has other ids', each((row, at) => ({ ...row, payment_id: `other${at}`, transaction_id: null })), [IDS]],
    [
      'has the ids in another member',
      each(({ payment_id: id, ...row }) => ({ ...row, transaction_id: null, track_id: id })),
      [IDS],
    ],
  ])('names what differs where the list %s', async (_, change, names) => {
    listSays(change);
    const { balanced, differences } = await world.report();
    expect(balanced).toBe(false);
    expect([...new Set(differences.map(({ name }) => name))]).toEqual(names);
    expect((await world.lastMail('report')).text).toContain('What came in does not match');
  });

  it('has the ids of the invoices whose payment the list lacks', async () => {
    let id = '';
    listSays((rows) => {
      id = String(defined(rows[0])['id']);
      return rows.slice(1);
    });
    const { differences } = await world.report();
    expect(differences.find(({ name }) => name === IDS)).toMatchObject({ ids: [id] });
  });

  it('is balanced where the registry leaves the comparisons out', async () => {
    const ignore = [IDS, COUNT, AMOUNT, METHODS];
    await world.putRegistry({ [CODE]: { followFor: '1d', balance: { ignore } } }, SERVICE);
    listSays(() => []);
    const { balanced, notCompared } = await world.report();
    expect(balanced).toBe(true);
    expect(notCompared.length).toBeGreaterThan(1);
  });

  it.each([
    ['is new', '90d'],
    ['follows no invoices', '0d'],
    ['lacks one day that is followed', '2d'],
  ])('is compared by ids alone where the merchant %s', async (_, followFor) => {
    await world.putRegistry({ [CODE]: { followFor } }, SERVICE);
    listSays(more({}));
    expect(await world.report()).toMatchObject({ balanced: true, notCompared: [] });
    listSays((rows) => rows.slice(1));
    const { differences } = await world.report();
    expect(differences.map(({ name }) => name)).toEqual([IDS]);
  });

  it('makes no revision when it is read again', async () => {
    listSays((rows) => rows.slice(1));
    await world.report({ send: false });
    expect(await world.report({ send: false })).toMatchObject({ revision: 1, unchanged: true });
    listSays((rows) => rows);
    expect(await world.report({ send: false })).toMatchObject({ revision: 2, balanced: true });
  });

  it.each<[string, Change]>([
    ['with what did not come in', more({ status: 0, amount: 5 }, { status: 4, amount: 7 })],
    ['without the members that have ids', each(({ payment_id: _, ...row }) => row)],
    [
      'with amounts and numbers as texts',
      each((row) => ({ ...row, amount: String(row['amount']), status: '1' })),
    ],
    ['with members of an invoice’s transaction', each(({ amount, ...row }) => ({ ...row, Amount: amount }))],
    ['with a payment that went back', first((row) => ({ ...row, status: 2 }))],
    ['that repeats itself', (rows) => [...rows, ...rows]],
  ])('is read %s', async (_, change) => {
    listSays(change);
    expect(await world.report()).toMatchObject({ balanced: true, differences: [] });
  });
});

describe('without a list that can be read', () => {
  const UNREADABLE = 'cannot be read';
  const LIST = 'transaction list';

  it.each<[string, PaymentsFaultAction | Change | undefined, string]>([
    ['has none', undefined, 'has no transaction list'],
    ['has rows without a status', (rows) => rows.map(({ status: _, ...row }) => row), UNREADABLE],
    ['has rows without an amount', (rows) => rows.map((row) => ({ ...row, amount: 'x' })), UNREADABLE],
    ['has no records', () => ['row'], UNREADABLE],
    // What a path that is none, or no list for this merchant, is answered.
    ['has a page of HTML there', { kind: 'html', status: 200 }, LIST],
    ['has a gateway that knows no such path', { kind: 'html', status: 404 }, LIST],
    ['sends elsewhere', { kind: 'redirect', location: '/login' }, LIST],
    ['refuses it with an unknown code', { kind: 'status', status: 400 }, LIST],
    ['refuses access to it', { kind: 'status', status: 403 }, LIST],
    ['has an answer that never ends', { kind: 'large', megabytes: 9 }, LIST],
    ['has an answer that nests deeply', { kind: 'deep', levels: 50_000 }, LIST],
    ['fails', { kind: 'server-error', status: 500 }, LIST],
    ['limits it', { kind: 'status', status: 429 }, LIST],
    ['breaks the connection', { kind: 'reset' }, LIST],
  ])('the day is sealed and mailed, and ops hear it once, where the service %s', async (_, does, says) => {
    if (does === undefined) world.payments.behaviour.hasTransactionList = false;
    else if (typeof does === 'function') listSays(does);
    else world.serviceDoes(does, { operation: 'transactions', times: Infinity });
    expect(await world.report()).toMatchObject({ balanced: true, mail: { status: 'sent' } });
    await world.report({ day: BEFORE, send: false });
    expect(world.mails('ops')).toHaveLength(1);
    const { subject, text } = await world.lastMail('ops');
    expect(subject).toContain(says);
    expect(text).toContain(PATH);
  });

  it('the day has the most of the time for its own rows', async () => {
    const begun = world.clock.now();
    listSays((rows) => {
      world.clock.setTo(world.clock.now() + 60_000);
      return Array.from({ length: 1_000 }, (_, id) => ({ ...defined(rows[0]), id }));
    });
    expect(await world.report()).toMatchObject({ balanced: true, mail: { status: 'sent' } });
    expect(world.clock.now() - begun).toBeLessThan(7 * 60_000);
    expect((await world.lastMail('ops')).subject).toContain('cannot be read');
  });

  it('the run fails where the login is refused, as for every other request', async () => {
    world.serviceDoes({ kind: 'status', status: 401 }, { operation: 'login', times: Infinity });
    expect((await failureOf(world.report())).name).toBe('LoginRefusedError');
    expect(world.mails('ops')).toEqual([]);
  });
});

it('nothing is asked without the setting', async () => {
  await world.putRegistry();
  await world.report();
  expect(requestsOf(world, 'transactions')).toBe(0);
});

it('keeps no text of the rows, however long and however many pages', async () => {
  setFlagsFromString('--expose-gc');
  const heap = () => {
    runInNewContext('gc()');
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let page = 0;
  let most = 0;
  const transactions = await readTransactions(
    {
      read: ({ schema }) => {
        page += 1;
        if (page === 100) most = heap() - before;
        const row = { status: 1, amount: '0.001', remarks: `${page}`.padEnd(1_000_000, 'x') };
        return Promise.resolve(schema.parse({ list: page > 100 ? [] : [row] }));
      },
    },
    '/transactions',
    DAY,
  );
  expect(transactions.all.value()).toEqual({ count: 100, amount: '0.100' });
  expect(most).toBeLessThan(20_000_000);
});

const ROW = { id: 1, status: 1, amount: '1.500' };

it.each<[string, unknown[], number]>([
  ['an empty one before it', [{ stats: [], data: [ROW] }], 1],
  ['names before it', [{ columns: ['id', 'status'], list: { data: [ROW] } }], 1],
  [
    'another one behind it, also when it ends',
    [
      { data: [ROW], types: [{}] },
      { data: [], types: [{}] },
    ],
    1,
  ],
  ['no row', [{ total: 0, data: [] }], 0],
])('finds the list with %s', async (_, pages, count) => {
  let page = 0;
  const { all } = await readTransactions(
    { read: ({ schema }) => Promise.resolve(schema.parse(pages[page++] ?? pages.at(-1))) },
    '/transactions',
    DAY,
  );
  expect(all.value().count).toBe(count);
});

it('has no list where there are only names', async () => {
  const client: Parameters<typeof readTransactions>[0] = {
    read: ({ schema }) => Promise.resolve(schema.parse({ data: [], columns: ['id'] })),
  };
  await expect(readTransactions(client, '/transactions', DAY)).rejects.toThrow('must be object');
});
