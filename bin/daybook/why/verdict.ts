import { adviceFor } from '#functions/delivery-watch/advice.ts';
import { localTime } from '#domain/day/business-day.ts';
import { HEADINGS } from '#domain/notices/runbook.ts';
import type { WhyFacts } from './facts.ts';
import { counted } from '../terminal/counted.ts';

/** Why there is a mail or none, and what to do. */
export interface Verdict {
  /** One of a few words, for programs. */
  ending: Ending;
  /** One sentence. */
  sentence: string;
  /** What to do, `null` when nothing is to be done. */
  toDo: string | null;
  /** Where to read on, such as `docs/runbook.md, "A mail is held"`. */
  readOn: string | null;
  /** The words after `daybook` of each command that helps. */
  commands: readonly (readonly string[])[];
}

/** How it ended. */
export type Ending =
  | 'delivered'
  | 'mailed'
  | 'nothing to send'
  | 'not due yet'
  | 'before reportFrom'
  | 'under way'
  | 'round open'
  | 'plan did not run'
  | 'never planned'
  | 'no pull'
  | 'pull failed'
  | 'no mail begun'
  | 'mail refused'
  | 'mail not finished'
  | 'held'
  | 'bounced'
  | 'complained'
  | 'stopped'
  | 'unbalanced'
  | 'entry rejected'
  | 'not in the registry'
  | 'not readable'
  | 'not a recipient'
  | 'not written to';

const FINE: ReadonlySet<Ending> = new Set([
  'delivered',
  'mailed',
  'nothing to send',
  'not due yet',
  'before reportFrom',
  'under way',
]);

/** Whether somebody has to do something. */
export function isTrouble({ ending }: Verdict): boolean {
  return !FINE.has(ending);
}

type Said = Pick<Verdict, 'ending' | 'sentence'> & Partial<Verdict>;

/** A verdict without the members that say nothing. */
export function verdictOf(said: Said): Verdict {
  return { toDo: null, readOn: null, commands: [], ...said };
}

/** The local time of a moment, such as `2026-11-21 06:00`. @param at milliseconds UTC, or ISO 8601 */
export function timeIn({ timeZone }: Pick<WhyFacts, 'timeZone'>, at: number | string): string {
  return localTime(new Date(at).toISOString(), timeZone);
}

/** The command that runs the report. */
export function runAgain({ merchantCode, day }: WhyFacts): string[] {
  return ['report', merchantCode, '--day', day];
}

/** The command that sends it to those who do not have it. */
export function sendToFailed(facts: WhyFacts): string[] {
  return [...runAgain(facts), '--resend', '--failed'];
}

/** What to do, and where to read on. */
export type Advice = Pick<Verdict, 'toDo' | 'readOn'>;

/** What the watch advises for its reason: what to do, and where to read on. */
export function adviceOf(reason: string): Advice {
  const { toDo, heading } = adviceFor(reason);
  const { document, heading: title } = HEADINGS[heading];
  return { toDo, readOn: `docs/${document}.md, "${title.replaceAll('`', '')}"` };
}

/** Such as `2 recipients`. */
export function recipients(count: number): string {
  return counted(count, 'recipient');
}
