import { addDays, weekdayOf } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { figuresOfDay } from '#records/figures/history.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import { formatAmount, sumOfParts } from '#records/money/money.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { composeGroup, memberOfStatement } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';

/** Invented pages, the same every time: days, and the statements and groups that are added up from them. */

export const DAY = '2026-11-20';
const MERCHANT_CODE = '700001';

/** Thousandths as an amount. */
export function fils(amount: number): string {
  return formatAmount(BigInt(amount));
}

function dataFile(table: 'invoices' | 'refunds', format: 'json' | 'csv') {
  return { table, format, key: 'k', rows: 428, bytes: 51_234, sha256: 'ab' };
}

function paidOn(
  day: Day,
  [count, amount]: readonly [number, string],
  [admin, service]: readonly [string, string],
  byMethod: Outcomes['paid'][number]['byMethod'] = [{ method: 'KNET', count, amount }],
): Outcomes['paid'][number] {
  const charges = [
    { column: 'admin_charge' as const, total: admin },
    { column: 'service_charge' as const, total: service },
  ];
  return { day, count, amount, seen: 0, byMethod, charges };
}

export const NO_OUTCOMES: Outcomes = {
  paid: [],
  cancelled: [],
  open: [],
  other: { count: 0, amount: '0.000' },
  seen: [],
};

const SAME = {
  merchantCode: MERCHANT_CODE,
  merchantId: '1084',
  revision: 1,
  pull: '20261121T030005Z-9f2c61aa',
  scheduledTime: '2026-11-21T03:00:00.000Z',
  balanced: true,
  differences: [],
  notCompared: [],
  told: [],
  older: null,
  missingRefundIds: [],
  digest: 'd1',
  drift: {
    unknownFields: { invoices: [], refunds: [] },
    renamedFields: { invoices: {}, refunds: {} },
    unknownInvoiceStatuses: {},
    unknownRefundStatuses: {},
    otherDays: { count: 0, ids: [] },
    refundsWithoutDay: { count: 0, total: '0.000', byStatus: {}, ids: [] },
    repeatedFields: { invoices: {}, refunds: {} },
    misfits: { invoices: [], refunds: [], invoiceList: [], refundList: [] },
    notListed: { invoices: 0, refunds: 0, invoiceStatuses: 0, refundStatuses: 0 },
  },
  history: [],
  previous: null,
  files: [
    dataFile('invoices', 'json'),
    dataFile('invoices', 'csv'),
    dataFile('refunds', 'json'),
    dataFile('refunds', 'csv'),
  ],
} satisfies Partial<Manifest>;

/** A sealed day. @param before what became of the invoices of three days before */
export function pageOf(
  day: Day,
  outcomes: Outcomes,
  before: Outcomes,
  of: Pick<Manifest, 'refunds' | 'breakdown'>,
): Manifest {
  const paid = sumOfParts(outcomes.paid);
  const notPaid = sumOfParts(outcomes.open);
  const cancelled = sumOfParts(outcomes.cancelled);
  const { count: total } = sumOfParts([paid, notPaid, cancelled]);
  const others = [{ day: addDays(day, -3), outcomes: before }];
  return {
    ...SAME,
    day,
    pulledAt: new Date(Date.parse(day) + 27 * 3_600_000 + 7_480).toISOString(),
    counts: { total, paid: paid.count, notPaid: notPaid.count, cancelled: cancelled.count, other: 0 },
    amounts: { paid: paid.amount, notPaid: notPaid.amount, cancelled: cancelled.amount, other: '0.000' },
    ...of,
    ...pagePayments({ day, currency: 'KWD', outcomes, others }),
  };
}

/** The day of the report: the example of docs/figures.md. */
export const SEALED = pageOf(
  DAY,
  {
    ...NO_OUTCOMES,
    paid: [
      paidOn(
        DAY,
        [289, '9431.250'],
        ['47.250', '11.000'],
        [
          { method: 'Apple Pay', count: 41, amount: '1180.500' },
          { method: 'Credit Card', count: 58, amount: '2604.750' },
          { method: 'KNET', count: 190, amount: '5646.000' },
        ],
      ),
      paidOn('2026-11-21', [12, '411.500'], ['1.800', '0.500']),
    ],
    cancelled: [{ day: DAY, count: 31, amount: '612.000' }],
    open: [
      { lastDay: DAY, count: 4, amount: '120.250' },
      { lastDay: '2026-11-25', count: 92, amount: '3290.000' },
    ],
  },
  { ...NO_OUTCOMES, paid: [paidOn(DAY, [21, '544.000'], ['4.200', '1.000'])] },
  {
    refunds: {
      count: 12,
      total: '143.500',
      byStatus: {
        approved: { count: 10, total: '132.500' },
        pending: { count: 1, total: '3.000' },
        rejected: { count: 1, total: '8.000' },
      },
      saleBasis: { count: 4, total: '41.250', byStatus: { approved: { count: 4, total: '41.250' } } },
    },
    breakdown: null,
  },
);

/** Paid invoices of a day, by its weekday. Fridays are quiet. */
const PAID = [262, 284, 291, 301, 276, 188, 243];

/** From 0 to 40, by the date. */
function wobbleOf(day: Day): number {
  const [year = 0, month = 0, date = 0] = day.slice(2).split('-').map(Number);
  return (date * 7_919 + month * 104_729 + year * 31) % 41;
}

/** What becomes of a day's invoices: most are paid at once, some three days later, and some links end. */
function outcomesOf(day: Day, more: number): Outcomes {
  const wobble = wobbleOf(day);
  const paid = (PAID[weekdayOf(day)] ?? 250) + wobble - 20;
  const late = Math.floor(paid * 0.08);
  const part = (on: Day, count: number) => {
    const sum = count * 32_250 + wobble * 1_125;
    const [cards, ofCards] = [Math.floor(count * 0.27), Math.floor(sum * 0.33)];
    return paidOn(
      on,
      [count, fils(sum)],
      [fils(count * 150), fils(count * 40)],
      [
        { method: 'Credit Card', count: cards, amount: fils(ofCards) },
        { method: 'KNET', count: count - cards, amount: fils(sum - ofCards) },
      ],
    );
  };
  const open = (lastDay: Day, count: number) => ({ lastDay, count, amount: fils(count * 35_500) });
  const cancelled = 15 + (wobble % 9);
  return {
    ...NO_OUTCOMES,
    paid: [part(day, paid - late + more), part(addDays(day, 3), late)],
    cancelled: [{ day: addDays(day, 1), count: cancelled, amount: fils(cancelled * 20_250) }],
    open: [open(addDays(day, 2), 24), open(addDays(day, 45), 36 + (wobble % 17) - more)],
  };
}

/** An invented sealed day. @param more invoices that are paid, which were unpaid before; there is one more refund, too */
export function samplePage(day: Day, more = 0): Manifest {
  const given = 4 + (wobbleOf(day) % 6) + (more > 0 ? 1 : 0);
  const refunds = { count: given, total: fils(given * 13_250) };
  const typeOf = (type: string, count: number) => {
    return { type, all: { count, amount: fils(count * 31_750) }, states: null };
  };
  return pageOf(day, outcomesOf(day, more), outcomesOf(addDays(day, -3), 0), {
    refunds: { ...refunds, byStatus: { approved: refunds }, saleBasis: { ...refunds, byStatus: {} } },
    breakdown: { byType: [typeOf('1', 300), typeOf('0', 62)], byMethod: null, charges: null },
  });
}

/** The figures of the four weeks before. One day was never sealed, and one is not confirmed. */
export function history(): DayFigures[] {
  return Array.from({ length: 28 }, (_, index) => samplePage(addDays(DAY, -1 - index)))
    .map((page, index) => figuresOfDay({ ...page, balanced: index !== 4 }))
    .filter((_, index) => index !== 10);
}

/** What differs from a month in which every day is sealed once. */
interface SampleGaps {
  missing?: readonly Day[];
  unbalanced?: readonly Day[];
  /** Days that were sealed again, with ten more paid invoices. */
  again?: readonly Day[];
  charges?: readonly ChargeColumn[];
  revision?: number;
}

function sealed(
  period: Period,
  { missing = [], unbalanced = [], again = [], charges = [], revision = 1 }: SampleGaps,
): Statement {
  const days = periodDays(period, 'sunday');
  const followed = Array.from({ length: 90 }, (_, back) => {
    const day = addDays(days.from, -1 - back);
    return { day, outcomes: outcomesOf(day, 0) };
  });
  const pages = daysOf(days)
    .filter((day) => !missing.includes(day))
    .map((day) => {
      const page = again.includes(day) ? { ...samplePage(day, 10), revision: 2 } : samplePage(day);
      return { ...page, balanced: !unbalanced.includes(day) };
    });
  const subject = { merchantCode: MERCHANT_CODE, period, ...days, currency: 'KWD', charges, followed };
  const sealedAt = new Date(Date.parse(days.to) + 30 * 3_600_000).toISOString();
  return {
    ...composeStatement(subject, pages),
    revision,
    sealedAt,
    scheduledTime: sealedAt,
    before: null,
    lastYear: null,
    previous: null,
  };
}

/** An invented statement of a week or a month, with those that it is compared with. */
export function sampleStatement(period: Period, gaps: SampleGaps = {}): Statement {
  const { charges = [] } = gaps;
  const lastYear = samePeriodOfLastYear(period);
  return {
    ...sealed(period, gaps),
    before: comparedPeriod(sealed(periodBefore(period), { charges })),
    lastYear: lastYear === undefined ? null : comparedPeriod(sealed(lastYear, { charges })),
  };
}

const MONTH = '2026-11';

/** Each merchant has other gaps than the one before, so that its figures differ. */
const MERCHANTS: readonly [name: string, gaps: SampleGaps][] = [
  ['Al Noor Trading', {}],
  ['Harbour Coffee Roasters', { again: ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-17'] }],
  ['شركة الأفق للتجارة', { missing: ['2026-11-30'] }],
  ['Palm Court Clinic', { again: ['2026-11-04'] }],
  ['Dana Events & Catering Co.', { unbalanced: ['2026-11-20'] }],
  ['مطعم البحر', { again: ['2026-11-01', '2026-11-02'] }],
  ['Gulf Trading & Contracting Company for General Merchandise', { missing: ['2026-11-29', '2026-11-30'] }],
  ['Yousef K.', {}],
];

/** An invented page of a group, whose merchants have these currencies in turn. */
export function sampleGroup(currencies: readonly string[]): GroupPage {
  const members = MERCHANTS.map(([name, gaps], index) => {
    const statement = sampleStatement(MONTH, gaps);
    const merchantCode = String(700_001 + index);
    const currency = currencies[index % currencies.length] ?? 'KWD';
    const before = index === 7 ? null : statement.before;
    return memberOfStatement({ ...statement, merchantCode, currency, before }, { name });
  });
  const content = composeGroup(
    { group: 'north-stores', period: MONTH, from: '2026-11-01', to: '2026-11-30' },
    members,
    [
      { merchantCode: '700009', name: 'Marina Books', reason: 'not-sealed' },
      { merchantCode: '700010', name: null, reason: 'not-in-registry' },
    ],
    [
      {
        merchantCode: '700002',
        name: 'Harbour Coffee Roasters',
        currency: currencies[1] ?? 'KWD',
        period: '2026-10',
        fromRevision: 1,
        toRevision: 2,
        before: { received: '263272.125', refunds: '2941.750' },
        after: { received: '263594.625', refunds: '2941.750' },
      },
    ],
  );
  const sealedAt = '2026-12-01T06:00:04.000Z';
  return { ...content, revision: 1, sealedAt, scheduledTime: '2026-12-01T06:00:00.000Z', previous: null };
}
