import { styleText } from 'node:util';

/** How a piece of text is set off, where there is colour. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

/** Where the run tells what it does: lines that stay, and on a terminal one line beneath them that changes. */
export interface Terminal {
  line: (text?: string) => void;
  /** A step: a short label and what came of it. */
  step: (label: string, text: string) => void;
  /** A step that begins and may take a while: in the changing line, and a line that stays where there is no terminal. */
  begin: (label: string, text: string) => void;
  /** Rewrites the changing line; where there is no terminal, a line now and then, so that nobody takes it for dead. */
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
/** How long a pipe hears nothing at most, as long as there is progress. Milliseconds. */
const SILENT_FOR = 5_000;
/** Columns, where nobody says how many there are. */
const USUAL_WIDTH = 80;

/** What a terminal needs of a stream such as process.stdout. */
type Output = NodeJS.WritableStream & Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** @param out usually process.stdout */
export function terminalOn(out: Output, complaints: NodeJS.WritableStream): Terminal {
  const rewrites = out.isTTY && process.env['TERM'] !== 'dumb';
  const width = () => (rewrites && out.columns > 0 ? out.columns : USUAL_WIDTH);
  let pending = false;
  let rewritten = 0;
  let written = performance.now();
  const clear = () => {
    if (pending) out.write(CLEAR_LINE);
    pending = false;
  };
  const style = (chosen: Style, text: string) => styleText(chosen, text, { stream: out });
  const line = (text = '') => {
    clear();
    out.write(`${text}\n`);
    written = performance.now();
  };
  const labelled = (label: string, text: string) => `${style('dim', label.padEnd(LABEL_WIDTH))}${text}`;
  const rewrite = (text: string) => {
    // One column short: a full line would wrap, and only its end could be rewritten.
    out.write(`${CLEAR_LINE}${style('dim', text.slice(0, width() - 1))}`);
    rewritten = performance.now();
    pending = true;
  };
  return {
    line,
    step: (label, text) => line(labelled(label, text)),
    begin: (label, text) => {
      if (rewrites) rewrite(`${label.padEnd(LABEL_WIDTH)}${text}`);
      else line(labelled(label, text));
    },
    progress: (text) => {
      const now = performance.now();
      if (!rewrites) {
        if (now - written >= SILENT_FOR) line(`  ${text}`);
      } else if (!pending || now - rewritten >= REWRITE_EVERY) rewrite(text);
    },
    complain: (text) => {
      clear();
      complaints.write(`${text}\n`);
    },
    style,
    width,
  };
}
