import { INVOICE_STATES, type Amounts, type Figures } from '#records/figures/figure-schemas.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { parseSum } from '#records/money/money.ts';
import type { ChangedRows, Move } from '#records/revision/changed-rows.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { dataFile, figuresOf, type Manifest } from '#records/revision/manifest.ts';

export type PageDecision =
  | { kind: 'first'; reason?: undefined }
  /** `corrects`: a revision later than the last mailed one, which another page's mail told. */
  | { kind: 'correction'; reason?: undefined; corrects?: number }
  | { kind: 'skipped'; reason: string };

export const UNCHANGED: PageDecision = {
  kind: 'skipped',
  reason: 'no figure has changed since the last mail',
};

/** Why an older day has no mail of its own: a later report tells what changed. */
export const TOLD_NEXT = 'what changed is told in the next report';

export const NOT_CORRECTED: PageDecision = { kind: 'skipped', reason: 'the registry turns corrections off' };

/** Whether two mails look the same. None shows refunds by day of sale. What came in is compared if both know it. */
export function sameFigures(a: Figures, b: Figures): boolean {
  const bothKnow = a.received !== undefined && b.received !== undefined;
  const shown = ({ refunds: { saleBasis: _, ...refunds }, received, ...figures }: Figures) => ({
    ...figures,
    refunds,
    ...(bothKnow && { received }),
  });
  return isSameJson(shown(a), shown(b));
}

/** A total of zero is not enough: a comparison that the registry leaves out may mean something else. */
function isEmptyDay(manifest: Manifest): boolean {
  const { counts, refunds, balanced, drift, received, told } = manifest;
  const hasRefunds = refunds.count > 0 || drift.refundsWithoutDay.count > 0;
  const hasRows = dataFile(manifest, 'invoices', 'json').rows > 0;
  const hasOlder = (received?.count ?? 0) > 0 || told.length > 0;
  return balanced && !hasRows && counts.total === 0 && !hasRefunds && !hasOlder;
}

export type Corrections = MerchantSettings['corrections'];

/** A mail about an unfinished day needs no correction: the next mail is a report again. */
export function isCorrected(
  before: { figures: Figures | null; soFar: boolean } | null,
): before is { figures: Figures; soFar: boolean } {
  return before !== null && before.figures !== null && !before.soFar;
}

/**
 * Each change of a mailed day is corrected: where that is told in reports, {@link decideChangedDay} decides.
 * @param before the newest earlier revision that a recipient has or may have, with its figures
 * @param soFar whether the day is not over
 */
export function decideMail(
  manifest: Manifest,
  before: { figures: Figures | null; soFar: boolean } | null,
  { skipEmpty, soFar, corrections }: { skipEmpty: boolean; soFar: boolean; corrections: Corrections },
): PageDecision {
  const mailed = before?.figures ?? null;
  const isSame = mailed !== null && sameFigures(mailed, figuresOf(manifest));
  if (isCorrected(before)) {
    if (isSame) return UNCHANGED;
    return corrections === 'none' ? NOT_CORRECTED : { kind: 'correction' };
  }
  if (isSame && soFar) return UNCHANGED;
  // Recipients who got a mail about records that are gone also get the mail about the empty day.
  if (skipEmpty && isEmptyDay(manifest) && (mailed === null || isSame))
    return { kind: 'skipped', reason: 'the day is empty' };
  return { kind: 'first' };
}

/** How a mailed day differs from what recipients were told of it last. */
export interface DayChange {
  /** The revision that they were told. */
  told: number;
  was: ToldFigures;
  is: ToldFigures;
  /** `null` when they cannot be compared. */
  rows: { invoices: ChangedRows; refunds: ChangedRows } | null;
}

/** `received` is `null` when it is not known. */
type ToldFigures = Pick<Manifest, 'received'> & { figures: Figures };

/** What a later report tells, and what needs a mail of its own: that something was wrong which was mailed as fact. */
export function decideChangedDay(change: DayChange): PageDecision {
  const { told, was, is, rows } = change;
  const isSame = sameFigures(was.figures, is.figures) && !receivedDiffers(was, is);
  const hasRows = rows !== null && rows.invoices.count + rows.refunds.count > 0;
  if (isSame && !hasRows) return UNCHANGED;
  if (isFactWrong(change)) return { kind: 'correction', corrects: told };
  return { kind: 'skipped', reason: TOLD_NEXT };
}

function isFactWrong({ was, is, rows }: DayChange): boolean {
  if (was.figures.balanced !== is.figures.balanced || receivedDiffers(was, is)) return true;
  if (rows === null) return !isMovement(was.figures, is.figures);
  const { invoices, refunds } = rows;
  // The same rows with other figures: their meaning is another.
  if (invoices.count + refunds.count === 0) return true;
  // A new payment of the day itself changes what came in on it.
  const isReceivedKnown = was.received !== null && is.received !== null;
  return (
    invoices.moves.some((move) => isWrongInvoice(move, isReceivedKnown)) || refunds.moves.some(isWrongRefund)
  );
}

function receivedDiffers({ received: was }: ToldFigures, { received: is }: ToldFigures): boolean {
  return was !== null && is !== null && (was.count !== is.count || was.sum !== is.sum);
}

function isWrongInvoice(move: Move, isReceivedKnown: boolean): boolean {
  if (move.otherAmount > 0) return true;
  if (move.was === undefined) return move.is === 'paid' && !isReceivedKnown;
  // Of a row that is gone and whose state nobody names, nothing says that it was unpaid.
  if (move.is === undefined) return move.was === 'paid' || move.was === null;
  return move.was === 'paid' && move.is !== 'paid';
}

function isWrongRefund(move: Move): boolean {
  if (move.otherAmount > 0) return true;
  if (move.was === undefined) return move.is === 'approved';
  return move.was === 'approved' && move.is !== 'approved';
}

/** Whether figures alone show only settled invoices and decided refunds. What is unknown is no movement. */
export function isMovement(was: Figures, is: Figures): boolean {
  const settled = ['paid', 'cancelled'] as const;
  const grows = settled.every((state) => atMost(was.counts[state], is.counts[state]));
  const shrinks = atMost(is.counts.notPaid, was.counts.notPaid);
  const isSameTotal = was.counts.total === is.counts.total && was.counts.other === is.counts.other;
  const approved = ({ refunds }: Figures) => refunds.byStatus['approved']?.count ?? 0;
  return (
    grows &&
    shrinks &&
    isSameTotal &&
    sameAmounts(was, is) &&
    was.refunds.count === is.refunds.count &&
    was.refunds.total === is.refunds.total &&
    approved(was) <= approved(is)
  );
}

function atMost(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one <= other;
}

function sameAmounts({ amounts: was }: Figures, { amounts: is }: Figures): boolean {
  if (was === null || is === null) return was === is;
  return sumOf(was) === sumOf(is) && atMostSum(was.paid, is.paid);
}

function sumOf(amounts: Amounts): bigint {
  return INVOICE_STATES.reduce((sum, state) => sum + parseSum(amounts[state]), 0n);
}

function atMostSum(one: string, other: string): boolean {
  return parseSum(one) <= parseSum(other);
}
