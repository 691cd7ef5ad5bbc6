import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { WhyFacts } from './facts.ts';
import type { Step } from './timeline.ts';
import { isTrouble, timeIn } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** The longest line that is printed. */
const LONGEST_LINE = 1_000;

/** A verdict with its commands as they are typed. */
export type ShownVerdict = Omit<Verdict, 'commands'> & {
  commands: readonly string[];
  also: readonly string[];
};

/** Prints what happened, then why there is a mail or none, then what to do. */
export function showWhy(
  output: Output,
  facts: WhyFacts,
  verdict: ShownVerdict,
  steps: readonly Step[],
): void {
  const { merchantCode, entry, day, timeZone } = facts;
  const name = entry.is === 'usable' ? ` ${shown(entry.name, 60)}` : '';
  output.line(output.style('bold', `${merchantCode}${name}, report of ${day} (times in ${timeZone})`));
  output.line();
  for (const { at, what } of steps) {
    output.line(`${output.style('dim', timeIn(facts, at))}  ${shown(what, LONGEST_LINE)}`);
  }
  output.line();
  const style = isTrouble({ ...verdict, commands: [] }) ? 'red' : 'green';
  output.line(output.style(style, shown(verdict.sentence, LONGEST_LINE)));
  for (const text of verdict.also) output.line(output.style('yellow', shown(text, LONGEST_LINE)));
  if (verdict.toDo !== null) output.line(shown(verdict.toDo, LONGEST_LINE));
  for (const command of verdict.commands) output.line(`  ${shown(command, LONGEST_LINE)}`);
  if (verdict.readOn !== null) output.line(output.style('dim', `Read on: ${verdict.readOn}`));
}
