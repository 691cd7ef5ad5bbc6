import type { Figures } from './figures.ts';
import { figuresOf } from './manifest.ts';
import type { Manifest } from './manifest.ts';

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

function isEmpty({ counts, refunds, balanced }: Manifest): boolean {
  return balanced && counts.total === 0 && refunds.count === 0 && refunds.saleBasis.count === 0;
}

/**
 * Decides what becomes of a revision's mail.
 *
 * @param mailed the figures of the newest earlier revision that a recipient has or may have, `null` where none has
 */
export function decideMail(manifest: Manifest, mailed: Figures | null, wish: MailWish): MailDecision {
  if (!wish.send) return { kind: 'skipped', reason: 'not asked for' };
  if (wish.recipients === 0) return { kind: 'skipped', reason: 'the merchant has no recipients' };
  if (mailed !== null) {
    return sameFigures(mailed, figuresOf(manifest))
      ? { kind: 'skipped', reason: 'no figure has changed since the last mail' }
      : { kind: 'correction', before: mailed };
  }
  if (wish.skipEmpty && isEmpty(manifest)) return { kind: 'skipped', reason: 'the day is empty' };
  return { kind: 'report', before: null };
}
