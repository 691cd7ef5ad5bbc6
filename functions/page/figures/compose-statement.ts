import { createHash } from 'node:crypto';
import type { Day } from '#records/day/business-day.ts';
import { addBreakdowns, redactedBreakdown } from '#records/figures/breakdown.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { dayNet, NET_UNKNOWN } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import type { Amounts, Counts, RefundFigures, RefundTotals } from '#records/figures/figure-schemas.ts';
import type { FollowedDay } from '#records/figures/history.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { addReceived, redactedReceived } from '#records/figures/outcome-tally.ts';
import { addAmounts, allKnown } from '#records/money/money.ts';
import { daysOf } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { issuedInPeriod, openInvoices } from './open-invoices.ts';
import type { FollowedPage } from './open-invoices.ts';
import { netThatCameIn, paymentsSchema } from './statement.ts';
import type { Adjustment, PaymentsOfPeriod, PeriodFigures, Statement, StatementDay } from './statement.ts';

/* Exact sums. What is unknown of one part is unknown of the sum: a null never counts as zero. */

function addKnownAmounts(amounts: readonly (string | null)[]): string | null {
  const known = allKnown(amounts);
  return known && addAmounts(known);
}

function addCounts(parts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) =>
    allKnown(parts.map((counts) => counts[name]))?.reduce((all, count) => all + count, 0) ?? null;
  return { total: sum('total'), ...ofEachState(sum) };
}

/** The sum by state; `null` when a part has none, because the registry named no states. */
function addStateAmounts(parts: readonly (Amounts | null)[]): Amounts | null {
  const known = allKnown(parts);
  return known && ofEachState((state) => addAmounts(known.map((amounts) => amounts[state])));
}

function addTotals(parts: readonly { count: number; total: string | null }[]) {
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    total: addKnownAmounts(parts.map(({ total }) => total)),
  };
}

function addRefundTotals(parts: readonly RefundTotals[]): RefundTotals {
  const byStatus = Map.groupBy(
    parts.flatMap((part) => Object.entries(part.byStatus)),
    ([status]) => status,
  );
  const inOrder = [...byStatus].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...addTotals(parts),
    byStatus: Object.fromEntries(
      inOrder.map(([status, of]) => [status, addTotals(of.map(([, total]) => total))]),
    ),
  };
}

/** The sum of nets that came in. The merchant may bear other charges on one day than on another: each has its own. */
function addNets(parts: readonly Net[]): Net {
  const unknown = new Set(parts.flatMap((part) => part.unknown));
  const sum = (name: 'received' | 'refunded' | 'charges' | 'net') =>
    addKnownAmounts(parts.map((part) => part[name]));
  return {
    basis: 'cameIn',
    received: sum('received'),
    refunded: sum('refunded'),
    pending: addTotals(parts.map(({ pending }) => pending)),
    chargeColumns: [...new Set(parts.flatMap(({ chargeColumns }) => chargeColumns))],
    charges: sum('charges'),
    net: sum('net'),
    unknown: NET_UNKNOWN.filter((why) => unknown.has(why)),
  };
}

/** @param columns the registry's `charges` */
export function netOfPage(manifest: Manifest, columns: readonly ChargeColumn[]): Net {
  return netThatCameIn(dayNet(manifest, columns));
}

export function statementDay(manifest: Manifest, columns: readonly ChargeColumn[]): StatementDay {
  const { day, revision, balanced, counts, amounts, refunds } = manifest;
  return {
    day,
    revision,
    balanced,
    counts,
    amounts,
    refunds,
    net: netOfPage(manifest, columns),
    received: manifest.received && withoutParts(manifest.received),
  };
}

/** The methods and charges of a whole period are enough. */
function withoutParts({ byMethod: _methods, charges: _charges, ...received }: Received) {
  return received;
}

/** Without what the registry redacts now. @param redact names of columns */
export function redactedPage(page: Manifest, redact: readonly string[]): Manifest {
  const columns = redactedColumns(redact);
  if (columns.size === 0) return page;
  const { breakdown, received } = page;
  return {
    ...page,
    breakdown: breakdown && redactedBreakdown(breakdown, columns),
    received: received && redactedReceived(received, columns),
  };
}

export interface Sums {
  counts: Counts;
  amounts: Amounts | null;
  refunds: RefundFigures;
  net: Net;
}

export function addSums(parts: readonly Sums[]): Sums {
  return {
    counts: addCounts(parts.map(({ counts }) => counts)),
    amounts: addStateAmounts(parts.map(({ amounts }) => amounts)),
    refunds: {
      ...addRefundTotals(parts.map(({ refunds }) => refunds)),
      saleBasis: addRefundTotals(parts.map(({ refunds }) => refunds.saleBasis)),
    },
    net: addNets(parts.map(({ net }) => net)),
  };
}

/** The sums of each currency, in the order of their codes. Amounts of different currencies are never added. */
export function addByCurrency<Part extends Sums>(
  parts: readonly Part[],
  currencyOf: (part: Part) => string,
): (Sums & { currency: string; parts: number })[] {
  return [...Map.groupBy(parts, currencyOf)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, of]) => ({ currency, parts: of.length, ...addSums(of) }));
}

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
  /** Days before the period whose invoices may still have been open, as known now; `null` when one is not known. */
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

/** @param pages of one currency @param unnamed the currency of a day before that does not say its own */
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
