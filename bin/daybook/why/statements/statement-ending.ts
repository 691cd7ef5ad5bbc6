import { localTime } from '#domain/day/business-day.ts';
import { HEADINGS } from '#domain/notices/runbook.ts';
import { adviceFor } from '#functions/delivery-watch/advice.ts';
import type { Advice, Verdict } from '../verdict.ts';
import type { StatementFacts } from './facts.ts';

/** How it ended, for programs. The last ones are reasons of `delivery-watch`. */
export type StatementEnding =
  | 'delivered'
  | 'mailed'
  | 'corrected'
  | 'nothing to send'
  | 'not due yet'
  | 'waiting'
  | 'next tick'
  | 'not asked for'
  | 'under way'
  | 'not issued any more'
  | 'provisional'
  | 'nothing sealed'
  | 'not sealed'
  | 'mail not sent'
  | 'mail held'
  | 'bounced'
  | 'complained'
  | 'mail stopped';

/** Why there is a statement or none, and what to do. */
export type StatementVerdict = Omit<Verdict, 'ending'> & { ending: StatementEnding };

const TROUBLE: ReadonlySet<StatementEnding> = new Set([
  'not issued any more',
  'provisional',
  'nothing sealed',
  'not sealed',
  'mail not sent',
  'mail held',
  'bounced',
  'complained',
  'mail stopped',
]);
/** Whether somebody has to do something. */
export function isStatementTrouble({ ending }: Pick<StatementVerdict, 'ending'>): boolean {
  return TROUBLE.has(ending);
}

/** A verdict without the members that say nothing. */
export function statementVerdictOf(
  said: Pick<StatementVerdict, 'ending' | 'sentence'> & Partial<StatementVerdict>,
): StatementVerdict {
  return { toDo: null, readOn: null, commands: [], ...said };
}

/** The local time of a moment. @param at milliseconds UTC */
export function timeOf({ timeZone }: Pick<StatementFacts, 'timeZone'>, at: number): string {
  return localTime(new Date(at).toISOString(), timeZone);
}

/** The command that makes it. */
export function makeAgain({ owner, period }: StatementFacts): string[] {
  const whose = owner.group === undefined ? [owner.merchantCode] : ['--group', owner.group];
  return ['statement', ...whose, '--period', period];
}

/** What the watch advises for its reason: what to do, and where to read on. */
export function statementAdvice(reason: string): Advice {
  const { toDo, heading } = adviceFor(reason);
  const { document, heading: title } = HEADINGS[heading];
  return { toDo, readOn: `docs/${document}.md, "${title.replaceAll('`', '')}"` };
}
