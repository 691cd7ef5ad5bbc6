import { progress, spinner } from '@clack/prompts';
import type { Stream } from '../perform.ts';
import { shown } from './shown-text.ts';

/** The longest time without a line in a pipe. Milliseconds. */
const SILENT_FOR = 10_000;

/** The last line of work that Ctrl-C ended. */
const INTERRUPTED = { cancelMessage: 'interrupted', errorMessage: 'interrupted' };

/** Something that takes a while, and is shown. */
export interface Work {
  /** Says what is being done now. */
  message: (text: string) => void;
  /** Sets how much of the total is done. Does nothing when there is no total. */
  done: (count: number) => void;
  /** Ends it. With a text, a line stays. */
  stop: (text?: string) => void;
}

/** Begins to show progress. @param total how many there are */
export function beginWork(output: Stream, text: string, total?: number): Work {
  if (output.isTTY !== true || process.env['TERM'] === 'dumb') return linesOfWork(output, text, total);
  if (total === undefined) {
    const shownWork = spinner({ output, ...INTERRUPTED });
    shownWork.start(shown(text));
    leaveCtrlC();
    return {
      message: (said) => shownWork.message(shown(said)),
      done: () => undefined,
      stop: ending(shownWork),
    };
  }
  const bar = progress({ max: Math.max(total, 1), output, ...INTERRUPTED });
  bar.start(shown(text));
  leaveCtrlC();
  let before = 0;
  return {
    message: (said) => bar.message(shown(said)),
    done: (count) => {
      if (count > before) bar.advance(count - before);
      before = Math.max(before, count);
    },
    stop: ending(bar),
  };
}

/**
 * clack reads the keys while it shows progress, and ends the process with status 0 at Ctrl-C. After this call, Ctrl-C is a
 * signal again, and the command decides what it does.
 */
function leaveCtrlC(): void {
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
}

function ending(shownWork: { stop: (text?: string) => void; clear: () => void }) {
  return (text?: string) => {
    if (text === undefined) shownWork.clear();
    else shownWork.stop(shown(text));
  };
}

function linesOfWork(output: Stream, text: string, total?: number): Work {
  let written = performance.now();
  let count = 0;
  const write = (said: string) => {
    output.write(`${shown(said)}${total === undefined ? '' : ` (${count} of ${total})`}\n`);
    written = performance.now();
  };
  const writeSometimes = (said: string) => {
    if (performance.now() - written >= SILENT_FOR) write(said);
  };
  return {
    message: (said) => {
      text = said;
      writeSometimes(said);
    },
    done: (now) => {
      count = now;
      writeSometimes(text);
    },
    stop: (said) => {
      if (said !== undefined) output.write(`${shown(said)}\n`);
    },
  };
}
