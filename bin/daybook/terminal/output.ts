import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { isMembers } from '#records/json/exact-json.ts';
import { harmlessJson, oneLine, shown } from './shown-text.ts';
import type { Style, Cell } from './table.ts';
import { printTable } from './table.ts';
import { progress, spinner } from '@clack/prompts';

export type Stream = Writable & { isTTY?: boolean; columns?: number };

/** What a command has around it: streams, signals and its exit status. Usually `process`. */
export interface Surroundings extends NodeJS.EventEmitter {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Stream;
  stderr: Stream;
  exitCode?: number | string | null | undefined;
  exit: (code: number) => never;
}

/** Results go to stdout, notes and progress to stderr. So stdout can go into a file or another program. */
export type Output = ReturnType<typeof createOutput>;

/** @param isJson whether the result is one JSON document, and nobody can be asked anything */
export function createOutput({ stdout, stderr }: Pick<Surroundings, 'stderr' | 'stdout'>, isJson: boolean) {
  const styled = (stream: Stream) => (style: Style, text: string) => styleText(style, text, { stream });
  const style = styled(stdout);
  /** Prints one line of the result, whatever the text has. `shown` makes texts from outside shorter, and takes styles out. */
  const line = (text = '') => {
    stdout.write(`${oneLine(text)}\n`);
  };
  const warnings: string[] = [];
  /** A program that reads the document must not have to read stderr, too. */
  const document = (value: unknown) =>
    warnings.length > 0 && isMembers(value) ? { ...value, warnings } : value;
  return {
    isJson,
    /** Whether the result is for a person at a terminal, who may see addresses. */
    isForPerson: stdout.isTTY === true && !isJson,
    /** The result of the command: as JSON with `--json`, otherwise as `show` prints it. */
    result: <Result>(value: Result, show: (value: Result) => void) => {
      if (isJson) stdout.write(`${harmlessJson(JSON.stringify(document(value), null, 2))}\n`);
      else show(value);
    },
    line,
    /** Prints rows below a heading. Cells are made safe for a terminal. `[]` prints nothing. */
    table: (heading: readonly string[], rows: readonly (readonly Cell[])[]) => {
      for (const text of printTable(heading, rows, style)) line(text);
    },
    /** Prints one line that is not the result: a warning, what is being done, what to do next. */
    note: (text = '') => {
      stderr.write(`${oneLine(text)}\n`);
    },
    /** Prints a warning as a note. A JSON result has it, too, in `warnings`. */
    warn: (text: string) => {
      warnings.push(shown(text, 1_000));
      stderr.write(`${styled(stderr)('yellow', 'Warning')}: ${shown(text, 1_000)}\n`);
    },
    /**
     * Shows progress while something is done, however that ends: a bar when the total is known, else a spinner. If stderr is
     * not a terminal, it prints a line now and then.
     */
    during: async <Result>(
      text: string,
      total: number | undefined,
      work: (shown: Work) => Promise<Result>,
    ): Promise<Result> => {
      const begun = beginWork(stderr, text, total);
      return work(begun).finally(begun.stop);
    },
    /** Styles a text for stdout, if that is a terminal and NO_COLOR is not set. */
    style,
  };
}

/** The longest time without a line in a pipe. Milliseconds. */
const SILENT_FOR = 10_000;

const INTERRUPTED = { cancelMessage: 'interrupted', errorMessage: 'interrupted' };

export interface Work {
  message: (text: string) => void;
  /** Sets how much of the total is done. Does nothing when there is no total. */
  done: (count: number) => void;
  stop: () => void;
}

function beginWork(output: Stream, text: string, total?: number): Work {
  if (output.isTTY !== true || process.env['TERM'] === 'dumb') return linesOfWork(output, text, total);
  const bar = total === undefined ? undefined : progress({ max: Math.max(total, 1), output, ...INTERRUPTED });
  const shownWork = bar ?? spinner({ output, ...INTERRUPTED });
  shownWork.start(shown(text));
  // clack reads the keys, and ends the process with status 0 at Ctrl-C. Now it is a signal again, and the command's.
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
  let before = 0;
  return {
    message: (said) => shownWork.message(shown(said)),
    done: (count) => {
      if (count > before) bar?.advance(count - before);
      before = Math.max(before, count);
    },
    stop: () => shownWork.clear(),
  };
}

function linesOfWork(output: Stream, text: string, total?: number): Work {
  let written = performance.now();
  // A message says itself how far it is.
  let hasMessage = total === undefined;
  const say = (line: string) => {
    if (performance.now() - written < SILENT_FOR) return;
    output.write(`${shown(line)}\n`);
    written = performance.now();
  };
  return {
    message: (said) => {
      text = said;
      hasMessage = true;
      say(said);
    },
    done: (count) => say(hasMessage ? text : `${text} (${count} of ${total ?? count})`),
    stop: () => undefined,
  };
}
