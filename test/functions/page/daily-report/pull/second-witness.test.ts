import type { PaymentsFaultAction } from '#sandbox/payments/http/faults.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { failureOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/defined.ts';

const PATH = '/api/v1/report/transactions';
const BEFORE = '2026-11-19';
const world = useWorld({ perPage: 4 });
const SERVICE = { transactionsPath: PATH };

type Row = Readonly<Record<string, unknown>>;

function listSays(change: (rows: readonly Row[]) => readonly unknown[]): void {
  world.payments.behaviour.transactions = change;
}

function listRequests(): number {
  return world.payments.requests.filter(({ operation }) => operation === 'transactions').length;
}

beforeEach(async () => {
  await world.putRegistry({}, SERVICE);
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 12, refunds: 1 });
  for (const [time, amount] of [
    ['09:30:00', '10.250'],
    ['23:59:59', '0.005'],
  ] as const) {
    const transaction = { payment_type: 'KNET', paid_on: `${DAY} ${time}`, payment_id: `90000000${amount}` };
    data.insertInvoice(CODE, DAY, { invoice_status: 1, amount, transaction });
  }
});

describe('a day whose payments are held against the transaction list', () => {
  beforeEach(async () => {
    await world.putRegistry({ [CODE]: { followFor: '1d' } }, SERVICE);
    await world.report({ day: BEFORE, send: false });
  });

  it('counts what was paid on the day of an invoice that was made before', async () => {
    const transaction = { payment_type: 'KNET', paid_on: `${DAY} 11:00:00`, payment_id: '800000001' };
    world.payments.data.insertInvoice(CODE, BEFORE, { invoice_status: 1, amount: '7.000', transaction });
    await world.report({ day: BEFORE, send: false });
    expect(await world.report()).toMatchObject({ balanced: true, differences: [] });
    expect((await world.manifest(1)).received?.ofEarlier).toEqual({ count: 1, sum: '7.000' });
  });

  it('asks nothing more of a day that goes on', async () => {
    const before = listRequests();
    world.clock.setTo(`${DAY}T12:00:00Z`);
    await world.report({ send: false });
    expect(listRequests()).toBe(before);
  });

  it.each<[string, (rows: readonly Row[]) => readonly unknown[], string[]]>([
    [
      'lacks a payment',
      (rows) => rows.slice(0, -1),
      ['transactionIds', 'transactionCount', 'transactionAmount', 'transactionMethods'],
    ],
    [
      'has a payment more, by another method',
      (rows) => [...rows, { ...defined(rows[0]), id: 7, payment_type: 'Wallet' }],
      ['transactionCount', 'transactionAmount'],
    ],
    [
      'has another amount',
      (rows) =>
        rows.map((row, index) => (index > 0 ? row : { ...row, amount: Number(row['amount']) + 0.001 })),
      ['transactionAmount', 'transactionMethods'],
    ],
    [
      'has other ids',
      (rows) => rows.map((row, index) => ({ ...row, payment_id: `other${index}`, transaction_id: null })),
      ['transactionIds'],
    ],
    [
      'has the ids in another member',
      (rows) => rows.map(({ payment_id: id, ...row }) => ({ ...row, transaction_id: null, track_id: id })),
      ['transactionIds'],
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
    expect(differences.find(({ name }) => name === 'transactionIds')).toMatchObject({ ids: [id] });
  });

  it('is balanced where the registry leaves the comparisons out', async () => {
    const ignore = ['transactionIds', 'transactionCount', 'transactionAmount', 'transactionMethods'];
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
    listSays((rows) => [...rows, { ...defined(rows[0]), id: 1 }]);
    expect(await world.report()).toMatchObject({ balanced: true, notCompared: [] });
    listSays((rows) => rows.slice(1));
    const { differences } = await world.report();
    expect(differences.map(({ name }) => name)).toEqual(['transactionIds']);
  });

  it('makes no revision when it is read again', async () => {
    listSays((rows) => rows.slice(1));
    await world.report({ send: false });
    expect(await world.report({ send: false })).toMatchObject({ revision: 1, unchanged: true });
    listSays((rows) => rows);
    expect(await world.report({ send: false })).toMatchObject({ revision: 2, balanced: true });
  });

  it.each<[string, (rows: readonly Row[]) => readonly unknown[]]>([
    [
      'with what did not come in',
      (rows) => [
        ...rows,
        { ...defined(rows[0]), id: 1, status: 0, amount: 5 },
        { ...defined(rows[0]), id: 2, status: 4, amount: 7 },
      ],
    ],
    ['without the members that have ids', (rows) => rows.map(({ payment_id: _, ...row }) => row)],
    [
      'with amounts and numbers as texts',
      (rows) => rows.map((row) => ({ ...row, amount: String(row['amount']), status: '1' })),
    ],
    [
      'with members of an invoice’s transaction',
      (rows) => rows.map(({ amount, ...row }) => ({ ...row, Amount: amount })),
    ],
    [
      'with a payment that went back',
      (rows) => rows.map((row, index) => (index > 0 ? row : { ...row, status: 2 })),
    ],
    ['that repeats itself', (rows) => [...rows, ...rows]],
  ])('is read %s', async (_, change) => {
    listSays(change);
    expect(await world.report()).toMatchObject({ balanced: true, differences: [] });
  });
});

/** What a path that is none, or no list for this merchant, is answered. */
const LISTLESS: [string, PaymentsFaultAction][] = [
  ['has a page of HTML there', { kind: 'html', status: 200 }],
  ['has a gateway that knows no such path', { kind: 'html', status: 404 }],
  ['sends elsewhere', { kind: 'redirect', location: '/login' }],
  ['refuses it with an unknown code', { kind: 'status', status: 400 }],
  ['refuses access to it', { kind: 'status', status: 403 }],
  ['has an answer that never ends', { kind: 'large', megabytes: 9 }],
  ['has an answer that nests deeply', { kind: 'deep', levels: 50_000 }],
  ['fails', { kind: 'server-error', status: 500 }],
  ['limits it', { kind: 'status', status: 429 }],
  ['breaks the connection', { kind: 'reset' }],
];

describe('without a list that can be read', () => {
  it.each<[string, () => void, string]>([
    [
      'has none',
      () => (world.payments.behaviour.hasTransactionList = false),
      'the service has no transaction list',
    ],
    [
      'has rows without a status',
      () => listSays((rows) => rows.map(({ status: _, ...row }) => row)),
      'cannot be read',
    ],
    [
      'has rows without an amount',
      () => listSays((rows) => rows.map((row) => ({ ...row, amount: 'x' }))),
      'cannot be read',
    ],
    ['has no records', () => listSays(() => ['row']), 'cannot be read'],
    ...LISTLESS.map(([name, fault]): [string, () => void, string] => [
      name,
      () => world.serviceDoes(fault, { operation: 'transactions', times: Infinity }),
      'transaction list',
    ]),
  ])('the day is sealed and mailed, and ops hear it once, where the service %s', async (_, begin, says) => {
    begin();
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
  expect(listRequests()).toBe(0);
});
