import type { Figures } from '../figures/figures.ts';
import { dataFile, figuresOf } from '../revision/manifest.ts';
import type { Manifest } from '../revision/manifest.ts';

/** Whether a revision is mailed: as what and against which figures, or why not. */
export type MailDecision =
  | { kind: 'report'; before: null }
  | { kind: 'correction'; before: Figures }
  | { kind: 'skipped'; reason: string };

/** What the decision is made of, besides the revision. */
export interface MailWish {
  send: boolean;
  skipEmpty: boolean;
  recipients: number;
  /** Whether the revision is of its day so far. */
  isSoFar?: boolean;
  /** Whether the figures last mailed were of the day so far. */
  wasSoFar?: boolean;
}

/** Whether two days show the same in a mail. */
export function sameFigures(a: Figures, b: Figures): boolean {
  return canonical(a) === canonical(b);
}

/** The figures as text, whatever the order in which status names stand. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** A total of none counts only where there are no rows: one that the registry leaves out of the check may mean something else. */
function isEmpty(manifest: Manifest): boolean {
  const { counts, refunds, balanced } = manifest;
  const hasRows = dataFile(manifest, 'invoices', 'json').rows > 0;
  return balanced && !hasRows && counts.total === 0 && refunds.count === 0 && refunds.saleBasis.count === 0;
}

/**
 * Decides what becomes of a revision's mail.
 *
 * @param mailed the figures of the newest earlier revision that a recipient has or may have, `null` where none has
 */
export function decideMail(manifest: Manifest, mailed: Figures | null, wish: MailWish): MailDecision {
  if (!wish.send) return { kind: 'skipped', reason: 'not asked for' };
  if (wish.recipients === 0) return { kind: 'skipped', reason: 'the merchant has no recipients' };
  const isSame = mailed !== null && sameFigures(mailed, figuresOf(manifest));
  // What was told of a day so far needs no correction when the day has gone on: the next mail is a report again.
  const corrects = mailed !== null && wish.wasSoFar !== true;
  if (mailed !== null && (corrects || (isSame && wish.isSoFar === true))) {
    return isSame
      ? { kind: 'skipped', reason: 'no figure has changed since the last mail' }
      : { kind: 'correction', before: mailed };
  }
  // Who was told of something that is gone is told of the empty day, too.
  if (wish.skipEmpty && isEmpty(manifest) && (mailed === null || isSame))
    return { kind: 'skipped', reason: 'the day is empty' };
  return { kind: 'report', before: null };
}
