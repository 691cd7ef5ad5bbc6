import type { Figures } from '#domain/figures/figures.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { PageId } from '#domain/storage/keys.ts';
import type { ComposedMail } from '#mailing/once/mail-round.ts';

/** An earlier revision of a page that a recipient has or may have. */
export interface LastMailed {
  revision: number;
  figures: Figures | null;
  /** Whether its mail was about an unfinished day. */
  soFar: boolean;
  ledger: Ledger;
}

/** What a later mail corrects: a revision, and the figures in its mail. */
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

/**
 * A numbered page, and how its mail is made: a merchant's day, a statement, or the page of a group. The mailing knows no
 * more of it.
 */
export interface MailedPage {
  id: PageId;
  revision: number;
  /** The figures in the mail, `null` when they are not compared. */
  figures: Figures | null;
  /** Whether it is of an unfinished day. */
  soFar: boolean;
  /** When its content was read (ISO 8601, UTC), and the run that read it. A ledger that nobody wrote gets them. */
  readAt: string;
  readBy: string;
  /** The kind of its first mail. */
  firstKind: 'report' | 'statement' | 'group';
  /** Addresses. */
  recipients: readonly string[];
  /** An earlier sealed revision, `undefined` when it is gone or spoilt. */
  sealed(revision: number): Promise<{ figures: Figures | null; soFar: boolean } | undefined>;
  /** @param before the earlier mail that still counts, `null` when there is none */
  decide(before: LastMailed | null): PageDecision | Promise<PageDecision>;
  /** @param corrects the mail that it corrects, `null` for the first one */
  compose(corrects: CorrectedMail | null): Promise<ComposedMail>;
  /** The same page at an earlier revision, `undefined` when it is gone. */
  earlier(revision: number): Promise<MailedPage | undefined>;
}
