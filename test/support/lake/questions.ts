import { addDays, type Day } from '#records/day/business-day.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/index.ts';
import { decimal } from '#sandbox/payments/day/amounts.ts';
import {
  DAYS,
  SEED,
  TODAY,
  thousandths,
  type RandomMonths,
  type TrueInvoice,
  type TrueRefund,
} from '#support/lake/random-months.ts';

type Rows = readonly Record<string, unknown>[];

/** What is asked: some rows of an engine, and the random months that they are of. */
interface Asked {
  query: (sql: string) => Promise<Rows>;
  truth: RandomMonths;
}

/** In any order: what is expected has none. */
function expectRows(found: Rows, expected: Rows): void {
  const texts = (rows: Rows) =>
    rows
      .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .toSorted();
  expect(texts(found)).toEqual(texts(expected));
  expect(expected.length).toBeGreaterThan(0);
}

type Key = Record<string, string | null>;

/** One row for each key, with the figures of its records. */
function grouped<One>(
  all: readonly One[],
  keyOf: (one: One) => Key,
  figures: (own: One[]) => TrinoRow,
): TrinoRow[] {
  const groups = Map.groupBy(all, (one) => JSON.stringify(keyOf(one)));
  return [...groups.values()].map((own) => ({ ...keyOf(defined(own[0])), ...figures(own) }));
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const amountOf = (list: readonly { amount: bigint }[]) => sum(list.map(({ amount }) => amount));
const count = (list: readonly unknown[]) => String(list.length);
const daysAgo = (days: number): Day => addDays(TODAY, -days);
const monthOf = (day: Day) => day.slice(0, 7);
const isPaid = (invoice: TrueInvoice): invoice is TrueInvoice & { received: Day } =>
  invoice.received !== null;
const ofMerchant = ({ merchant, currency }: TrueInvoice) => ({ merchant_code: merchant, currency });
const percent = (part: bigint, whole: bigint) =>
  whole === 0n ? null : Math.round((10_000 * Number(part)) / Number(whole)) / 100;

function cameIn(list: readonly (TrueInvoice & { received: Day })[]) {
  return {
    payments: count(list),
    came_in: decimal(amountOf(list)),
    charges: decimal(sum(list.map(({ charge }) => charge))),
  };
}

/** The most days of each age. */
const AGES = [
  [1, '0 to 1 days'],
  [7, '2 to 7 days'],
  [30, '8 to 30 days'],
  [Infinity, 'over 30 days'],
] as const;

const days = (invoice: TrueInvoice) =>
  invoice.received === null ? null : (Date.parse(invoice.received) - Date.parse(invoice.day)) / 86_400_000;

/** What is expected is added up here from the records of three random months, apart from the lake's SQL. */
export function describeQuestions({ query, truth }: Asked): void {
  const { invoices, refunds, changes, silent, unbalanced } = truth;
  const random = seededRandom(`questions ${SEED}`);
  const paid = invoices.filter(isPaid);
  const approved = refunds.filter(({ state }) => state === 'approved');
  const ask = (name: string) => query(defined(NAMED_QUERIES.find((one) => one.name === name)).sql);

  describe('a named query', () => {
    it('came-in', async () => {
      const late = paid.filter(({ received }) => received >= daysAgo(35));
      const expected = grouped(
        late,
        (one) => ({ day: one.received, method: one.method, ...ofMerchant(one) }),
        (own) => ({
          ...cameIn(own),
          came_in_of_earlier: decimal(amountOf(own.filter(({ day, received }) => day < received))),
        }),
      );
      expectRows(await ask('came-in'), expected);
      expect(late.some(({ method }) => method === null)).toBe(true);
    });

    it('charges-by-method', async () => {
      const expected = grouped(
        paid,
        (one) => ({ month: monthOf(one.received), method: one.method, ...ofMerchant(one) }),
        (own) => ({
          ...cameIn(own),
          charge_percent: percent(sum(own.map(({ charge }) => charge)), amountOf(own)),
        }),
      );
      expectRows(await ask('charges-by-method'), expected);
    });

    it('net-by-month', async () => {
      const pages = DAYS.flatMap((day) =>
        [...new Set(invoices.map(({ merchant }) => merchant))].map((merchant) => ({ day, merchant })),
      );
      const expected = grouped(
        pages,
        ({ day, merchant }) => ({ month: monthOf(day), merchant_code: merchant }),
        (own) => {
          const { day, merchant } = defined(own[0]);
          const isOwn = (one: { merchant: string }, of: Day) =>
            one.merchant === merchant && monthOf(of) === monthOf(day);
          const came = cameIn(paid.filter((one) => isOwn(one, one.received)));
          const refunded = amountOf(approved.filter((one) => isOwn(one, one.day)));
          const isWhole = unbalanced.merchant !== merchant || monthOf(unbalanced.day) !== monthOf(day);
          const net = thousandths(came.came_in) - thousandths(came.charges) - refunded;
          return {
            currency: defined(invoices.find((one) => one.merchant === merchant)).currency,
            days: count(own),
            days_without_net: isWhole ? '0' : '1',
            came_in: came.came_in,
            approved_refunds: decimal(refunded),
            charges: came.charges,
            net: isWhole ? decimal(net) : null,
          };
        },
      );
      expectRows(await ask('net-by-month'), expected);
    });

    it('refund-rate', async () => {
      const newest = [...Map.groupBy(refunds, ({ merchant, id }) => `${merchant} ${id}`).values()].map(
        (own) => defined(own.toSorted((a, b) => (a.updated < b.updated ? 1 : -1))[0]),
      );
      const ofSales = newest.filter(({ state }) => state === 'approved');
      const expected = grouped(
        paid,
        (one) => ({ month: monthOf(one.received), ...ofMerchant(one) }),
        (own) => {
          const { received, merchant } = defined(own[0]);
          const came = amountOf(own);
          const isOwn = (one: TrueRefund, day: Day) =>
            one.merchant === merchant && monthOf(day) === monthOf(received);
          const given = amountOf(approved.filter((one) => isOwn(one, one.day)));
          const sold = amountOf(ofSales.filter((one) => isOwn(one, one.sold)));
          return {
            came_in: decimal(came),
            refunded: decimal(given),
            refund_percent: percent(given, came),
            refunded_of_sales: decimal(sold),
            refund_percent_of_sales: percent(sold, came),
          };
        },
      );
      expectRows(await ask('refund-rate'), expected);
      expect(newest.length).toBeLessThan(refunds.length);
    });

    it('unpaid-by-age, as of yesterday and as of another day', async () => {
      const { sql } = defined(NAMED_QUERIES.find(({ name }) => name === 'unpaid-by-age'));
      for (const ago of [1, 20]) {
        const asked = daysAgo(ago);
        const open = invoices.filter(
          ({ day, state, received }) =>
            day >= daysAgo(90) && day <= asked && (state === 'not_paid' || (received ?? '') > asked),
        );
        const age = ({ day }: TrueInvoice) => (Date.parse(asked) - Date.parse(day)) / 86_400_000;
        const expected = grouped(
          open,
          (one) => ({
            ...ofMerchant(one),
            age: defined(AGES.find(([most]) => age(one) <= most))[1],
          }),
          (own) => {
            const ended = own.filter(({ lastDay }) => lastDay <= asked);
            return {
              invoices: count(own),
              amount: decimal(amountOf(own)),
              expired: count(ended),
              expired_amount: decimal(amountOf(ended)),
            };
          },
        );
        const of = sql.replace("current_date - INTERVAL '1' DAY", `current_date - INTERVAL '${ago}' DAY`);
        expectRows(await query(of), expected);
      }
    });

    it('time-to-payment', async () => {
      const expected = grouped(
        invoices,
        (one) => ({ day: one.day, ...ofMerchant(one) }),
        (own) => {
          const taken = own.flatMap((one) => days(one) ?? []).toSorted((a, b) => a - b);
          const within = (most: number) =>
            addDays(defined(own[0]).day, most) < TODAY
              ? Math.round((10_000 * taken.filter((one) => one <= most).length) / own.length) / 10_000
              : null;
          const median = taken[Math.floor((taken.length + 1) / 2) - 1];
          return {
            invoices: count(own),
            paid: count(taken),
            median_days: median === undefined ? null : String(median),
            paid_within_1: within(1),
            paid_within_3: within(3),
            paid_within_7: within(7),
            paid_within_30: within(30),
          };
        },
      );
      expectRows(await ask('time-to-payment'), expected);
    });

    it('expired-unpaid', async () => {
      const expired = invoices.filter(
        ({ state, lastDay }) => state === 'not_paid' && lastDay >= daysAgo(35) && lastDay < TODAY,
      );
      const expected = grouped(
        expired,
        (one) => ({ last_day: one.lastDay, ...ofMerchant(one) }),
        (own) => ({ invoices: count(own), amount: decimal(amountOf(own)) }),
      );
      expectRows(await ask('expired-unpaid'), expected);
    });

    it('counts-per-day', async () => {
      const expected = grouped(
        invoices.filter(({ day }) => day >= daysAgo(35)),
        ({ day, currency }) => ({ day, currency }),
        (own) => {
          const { day, currency } = defined(own[0]);
          const of = (state: string) => own.filter((one) => one.state === state);
          const given = approved.filter((one) => one.day === day && one.currency === currency);
          const came = paid.filter((one) => one.received === day && one.currency === currency);
          return {
            merchants: count([...new Set(own.map(({ merchant }) => merchant))]),
            unbalanced: day === unbalanced.day && currency === 'KWD' ? '1' : '0',
            without_counts: '0',
            invoices: count(own),
            paid: count(of('paid')),
            not_paid: count(of('not_paid')),
            cancelled: count(of('cancelled')),
            other: count(of('other')),
            paid_amount: decimal(amountOf(of('paid'))),
            came_in: decimal(amountOf(came)),
            approved_refund_count: count(given),
            approved_refunds: decimal(amountOf(given)),
          };
        },
      );
      expectRows(await ask('counts-per-day'), expected);
    });

    it('history-of-a-merchant', async () => {
      const expected = grouped(
        invoices.filter(({ merchant }) => merchant === '700001'),
        ({ day, currency, state }) => ({ month: monthOf(day), currency, state }),
        (own) => ({ invoices: count(own), amount: decimal(amountOf(own)) }),
      );
      expectRows(await ask('history-of-a-merchant'), expected);
    });

    it('late-changes-by-record', async () => {
      const expected = changes.map(({ merchant, day, kind, id, change, before, after }) => ({
        day,
        merchant_code: merchant,
        revision: '2',
        kind,
        id,
        change,
        status_before: before?.status ?? null,
        status_after: after?.status ?? null,
        amount_before: before === null ? null : decimal(before.amount),
        amount_after: after === null ? null : decimal(after.amount),
      }));
      expectRows(await ask('late-changes-by-record'), expected);
    });

    it('merchants-without-a-page', async () => {
      const row = { merchant_code: silent.merchant, name: `Shop ${silent.merchant}` };
      const expected = DAYS.filter((day) => day >= silent.since).map((day) => ({ day, ...row }));
      expectRows(await ask('merchants-without-a-page'), expected);
    });
  });

  it('every figure of a day is in one row of all_days, for 20 random days', async () => {
    const merchants = [...new Set(invoices.map(({ merchant }) => merchant))];
    const pages = Array.from({ length: 20 }, () => ({
      day: random.pick(DAYS),
      merchant: random.pick(merchants),
    }));
    const rows = await query('SELECT * FROM all_days');
    for (const { day, merchant } of pages) {
      const isOwn = (one: { merchant: string; day: Day }) => one.merchant === merchant && one.day === day;
      const made = invoices.filter(isOwn);
      const came = paid.filter((one) => one.merchant === merchant && one.received === day);
      const given = approved.filter(isOwn);
      const unpaid = made.filter(({ state }) => state === 'not_paid');
      const [expired, open] = [true, false].map((hasEnded) =>
        unpaid.filter(({ lastDay }) => lastDay < TODAY === hasEnded),
      );
      const { payments, came_in, charges } = cameIn(came);
      const isWhole = unbalanced.merchant !== merchant || unbalanced.day !== day;
      const net = amountOf(came) - amountOf(given) - sum(came.map(({ charge }) => charge));
      const row = rows.find((one) => one['day'] === day && one['merchant_code'] === merchant);
      expect(row).toMatchObject({
        currency: defined(made[0]).currency,
        words_from: 'page',
        came_in_count: payments,
        came_in,
        came_in_of_earlier: decimal(amountOf(came.filter((one) => one.day < day))),
        issued_count: count(made),
        issued: decimal(amountOf(made)),
        paid: count(made.filter(isPaid)),
        paid_amount: decimal(amountOf(made.filter(isPaid))),
        cancelled_amount: decimal(amountOf(made.filter(({ state }) => state === 'cancelled'))),
        open_count: count(defined(open)),
        open: decimal(amountOf(defined(open))),
        expired_count: count(defined(expired)),
        expired: decimal(amountOf(defined(expired))),
        approved_refund_count: count(given),
        approved_refunds: decimal(amountOf(given)),
        charges,
        net: isWhole ? decimal(net) : null,
      });
    }
  });
}
