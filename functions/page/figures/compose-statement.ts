import { createHash } from 'node:crypto';
import type { Day } from '#records/day/business-day.ts';
import { addBreakdowns } from '#records/figures/breakdown.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import { daysOf } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { allKnown } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { addReceived } from '#records/figures/outcome-tally.ts';
import type { FollowedDay } from '#records/figures/history.ts';
import type { Adjustment } from './adjustments.ts';
import { addByCurrency, addSums, statementDay } from './add-figures.ts';
import { issuedInPeriod, openInvoices } from './open-invoices.ts';
import type { FollowedPage } from './open-invoices.ts';
import { paymentsSchema } from './statement.ts';
import type { PaymentsOfPeriod, PeriodFigures, Statement, StatementDay } from './statement.ts';

export type StatementContent = Omit<
  Statement,
  'revision' | 'sealedAt' | 'scheduledTime' | 'previous' | 'before' | 'lastYear' | 'timeZone' | 'closedAt'
>;

export interface StatementSubject extends PeriodDays {
  merchantCode: string;
  period: Period;
  /** The registry's, for pages of an earlier version. */
  currency: string;
  /** An earlier revision's, for such pages: they keep them. */
  knownCurrencies?: ReadonlyMap<Day, string> | undefined;
  reportFrom?: Day | undefined;
  /** The registry's, for pages that do not say theirs. */
  charges: readonly ChargeColumn[];
  /**
   * The days before the period whose invoices may still have been open, as they are known now; `null` when one is
   * not known.
   */
  followed: readonly (FollowedPage & Pick<FollowedDay, 'currency'>)[] | null;
  /** Of closed statements before it. */
  adjustments?: readonly Adjustment[] | undefined;
  /** ISO 8601, UTC. */
  reopenedAt?: string | undefined;
}

/** They must not be added to those of another currency. */
function withoutAmounts(day: StatementDay): StatementDay {
  const counted = <Total extends { count: number }>(total: Total) => ({ ...total, total: null });
  const onBasis = ({ count, byStatus }: RefundTotals): RefundTotals => ({
    count,
    total: null,
    byStatus: Object.fromEntries(Object.entries(byStatus).map(([status, of]) => [status, counted(of)])),
  });
  const { refunds, net } = day;
  return {
    ...day,
    amounts: null,
    refunds: { ...onBasis(refunds), saleBasis: onBasis(refunds.saleBasis) },
    net: {
      ...net,
      received: null,
      refunded: null,
      pending: counted(net.pending),
      charges: null,
      net: null,
      unknown: [...net.unknown, 'currencies'],
    },
  };
}

function sumsOfCurrencies(
  subject: StatementSubject,
  [days, pages]: readonly [readonly StatementDay[], readonly Manifest[]],
  currencyOf: ReadonlyMap<Day, string>,
): PeriodFigures & Pick<Statement, 'byCurrency'> {
  const sums = addByCurrency(days, ({ day }) => currencyOf.get(day) ?? '');
  return {
    ...addSums(days.map(withoutAmounts)),
    breakdown: null,
    byCurrency: Object.fromEntries(
      sums.map(({ currency, parts, ...sum }) => {
        const own = pages.filter(({ day }) => currencyOf.get(day) === currency);
        const payments = paymentsOf(subject, own, [currency, subject.currency]);
        return [currency, { ...sum, days: parts, ...payments }];
      }),
    ),
  };
}

/**
 * What came in, and what became of the invoices.
 * @param pages of one currency
 * @param unnamed the currency of a day before that does not say its own
 */
function paymentsOf(
  { followed, from, to }: StatementSubject,
  pages: readonly Manifest[],
  [only, unnamed]: readonly [currency: string, unnamed: string],
): PaymentsOfPeriod {
  const received = allKnown(pages.map((page) => page.received));
  const outcomes = allKnown(pages.map((page) => page.outcomes && { day: page.day, outcomes: page.outcomes }));
  const before = followed?.filter(({ currency = unnamed }) => currency === only) ?? null;
  return {
    ...paymentsSchema.parse({}),
    received: received && addReceived(received),
    issued: outcomes && issuedInPeriod(outcomes, { to }),
    ...(outcomes !== null && before !== null && openInvoices([...before, ...outcomes], { from, to })),
  };
}

function oldestAndNewest(times: readonly string[]): Statement['asOf'] {
  const [oldest, ...others] = [...times].sort();
  return oldest === undefined ? null : { oldest, newest: others.at(-1) ?? oldest };
}

/**
 * The sum of the given pages, and what is missing; the same pages and days before them give the same digest. Amounts of different
 * currencies are never added.
 * @param pages the newest whole page of each day, in any order
 */
export function composeStatement(subject: StatementSubject, pages: readonly Manifest[]): StatementContent {
  const { merchantCode, period, from, to, currency, reportFrom = '', charges, knownCurrencies } = subject;
  const { adjustments = [], reopenedAt } = subject;
  const inOrder = [...pages].sort((one, other) => (one.day < other.day ? -1 : 1));
  const currencyOf = new Map(
    inOrder.map((page) => [page.day, page.currency ?? knownCurrencies?.get(page.day) ?? currency]),
  );
  const [only = currency, ...others] = new Set(currencyOf.values());
  const isMixed = others.length > 0;
  const days = inOrder.map((page) => {
    const day = statementDay(page, page.charges ?? charges);
    if (!isMixed) return day;
    const assumed = page.currency === undefined ? { isAssumed: true } : {};
    return { ...day, currency: currencyOf.get(page.day), ...assumed };
  });
  const sealed = new Set(days.map(({ day }) => day));
  const missing = daysOf({ from, to }).filter((day) => day >= reportFrom && !sealed.has(day));
  const unbalanced = days.filter(({ balanced }) => !balanced).map(({ day }) => day);
  const breakdowns = allKnown(inOrder.map(({ breakdown }) => breakdown));
  const content = {
    merchantCode,
    period,
    from,
    to,
    currency: isMixed ? null : only,
    final: missing.length === 0 && unbalanced.length === 0,
    days,
    missing,
    unbalanced,
    ...(isMixed
      ? { ...sumsOfCurrencies(subject, [days, inOrder], currencyOf), ...paymentsSchema.parse({}) }
      : {
          ...addSums(days),
          breakdown: breakdowns && addBreakdowns(breakdowns),
          ...paymentsOf(subject, inOrder, [only, only]),
        }),
    ...(reopenedAt !== undefined && { reopenedAt }),
    ...(adjustments.length > 0 && { adjustments: [...adjustments] }),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { ...content, asOf: oldestAndNewest(inOrder.map(({ pulledAt }) => pulledAt)), digest };
}
