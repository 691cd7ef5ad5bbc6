import type { Figures } from '#records/figures/figure-schemas.ts';
import { figuresOfStatement, isEmptyStatement } from './figures/statement.ts';
import type { Statement } from './figures/statement.ts';
import { periodKind } from '#records/period/period.ts';
import { dataFile, figuresOf } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';

export type PageDecision =
  | { kind: 'first'; reason?: undefined }
  | { kind: 'correction'; reason?: undefined }
  | { kind: 'skipped'; reason: string };

const UNCHANGED: PageDecision = { kind: 'skipped', reason: 'no figure has changed since the last mail' };

/**
 * Whether two mails look the same: none shows the refunds by the day of the sale. What came in is compared where
 * both know it.
 */
export function sameFigures(a: Figures, b: Figures): boolean {
  const bothKnow = a.received !== undefined && b.received !== undefined;
  const shown = ({ refunds: { saleBasis: _, ...refunds }, received, ...figures }: Figures) =>
    canonical({ ...figures, refunds, ...(bothKnow && { received }) });
  return shown(a) === shown(b);
}

/** As text, whatever the order of status names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** A total of zero is not enough: a comparison that the registry leaves out may mean something else. */
function isEmptyDay(manifest: Manifest): boolean {
  const { counts, refunds, received, balanced, drift } = manifest;
  const hasRefunds = refunds.count > 0 || drift.refundsWithoutDay.count > 0;
  const hasRows = dataFile(manifest, 'invoices', 'json').rows > 0;
  const hasPayments = (received?.count ?? 0) > 0;
  return balanced && !hasRows && counts.total === 0 && !hasPayments && !hasRefunds;
}

/**
 * @param before the newest earlier revision that a recipient has or may have, with its figures
 * @param soFar whether the day is not over
 */
export function decideMail(
  manifest: Manifest,
  before: { figures: Figures | null; soFar: boolean } | null,
  { skipEmpty, soFar }: { skipEmpty: boolean; soFar: boolean },
): PageDecision {
  const mailed = before?.figures ?? null;
  const isSame = mailed !== null && sameFigures(mailed, figuresOf(manifest));
  // A mail about an unfinished day needs no correction: the next mail is a report again.
  const corrects = mailed !== null && before?.soFar !== true;
  if (corrects || (isSame && soFar)) return isSame ? UNCHANGED : { kind: 'correction' };
  // Recipients who got a mail about records that are gone also get the mail about the empty day.
  if (skipEmpty && isEmptyDay(manifest) && (mailed === null || isSame))
    return { kind: 'skipped', reason: 'the day is empty' };
  return { kind: 'first' };
}

/**
 * A month is corrected when a figure has changed. A week's recipients get a second mail only when the first
 * was provisional and the week is final now.
 * @param mailed `differs`: in a charge, a net, a type or a payment method
 */
export function decideStatementMail(
  statement: Statement,
  mailed: { figures: Figures; differs: boolean } | null,
  { skipEmpty }: { skipEmpty: boolean },
): PageDecision {
  if (mailed === null) {
    return skipEmpty && isEmptyStatement(statement)
      ? { kind: 'skipped', reason: 'the period is empty' }
      : { kind: 'first' };
  }
  if (!mailed.differs && sameFigures(mailed.figures, figuresOfStatement(statement))) return UNCHANGED;
  const isFinalNow = statement.final && !mailed.figures.balanced;
  if (periodKind(statement.period) === 'month' || isFinalNow) return { kind: 'correction' };
  return { kind: 'skipped', reason: 'the mail of a week is not corrected' };
}
