import type { HeadingName } from './runbook.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';

/** A command that an operator can paste into a shell. `shows` says what it shows or does. */
export type NoticeCommand = { shows: string } &
  /** A word each, without the stage. */
  (
    | { does: 'daybook'; words: readonly string[] }
    | { does: 'show object'; key: string }
    /** Of the function's log of the last day. */
    | { does: 'show log'; functionName: string; find: string }
    | { does: 'invoke'; functionName: string; event: Readonly<Record<string, unknown>> }
  );

export interface NoticeList {
  heading: string;
  /** The first ones, one line for each thing. */
  lines: readonly string[];
  /** With those that `lines` leaves out. */
  total: number;
  /** Such as "in the answer of delivery-watch". */
  others?: string;
}

/** In English. Its strings may contain any text from outside: the renderer makes them safe. */
export interface OpsNotice {
  /** Ops are notified of it once. Not shown. */
  about: string;
  merchants: readonly string[];
  groups?: readonly string[];
  /** Business days. Empty when the thing has no day. */
  days: readonly string[];
  periods?: readonly string[];
  happened: string;
  meaning: readonly string[];
  tried: readonly string[];
  toDo: readonly string[];
  headings: readonly HeadingName[];
  errors?: readonly string[];
  commands: readonly NoticeCommand[];
  list?: NoticeList;
}

export type UnnamedNotice = Omit<OpsNotice, 'about'>;

function ownerWords({ merchantCode, group }: PageOwner): string[] {
  return merchantCode === undefined ? ['--group', group] : [merchantCode];
}

/** Makes a page, and mails it if it was not mailed. @param shows what the notice says of it */
export function makeAgain(page: PageId, shows: string): NoticeCommand {
  const { owner, period } = page;
  const whose = ownerWords(owner);
  return isMerchantDay(page)
    ? { shows, does: 'daybook', words: ['report', ...whose, '--day', period] }
    : { shows, does: 'daybook', words: ['statement', ...whose, '--period', period] };
}

/** Sends the newest revision to the recipients who do not have it. */
export function sendAgain(
  page: PageId,
  shows = 'Sends the newest revision again, to the recipients who do not have it',
): NoticeCommand {
  const { owner, period } = page;
  const whose = ownerWords(owner);
  return isMerchantDay(page)
    ? { shows, does: 'daybook', words: ['report', ...whose, '--day', period, '--resend', '--failed'] }
    : { shows, does: 'daybook', words: ['statement', ...whose, '--period', period, '--resend', '--failed'] };
}

/** Explains what became of a page. @param shows what the notice says of it */
export function explain({ owner, period }: PageId, shows: string): NoticeCommand {
  return { shows, does: 'daybook', words: ['why', ...ownerWords(owner), period] };
}
