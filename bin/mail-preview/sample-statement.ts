import type { Day } from '#records/day/business-day.ts';
import { addDays, weekdayOf } from '#records/day/business-day.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { formatAmount } from '#records/money/money.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { SEALED, merchant } from './sample-day.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import type { PageAttachment } from '#page/rendering/mail-parts.ts';
import type { Language } from '#mail/texts/texts.ts';
import { composeGroup, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';

/** Paid invoices of a day, by its weekday. Fridays are quiet. */
const PAID = [262, 284, 291, 301, 276, 188, 243];

/** Thousandths as an amount. */
function fils(amount: number): string {
  return formatAmount(BigInt(amount));
}

/** What becomes of a day's invoices: most are paid at once, some three days later, and some links end. */
function sampleOutcomes(day: Day, more = 0): Outcomes {
  const { paid, received, notPaid, unpaid, cancelled, dropped } = sampleSums(day, more);
  const late = Math.floor(paid * 0.08);
  const lateSum = Math.floor(received * 0.08);
  const parts = [
    { day, count: paid - late, sum: received - lateSum },
    { day: addDays(day, 3), count: late, sum: lateSum },
  ];
  const stale = Math.floor(notPaid * 0.4);
  const staleSum = Math.floor(unpaid * 0.4);
  return {
    paid: parts.map(({ count, sum, ...on }) => ({
      ...on,
      count,
      amount: fils(sum),
      seen: 0,
      byMethod: methodsOf(count, sum),
      charges: [
        { column: 'admin_charge', total: fils(count * 150) },
        { column: 'service_charge', total: fils(count * 85) },
      ],
    })),
    cancelled: [{ day: addDays(day, 1), count: cancelled, amount: fils(dropped) }],
    open: [
      { lastDay: addDays(day, 2), count: stale, amount: fils(staleSum) },
      { lastDay: addDays(day, 45), count: notPaid - stale, amount: fils(unpaid - staleSum) },
    ],
    other: { count: 0, amount: '0.000' },
    seen: [],
  };
}

function methodsOf(count: number, sum: number) {
  const [knet, cards] = [Math.floor(count * 0.62), Math.floor(count * 0.27)];
  const [knetSum, cardsSum] = [Math.floor(sum * 0.58), Math.floor(sum * 0.33)];
  return [
    { method: 'Credit Card', count: cards, amount: fils(cardsSum) },
    { method: 'KNET', count: knet, amount: fils(knetSum) },
    { method: null, count: count - knet - cards, amount: fils(sum - knetSum - cardsSum) },
  ];
}

/** Of an invented day, the same every time. @param more paid invoices, which were unpaid before */
function sampleSums(day: Day, more = 0) {
  const date = Number(day.slice(-2));
  const wobble = (date * 7_919 + Number(day.slice(5, 7)) * 104_729 + Number(day.slice(2, 4)) * 31) % 41;
  const paid = (PAID[weekdayOf(day)] ?? 250) + wobble - 20 + more;
  const notPaid = 60 + (wobble % 17) - more;
  const cancelled = 15 + (wobble % 9);
  return {
    wobble,
    paid,
    notPaid,
    cancelled,
    received: paid * 32_250 + wobble * 1_125,
    unpaid: notPaid * 35_500,
    dropped: cancelled * 20_250,
  };
}

/** An invented sealed day, the same every time. */
function samplePage(day: Day, more = 0): Manifest {
  const { wobble, paid, notPaid, cancelled, received, unpaid, dropped } = sampleSums(day, more);
  const total = paid + notPaid + cancelled;
  const refunds = 4 + (wobble % 6);
  const pending = wobble % 11 === 0 ? 1 : 0;
  const given = { count: refunds, total: fils(refunds * 13_250) };
  const ofSales = { count: refunds - 1, total: fils((refunds - 1) * 13_250) };
  const waiting = { count: pending, total: fils(pending * 4_500) };
  const single = Math.floor(total * 0.82);
  const state = (count: number, amount: number) => ({ count, amount: fils(amount) });
  const nothing = state(0, 0);
  const typeOf = (type: string, share: number, count: number) => ({
    type,
    all: state(count, Math.floor((received + unpaid + dropped) * share)),
    states: { paid: nothing, notPaid: nothing, cancelled: nothing, other: nothing },
  });
  return {
    ...SEALED,
    day,
    pulledAt: new Date(Date.parse(day) + 27 * 3_600_000).toISOString(),
    counts: { total, paid, notPaid, cancelled, other: 0 },
    amounts: { paid: fils(received), notPaid: fils(unpaid), cancelled: fils(dropped), other: '0.000' },
    refunds: {
      count: given.count + waiting.count,
      total: fils(refunds * 13_250 + pending * 4_500),
      byStatus: { approved: given, ...(pending > 0 && { pending: waiting }) },
      saleBasis: { ...ofSales, byStatus: { approved: ofSales } },
    },
    breakdown: {
      byType: [typeOf('1', 0.8, single), typeOf('0', 0.2, total - single)],
      byMethod: methodsOf(paid, received),
      charges: [
        { column: 'admin_charge', total: fils(paid * 150) },
        { column: 'service_charge', total: fils(paid * 85) },
      ],
    },
    ...pagePayments({
      day,
      currency: 'KWD',
      outcomes: sampleOutcomes(day, more),
      others: [{ day: addDays(day, -3), outcomes: sampleOutcomes(addDays(day, -3)) }],
    }),
  };
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

function pagesOf(
  days: readonly Day[],
  { missing = [], unbalanced = [], again = [] }: SampleGaps,
): Manifest[] {
  return days
    .filter((day) => !missing.includes(day))
    .map((day) => {
      const page = again.includes(day) ? { ...samplePage(day, 10), revision: 2 } : samplePage(day);
      return { ...page, balanced: !unbalanced.includes(day) };
    });
}

function contentOf(period: Period, gaps: SampleGaps) {
  const days = periodDays(period, 'sunday');
  const { merchantCode } = SEALED;
  const followed = Array.from({ length: 90 }, (_, back) => {
    const day = addDays(days.from, -1 - back);
    return { day, outcomes: sampleOutcomes(day) };
  });
  const subject = { merchantCode, period, ...days, currency: 'KWD', charges: gaps.charges ?? [], followed };
  return composeStatement(subject, pagesOf(daysOf(days), gaps));
}

function sealed(period: Period, gaps: SampleGaps): Statement {
  const content = contentOf(period, gaps);
  const sealedAt = new Date(Date.parse(content.to) + 30 * 3_600_000).toISOString();
  const alone = { before: null, lastYear: null, previous: null };
  return { ...content, revision: gaps.revision ?? 1, sealedAt, scheduledTime: sealedAt, ...alone };
}

/** An invented statement of a week or a month, with those that it is compared with. */
function sampleStatement(period: Period, gaps: SampleGaps = {}): Statement {
  const { charges = [] } = gaps;
  const lastYear = samePeriodOfLastYear(period);
  return {
    ...sealed(period, gaps),
    before: comparedPeriod(sealed(periodBefore(period), { charges })),
    lastYear: lastYear === undefined ? null : comparedPeriod(sealed(lastYear, { charges })),
  };
}

const CHARGES = ['admin_charge', 'service_charge'] as const;

const ATTACHED: readonly PageAttachment[] = [
  { kind: 'attached', format: 'pdf', rows: 7 },
  { kind: 'attached', format: 'xlsx', rows: 7 },
];

/** A statement of a month. */
export function statementOfMonth(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: sampleStatement('2026-11', { charges: CHARGES }),
    preview: false,
    attachments: ATTACHED,
  });
}

/** A statement of a week, of a merchant that bears no charges. */
export function statementOfWeek(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: { ...sampleStatement('2026-W49'), lastYear: null },
    preview: false,
    attachments: ATTACHED,
  });
}

/** A statement of a month of which some days are missing or not confirmed. */
export function provisionalStatement(language: Language): RenderedMail {
  return renderStatement({
    merchant: merchant(language),
    statement: sampleStatement('2026-11', {
      missing: ['2026-11-14', '2026-11-22', '2026-11-23'],
      unbalanced: ['2026-11-20'],
    }),
    preview: false,
    attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }],
  });
}

/** The mail that follows a provisional statement when its days have arrived. */
export function correctedStatement(language: Language): RenderedMail {
  return renderStatementCorrection({
    merchant: merchant(language),
    before: sampleStatement('2026-11', { missing: ['2026-11-23'], unbalanced: ['2026-11-20'] }),
    statement: sampleStatement('2026-11', { again: ['2026-11-18', '2026-11-20'], revision: 2 }),
    preview: false,
    attachments: ATTACHED,
  });
}

const NAMES = [
  'Al Noor Trading',
  'Harbour Coffee Roasters',
  'شركة الأفق للتجارة',
  'Palm Court Clinic',
  'Dana Events & Catering Co.',
  'مطعم البحر',
  'Gulf Trading & Contracting Company for General Merchandise',
  'Yousef K.',
];
const MONTH = '2026-11';

/** Each merchant has other gaps than the one before, so that its figures differ. */
const GAPS: SampleGaps[] = [
  {},
  { again: ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-17'] },
  { missing: ['2026-11-30'] },
  { again: ['2026-11-04'] },
  { unbalanced: ['2026-11-20'] },
  { again: ['2026-11-01', '2026-11-02'] },
  { missing: ['2026-11-29', '2026-11-30'] },
  {},
];

function members(currencies: readonly string[]): AddedMember[] {
  return NAMES.map((name, index) => {
    const statement = sampleStatement(MONTH, GAPS[index]);
    const merchantCode = String(700_001 + index);
    const currency = currencies[index % currencies.length] ?? 'KWD';
    const before = index === 7 ? null : statement.before;
    return memberOfStatement({ ...statement, merchantCode, currency, before }, { name });
  });
}

function samplePageOfGroup(currencies: readonly string[]): GroupPage {
  const content = composeGroup(
    { group: 'north-stores', period: MONTH, from: '2026-11-01', to: '2026-11-30' },
    members(currencies),
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
  return {
    ...content,
    revision: 1,
    sealedAt: '2026-12-01T06:00:04.000Z',
    scheduledTime: '2026-12-01T06:00:00.000Z',
    previous: null,
  };
}

/** The page of a group whose merchants have one currency. */
export function groupPage(
  language: Language,
  page = samplePageOfGroup(['KWD']),
  attachments: readonly PageAttachment[] = ATTACHED.slice(1),
): RenderedMail {
  const group = { name: 'north-stores', language, timeZone: 'Asia/Kuwait' };
  return renderGroup({ group, page, before: null, preview: false, attachments });
}

/** The page of a group of two currencies, final. */
export function groupOfCurrencies(language: Language): RenderedMail {
  const page = samplePageOfGroup(['KWD', 'SAR']);
  return groupPage(language, { ...page, missing: [], corrections: [] }, []);
}
