import { styleText } from 'node:util';

/** How a piece of text is set off, where there is colour. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

/** Where the run tells what it does: lines that stay, and on a terminal one line beneath them that changes. */
export interface Terminal {
  line: (text?: string) => void;
  /** A step: a short label and what came of it. */
  step: (label: string, text: string) => void;
  /** Rewrites the changing line; nothing where there is no terminal. */
  progress: (text: string) => void;
  /** A line on stderr. */
  complain: (text: string) => void;
  /** Sets the text off, unless there is no terminal, or NO_COLOR asks for none. */
  style: (style: Style, text: string) => string;
  /** Columns of the terminal. */
  width: () => number;
}

const CLEAR_LINE = '\r\u001B[K';
const LABEL_WIDTH = 10;
/** How often the changing line changes at most. Milliseconds. */
const REWRITE_EVERY = 80;
/** Columns, where nobody says how many there are. */
const USUAL_WIDTH = 80;

/** @param out usually process.stdout */
export function terminalOn(out: NodeJS.WriteStream, complaints: NodeJS.WriteStream): Terminal {
  const rewrites = out.isTTY && process.env['TERM'] !== 'dumb';
  const width = () => (rewrites && out.columns > 0 ? out.columns : USUAL_WIDTH);
  let pending = false;
  let rewritten = 0;
  const clear = () => {
    if (pending) out.write(CLEAR_LINE);
    pending = false;
  };
  const style = (chosen: Style, text: string) => styleText(chosen, text, { stream: out });
  const line = (text = '') => {
    clear();
    out.write(`${text}\n`);
  };
  return {
    line,
    step: (label, text) => line(`${style('dim', label.padEnd(LABEL_WIDTH))}${text}`),
    progress: (text) => {
      const now = performance.now();
      if (!rewrites || (pending && now - rewritten < REWRITE_EVERY)) return;
      rewritten = now;
      // One column short: a full line would wrap, and only its end could be rewritten.
      const shown = text.slice(0, width() - 1);
      out.write(`${CLEAR_LINE}${style('dim', shown)}`);
      pending = true;
    },
    complain: (text) => {
      clear();
      complaints.write(`${text}\n`);
    },
    style,
    width,
  };
}
