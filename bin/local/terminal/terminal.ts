import { styleText } from 'node:util';
import { UsageError } from '../../daybook/terminal/command-errors.ts';
import type { Style } from '../../daybook/terminal/table.ts';

/** The output of the run: lines that stay, and on a terminal one changing line below them. */
export type Terminal = ReturnType<typeof terminalOn>;

const CLEAR_LINE = '\r\u001B[K';
const LABEL_WIDTH = 10;
/** The shortest time between two updates of the changing line. Milliseconds. */
const REWRITE_EVERY = 80;
/** The longest time between two lines in a pipe while there is progress. Milliseconds. */
const SILENT_FOR = 5_000;
/** The width when it is not known, columns. */
const USUAL_WIDTH = 80;

type Output = NodeJS.WritableStream & Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** @param out usually process.stdout */
export function terminalOn(out: Output, complaints: NodeJS.WritableStream) {
  const rewrites = out.isTTY && process.env['TERM'] !== 'dumb';
  const width = () => (rewrites && out.columns > 0 ? out.columns : USUAL_WIDTH);
  let pending = false;
  let rewritten = 0;
  let written = performance.now();
  const clear = () => {
    if (pending) out.write(CLEAR_LINE);
    pending = false;
  };
  /** Styles the text, unless there is no terminal or NO_COLOR is set. */
  const style = (chosen: Style, text: string) => styleText(chosen, text, { stream: out });
  const line = (text = '') => {
    clear();
    out.write(`${text}\n`);
    written = performance.now();
  };
  const labelled = (label: string, text: string) => `${style('dim', label.padEnd(LABEL_WIDTH))}${text}`;
  const rewrite = (text: string) => {
    // One column less than the width: a full line would wrap, and only its end could be rewritten.
    out.write(`${CLEAR_LINE}${style('dim', text.slice(0, width() - 1))}`);
    rewritten = performance.now();
    pending = true;
  };
  return {
    line,
    step: (label: string, text: string) => line(labelled(label, text)),
    /** Prints the start of a step that may take a while: on the changing line, or as a line where there is no terminal. */
    begin: (label: string, text: string) => {
      if (rewrites) rewrite(`${label.padEnd(LABEL_WIDTH)}${text}`);
      else line(labelled(label, text));
    },
    /** Rewrites the changing line. Without a terminal, prints a line now and then to show that the run is alive. */
    progress: (text: string) => {
      const now = performance.now();
      if (!rewrites) {
        if (now - written >= SILENT_FOR) line(`  ${text}`);
      } else if (!pending || now - rewritten >= REWRITE_EVERY) rewrite(text);
    },
    complain: (text: string) => {
      clear();
      complaints.write(`${text}\n`);
    },
    style,
  };
}

/** A whole number of an option. @returns `undefined` when it is not given @throws {UsageError} for anything else */
export function wholeOption(
  name: string,
  given: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(given)}`,
  );
}

/** The seed of simulated data: a word. @throws {UsageError} when it is no word */
export function seedOption(given: string | undefined): string {
  const seed = given ?? 'daybook';
  if (/^[\w-]{1,40}$/.test(seed)) return seed;
  throw new UsageError('--seed must be a word of letters, digits, "_" and "-"');
}

/** Signal numbers. A shell's exit status for them is 128 plus the number. */
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Everything that runs is a thread or a socket of this process. The next run works with what is left on the disk. */
export function endAtSignals(terminal: Terminal): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      terminal.complain('stopped');
      process.exit(128 + NUMBERS[signal]);
    });
  }
}
