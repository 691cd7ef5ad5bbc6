import { localTime } from '#domain/day/business-day.ts';
import type { Output } from '../../terminal/output.ts';
import { shown } from '../../terminal/shown-text.ts';
import type { Step } from '../timeline.ts';
import type { StatementFacts } from './facts.ts';
import { isStatementTrouble } from './statement-ending.ts';
import type { StatementVerdict } from './statement-ending.ts';

/** The longest line that is printed. */
const LONGEST_LINE = 1_000;

/** A verdict with its commands as they are typed. */
type ShownVerdict = Omit<StatementVerdict, 'commands'> & {
  commands: readonly string[];
  also: readonly string[];
};

/** Prints what happened, then why there is a statement or none, then what to do. */
export function showStatementWhy(
  output: Output,
  { owner, name, period, from, to, timeZone }: StatementFacts,
  { ending, sentence, also, toDo, commands, readOn }: ShownVerdict,
  steps: readonly Step[],
): void {
  const who =
    owner.group === undefined
      ? `${owner.merchantCode} ${shown(name, 60)}, statement`
      : `Group ${owner.group}, page`;
  const days = from === to ? period : `${period}, ${from} to ${to}`;
  output.line(output.style('bold', `${who} of ${days} (times in ${timeZone})`));
  output.line();
  for (const { at, what } of steps) {
    output.line(
      `${output.style('dim', localTime(new Date(at).toISOString(), timeZone))}  ${shown(what, LONGEST_LINE)}`,
    );
  }
  if (steps.length > 0) output.line();
  const line = shown(sentence, LONGEST_LINE);
  output.line(output.style(isStatementTrouble({ ending }) ? 'red' : 'green', line));
  for (const text of also) output.line(output.style('yellow', shown(text, LONGEST_LINE)));
  if (toDo !== null) output.line(shown(toDo, LONGEST_LINE));
  for (const command of commands) output.line(`  ${shown(command, LONGEST_LINE)}`);
  if (readOn !== null) output.line(output.style('dim', `Read on: ${readOn}`));
}
