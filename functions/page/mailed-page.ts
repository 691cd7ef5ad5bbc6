import type { Figures } from '#records/figures/figure-schemas.ts';
import type { Ledger } from '#mail/ledger/ledger.ts';
import type { PageId } from '#records/storage/keys.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';

export interface LastMailed {
  revision: number;
  figures: Figures | null;
  soFar: boolean;
  ledger: Ledger;
}

export interface CorrectedMail {
  revision: number;
  figures: Figures | null;
}

/** To whom a page is sent again: nobody, everybody, those who do not have it, or these recipients. */
export type Resend = boolean | 'failed' | readonly string[];

/** What becomes of a page's mail. */
export type PageDecision =
  | { kind: 'first'; reason?: undefined }
  | { kind: 'correction'; reason?: undefined }
  | { kind: 'skipped'; reason: string };

/** A merchant's day, a statement or a group's page: the mailing knows no more of it. */
export interface MailedPage {
  id: PageId;
  revision: number;
  /** `null` when they are not compared. */
  figures: Figures | null;
  soFar: boolean;
  /** ISO 8601, UTC. A ledger that nobody wrote gets it and the run. */
  readAt: string;
  readBy: string;
  firstKind: 'report' | 'statement' | 'group';
  recipients: readonly string[];
  /** `undefined` when it is gone or spoilt. */
  sealed(revision: number): Promise<{ figures: Figures | null; soFar: boolean } | undefined>;
  /** @param before the earlier mail that still counts */
  decide(before: LastMailed | null): PageDecision | Promise<PageDecision>;
  /** @param corrects `null` for the first mail */
  compose(corrects: CorrectedMail | null): Promise<ComposedMail>;
  /** `undefined` when it is gone. */
  earlier(revision: number): Promise<MailedPage | undefined>;
}
