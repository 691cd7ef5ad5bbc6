import type { Amounts, Counts, Difference, RefundFigures } from '#records/figures/figure-schemas.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { SealedDay } from './seal/seal-day.ts';

/**
 * A state machine accepts 256 KiB from a function: lists name the first ones, and say where to find the rest.
 */

const MOST_DIFFERENCES = 100;
const MOST_MESSAGE_IDS = 500;

export function listedDifferences(differences: readonly Difference[]): Difference[] {
  const listed = differences.slice(0, MOST_DIFFERENCES);
  const more = differences.length - listed.length;
  if (more > 0) listed.push({ what: `${more} more, see the manifest`, service: null, rows: null });
  return listed;
}

export function listedMail(mail: MailAnswer): MailAnswer {
  return { ...mail, messageIds: mail.messageIds.slice(0, MOST_MESSAGE_IDS) };
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

export function answerOf(
  { manifest, unchanged }: Pick<SealedDay, 'manifest' | 'unchanged'>,
  rest: Pick<DailyReportAnswer, 'revision' | 'manifestKey' | 'mail' | 'currency'>,
): DailyReportAnswer {
  const { merchantCode, day, balanced, differences, notCompared, counts, amounts, refunds } = manifest;
  const { revision, manifestKey: key, mail } = rest;
  return {
    merchantCode,
    day,
    revision,
    unchanged,
    balanced,
    differences: listedDifferences(differences),
    notCompared: listedDifferences(notCompared),
    currency: rest.currency,
    counts,
    amounts,
    refunds,
    manifestKey: key,
    mail: listedMail(mail),
  };
}
