import { createHash } from 'node:crypto';
import type { Day } from '../day/business-day.ts';
import { addBreakdowns } from '../figures/add-breakdowns.ts';
import type { Breakdown } from '../figures/breakdown.ts';
import type { ChargeColumn } from '../figures/charges.ts';
import { daysOf } from '../period/period.ts';
import type { Period, PeriodDays } from '../period/period.ts';
import type { Manifest } from '../revision/manifest.ts';
import { addCounts, addNets, addRefunds, addStateAmounts } from './add-figures.ts';
import { statementDay } from './page-figures.ts';
import type { PeriodFigures } from './period-figures.ts';
import type { Statement, StatementDay } from './statement.ts';

/** The parts of a statement that its sealed days decide. */
export type StatementContent = Omit<
  Statement,
  'revision' | 'sealedAt' | 'scheduledTime' | 'previous' | 'before' | 'lastYear'
>;

/** The merchant and the period of a statement. */
export interface StatementSubject extends PeriodDays {
  merchantCode: string;
  period: Period;
  currency: string;
  /** Days before it are not expected. */
  reportFrom?: Day | undefined;
  /** The registry's `charges`. */
  charges: readonly ChargeColumn[];
}

/** `null` when a page has none: then its types and methods are not known. */
function knownBreakdown(manifests: readonly Manifest[]): Breakdown | null {
  const known = manifests.flatMap(({ breakdown }) => breakdown ?? []);
  return known.length === manifests.length ? addBreakdowns(known) : null;
}

/** The exact sum of sealed days. */
export function sumOfDays(days: readonly StatementDay[], manifests: readonly Manifest[]): PeriodFigures {
  return {
    counts: addCounts(days.map(({ counts }) => counts)),
    amounts: addStateAmounts(days.map(({ amounts }) => amounts)),
    refunds: addRefunds(days.map(({ refunds }) => refunds)),
    net: addNets(days.map(({ net }) => net)),
    breakdown: knownBreakdown(manifests),
  };
}

function oldestAndNewest(times: readonly string[]): Statement['asOf'] {
  const [oldest, ...others] = [...times].sort();
  return oldest === undefined ? null : { oldest, newest: others.at(-1) ?? oldest };
}

/**
 * A statement's content: the sum of the given pages, and what is missing. The same pages always give the same content and
 * the same digest.
 *
 * @param pages the newest whole page of each sealed day of the period, in any order, each day once
 */
export function composeStatement(subject: StatementSubject, pages: readonly Manifest[]): StatementContent {
  const { merchantCode, period, from, to, currency, reportFrom = '', charges } = subject;
  const inOrder = [...pages].sort((one, other) => (one.day < other.day ? -1 : 1));
  const days = inOrder.map((page) => statementDay(page, charges));
  const sealed = new Set(days.map(({ day }) => day));
  const missing = daysOf({ from, to }).filter((day) => day >= reportFrom && !sealed.has(day));
  const unbalanced = days.filter(({ balanced }) => !balanced).map(({ day }) => day);
  const content = {
    merchantCode,
    period,
    from,
    to,
    currency,
    final: missing.length === 0 && unbalanced.length === 0,
    days,
    missing,
    unbalanced,
    ...sumOfDays(days, inOrder),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { ...content, asOf: oldestAndNewest(inOrder.map(({ pulledAt }) => pulledAt)), digest };
}
