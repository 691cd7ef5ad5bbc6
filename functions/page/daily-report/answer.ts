import type { Amounts, Counts, Difference, RefundFigures } from '#records/figures/figure-schemas.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import { manifestKey } from '#records/storage/keys.ts';
import type { SealedDay } from './seal/seal-day.ts';

/**
 * An answer stays below 256 KiB: lists name the first ones, and say where to find the rest.
 */

const MOST_DIFFERENCES = 100;

export function listedDifferences(differences: readonly Difference[]): Difference[] {
  const listed = differences.slice(0, MOST_DIFFERENCES);
  const more = differences.length - listed.length;
  if (more > 0) listed.push({ what: `${more} more, see the manifest`, service: null, rows: null });
  return listed;
}

/** docs/interfaces.md, 4.2 daily-report. */
export interface DailyReportAnswer {
  merchantCode: string;
  day: string;
  /** `null` for a dry run. */
  revision: number | null;
  unchanged: boolean;
  balanced: boolean;
  /** The first hundred. The manifest has all of them. */
  differences: Difference[];
  /** Left out by `balance.ignore`. The first hundred. */
  notCompared: Difference[];
  /** Of all amounts, as the day was sealed. */
  currency: string;
  counts: Counts;
  /** `null` when the registry names no states. */
  amounts: Amounts | null;
  refunds: RefundFigures;
  manifestKey: string | null;
  mail: MailAnswer;
}

/**
 * @param currency of the page's amounts
 * @param isSealed `false` for a dry run
 */
export function answerOf(
  { manifest, unchanged }: Pick<SealedDay, 'manifest' | 'unchanged'>,
  currency: string,
  mail: MailAnswer,
  isSealed = true,
): DailyReportAnswer {
  const { merchantCode, day, revision, balanced, differences, notCompared, counts, amounts, refunds } =
    manifest;
  return {
    merchantCode,
    day,
    revision: isSealed ? revision : null,
    unchanged,
    balanced,
    differences: listedDifferences(differences),
    notCompared: listedDifferences(notCompared),
    currency,
    counts,
    amounts,
    refunds,
    manifestKey: isSealed ? manifestKey(day, merchantCode, revision) : null,
    mail,
  };
}
