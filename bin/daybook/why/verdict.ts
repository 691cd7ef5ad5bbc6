import { adviceFor } from '#watch/delivery-watch/watch-notice.ts';
import { localTime } from '#records/day/business-day.ts';
import { HEADINGS } from '#mail/notices/runbook.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { counted } from '../terminal/words.ts';
import type { DeadLetter } from '../stage/stage-queues.ts';
import type { WhyFacts } from './facts.ts';

/** Why there is a mail or none, and what to do. */
export interface Verdict {
  /** One of a few words, for programs. */
  ending: Ending;
  /** One sentence, or a few. */
  sentence: string;
  /** What to do, `null` when nothing is to be done. */
  toDo: string | null;
  /** Where to read on, such as `docs/runbook.md, "A mail is held"`. */
  readOn: string | null;
  /** The words after `daybook` of each command that helps. */
  commands: readonly (readonly string[])[];
}

/** The endings after which nobody has to do something. */
const FINE = [
  'delivered',
  'mailed',
  'corrected',
  'nothing to send',
  'not due yet',
  'before reportFrom',
  'waiting',
  'next tick',
  'not asked for',
  'under way',
] as const;

/** How it ended. */
export type Ending =
  | (typeof FINE)[number]
  // A merchant's day that is not there.
  | 'plan did not run'
  | 'in the queue'
  | 'put aside'
  | 'never planned'
  | 'pull failed'
  | 'entry rejected'
  | 'not in the registry'
  // Any other page that is not there.
  | 'nothing sealed'
  | 'not sealed'
  | 'not issued any more'
  // A page that is there.
  | 'no mail begun'
  | 'mail refused'
  | 'mail not finished'
  | 'held'
  | 'bounced'
  | 'complained'
  | 'stopped'
  | 'unbalanced'
  | 'provisional'
  | 'not readable'
  // The mail to one address.
  | 'not a recipient'
  | 'not written to';

const IS_FINE: ReadonlySet<Ending> = new Set(FINE);

/** Whether somebody has to do something. */
export function isTrouble({ ending }: Pick<Verdict, 'ending'>): boolean {
  return !IS_FINE.has(ending);
}

/** A verdict without the members that say nothing. */
export function verdictOf(said: Pick<Verdict, 'ending' | 'sentence'> & Partial<Verdict>): Verdict {
  return { toDo: null, readOn: null, commands: [], ...said };
}

/** The local time of a moment, such as `2026-11-21 06:00`. @param at milliseconds UTC, or ISO 8601 */
export function timeIn({ page: { timeZone } }: Pick<WhyFacts, 'page'>, at: number | string): string {
  return localTime(new Date(at).toISOString(), timeZone);
}

/** The command that makes the page. */
export function makeAgain({ page }: Pick<WhyFacts, 'page'>): string[] {
  const { owner, period } = page;
  if (owner.group !== undefined) return ['statement', '--group', owner.group, '--period', period];
  return isMerchantDay(page)
    ? ['report', owner.merchantCode, '--day', period]
    : ['statement', owner.merchantCode, '--period', period];
}

/** That its message was put aside, and why. */
export function putAsideSentence(facts: Pick<WhyFacts, 'page'>, { since, reason }: DeadLetter): string {
  const why = reason ?? 'every run died, and the log of daily-report says more';
  return `Its message lies among the dead letters since ${timeIn(facts, since)}: ${why}.`;
}

/** The command that sends it to those who do not have it. */
export function sendToFailed(facts: Pick<WhyFacts, 'page'>): string[] {
  return [...makeAgain(facts), '--resend', '--failed'];
}

/** What the watch advises for its reason: what to do, and where to read on. */
export function adviceOf(reason: string): Pick<Verdict, 'toDo' | 'readOn'> {
  const { toDo, heading } = adviceFor(reason);
  const { document, heading: title } = HEADINGS[heading];
  return { toDo, readOn: `docs/${document}.md, "${title.replaceAll('`', '')}"` };
}

/** The most days or merchants that get a command each. */
export const MOST_COMMANDS = 3;

/** Such as `2 recipients`. */
export function recipients(count: number): string {
  return counted(count, 'recipient');
}
