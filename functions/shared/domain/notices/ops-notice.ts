import type { HeadingName } from './runbook.ts';

/** A command that an operator can paste into a shell. `shows` says what it shows or does. */
export type NoticeCommand = { shows: string } &
  /** The operator's command, such as `why 700001 2026-11-20`: a word each, without the stage. */
  (
    | { does: 'daybook'; words: readonly string[] }
    | { does: 'show object'; key: string }
    | { does: 'list objects'; prefix: string }
    /** Lines of the function's log of the last day that contain `find`. */
    | { does: 'show log'; functionName: string; find: string }
    | { does: 'invoke'; functionName: string; event: Readonly<Record<string, unknown>> }
  );

/** Lines about several things, such as merchants. The notice shows as many as fit and counts the others. */
export interface NoticeList {
  heading: string;
  /** The first ones, one line for each thing. */
  lines: readonly string[];
  /** How many things there are, with those that `lines` leaves out. */
  total: number;
  /** Where all of them are, such as "in the answer of delivery-watch". */
  others?: string;
}

/**
 * A notice to the operators, in English. Its strings may contain any text from outside. The renderer makes them
 * safe. All notices have this shape, so that an operator finds the same things in the same places.
 */
export interface OpsNotice {
  /** Identifies the thing, so that ops are notified of it once. Not shown. */
  about: string;
  /** Codes. Empty for a notice that is not about merchants. */
  merchants: readonly string[];
  /** Names of groups of merchants. Left out for a notice that is not about groups. */
  groups?: readonly string[];
  /** Business days. Empty when the thing has no day. */
  days: readonly string[];
  /** Periods of statements and of groups' pages. Left out when the thing has none. */
  periods?: readonly string[];
  /** For the subject, after merchants, groups, days and periods: such as `mail of a report is held`. */
  happened: string;
  /** What it means, one line for each thought. */
  meaning: readonly string[];
  /** What Daybook did or will still do by itself. */
  tried: readonly string[];
  /** What the operator should do, step by step. */
  toDo: readonly string[];
  /** The sections that say more. The first is the most important. */
  headings: readonly HeadingName[];
  /** Names of errors. The notice links the section that explains each. */
  errors?: readonly string[];
  commands: readonly NoticeCommand[];
  list?: NoticeList;
}

/** A notice without its name, for code that gets the name from elsewhere. */
export type UnnamedNotice = Omit<OpsNotice, 'about'>;
