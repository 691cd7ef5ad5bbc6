import type { Figures } from '#records/figures/figure-schemas.ts';
import { dataFile, figuresOf } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';

export type MailDecision =
  | { kind: 'report'; before: null }
  | { kind: 'correction'; before: Figures }
  | { kind: 'skipped'; reason: string };

export interface MailWish {
  send: boolean;
  skipEmpty: boolean;
  recipients: number;
  isSoFar?: boolean;
  wasSoFar?: boolean;
}

/** Whether two mails look the same: none shows the refunds by the day of the sale. */
export function sameFigures(a: Figures, b: Figures): boolean {
  return canonical(shown(a)) === canonical(shown(b));
}

function shown({ refunds: { saleBasis: _, ...refunds }, ...figures }: Figures) {
  return { ...figures, refunds };
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
function isEmpty(manifest: Manifest): boolean {
  const { counts, refunds, balanced, drift } = manifest;
  const hasRefunds = refunds.count > 0 || drift.refundsWithoutDay.count > 0;
  const hasRows = dataFile(manifest, 'invoices', 'json').rows > 0;
  return balanced && !hasRows && counts.total === 0 && !hasRefunds;
}

/** @param mailed figures of the newest earlier revision that a recipient has or may have, or `null` */
export function decideMail(manifest: Manifest, mailed: Figures | null, wish: MailWish): MailDecision {
  if (!wish.send) return { kind: 'skipped', reason: 'not asked for' };
  if (wish.recipients === 0) return { kind: 'skipped', reason: 'the merchant has no recipients' };
  const isSame = mailed !== null && sameFigures(mailed, figuresOf(manifest));
  // A mail about an unfinished day needs no correction: the next mail is a report again.
  const corrects = mailed !== null && wish.wasSoFar !== true;
  if (mailed !== null && (corrects || (isSame && wish.isSoFar === true))) {
    return isSame
      ? { kind: 'skipped', reason: 'no figure has changed since the last mail' }
      : { kind: 'correction', before: mailed };
  }
  // Recipients who got a mail about records that are gone also get the mail about the empty day.
  if (wish.skipEmpty && isEmpty(manifest) && (mailed === null || isSame))
    return { kind: 'skipped', reason: 'the day is empty' };
  return { kind: 'report', before: null };
}
