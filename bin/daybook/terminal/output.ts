import { styleText } from 'node:util';
import type { Stream, Surroundings } from '../perform.ts';
import { beginWork } from './progress.ts';
import type { Work } from './progress.ts';
import { harmlessJson, oneLine } from './shown-text.ts';
import type { Style } from './style.ts';
import { printTable } from './table.ts';
import type { Cell } from './table.ts';

/**
 * Where a command writes. Results go to stdout, notes and progress to stderr. So stdout can go into a file or another
 * program.
 */
export interface Output {
  /** Whether the result is one JSON document, and nobody can be asked anything. */
  readonly isJson: boolean;
  /** Whether the result is for a person at a terminal, who may see addresses. */
  readonly isForPerson: boolean;
  /** The result of the command: as JSON with `--json`, otherwise as `show` prints it. */
  result: <Result>(value: Result, show: (value: Result) => void) => void;
  /** Prints one line of the result, whatever the text has. `shown` makes texts from outside shorter, and takes styles out. */
  line: (text?: string) => void;
  /** Prints rows below a heading. Cells are made safe for a terminal. `[]` prints nothing. */
  table: (heading: readonly string[], rows: readonly (readonly Cell[])[]) => void;
  /** Prints one line that is not the result: a warning, what is being done, what to do next. */
  note: (text?: string) => void;
  /**
   * Begins to show progress: a bar when the total is known, else a spinner. If stderr is not a terminal, it prints a line
   * now and then.
   */
  begin: (text: string, total?: number) => Work;
  /** Styles a text for stdout, if that is a terminal and NO_COLOR is not set. */
  style: (style: Style, text: string) => string;
  /** The same for stderr. */
  noteStyle: (style: Style, text: string) => string;
}

export function createOutput(
  { stdout, stderr }: Pick<Surroundings, 'stderr' | 'stdout'>,
  isJson: boolean,
): Output {
  const styled = (stream: Stream) => (style: Style, text: string) => styleText(style, text, { stream });
  const style = styled(stdout);
  const line = (text = '') => {
    stdout.write(`${oneLine(text)}\n`);
  };
  return {
    isJson,
    isForPerson: stdout.isTTY === true && !isJson,
    result: (value, show) => {
      if (isJson) stdout.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
      else show(value);
    },
    line,
    table: (heading, rows) => {
      for (const text of printTable(heading, rows, style)) line(text);
    },
    note: (text = '') => {
      stderr.write(`${oneLine(text)}\n`);
    },
    begin: (text, total) => beginWork(stderr, text, total),
    style,
    noteStyle: styled(stderr),
  };
}
