import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import { counted } from '../terminal/counted.ts';
import type { CheckProblem } from './problem.ts';
import { didYouMean } from './problem-words.ts';

/** UTF-16 units of a line. A message may list the values that are allowed. */
const LONGEST = 1_000;

/** The beginning of a path inside a merchant: by place in a registry, by code in a secret. */
const MERCHANT = /^merchants(?:\[\d+\]|\.[\w-]+)/;

/** What a problem is about: a merchant, a group, the defaults, or the file. */
function subjectOf({ merchantCode, group, path }: CheckProblem): string {
  if (merchantCode !== null) return `merchant ${merchantCode}`;
  if (group !== undefined) return `group ${group}`;
  return /^(?:(?:merchants|groups)\[\d+\]|\w+)/.exec(path)?.[0] ?? 'the file';
}

/**
 * Prints the problems of a file, those of one merchant together. Terminals open `file:line:column` at a click.
 *
 * @param entries the number of merchants in the file
 */
export function showProblems(
  output: Output,
  file: string,
  problems: readonly CheckProblem[],
  entries: number,
): void {
  const bySubject = Map.groupBy(problems, subjectOf);
  for (const [subject, found] of bySubject) {
    output.line(output.style('bold', subject));
    for (const { line, column, path, message, suggestion } of found) {
      const place = output.style('cyan', `${shown(file)}:${line}:${column}`);
      output.line(`  ${place}  ${shown(`${path}: ${message}${didYouMean(suggestion)}`, LONGEST)}`);
    }
    output.line();
  }
  const merchants = counted(entries, 'merchant');
  if (problems.length === 0) {
    output.line(`${output.style('green', 'No problems')} in ${shown(file)} (${merchants}).`);
    return;
  }
  const wrong = new Set(problems.flatMap(({ path }) => MERCHANT.exec(path)?.[0] ?? [])).size;
  const count = output.style('red', counted(problems.length, 'problem'));
  output.line(`${count} in ${shown(file)} (${merchants}, ${wrong.toLocaleString('en')} with problems).`);
}
