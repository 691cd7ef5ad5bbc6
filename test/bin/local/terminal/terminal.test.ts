import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { terminalOn } from '#bin/local/terminal/terminal.ts';

/** A terminal over a stream, and a function that gives its new output. */
function over(isTTY: boolean, TERM = 'xterm') {
  vi.stubEnv('TERM', TERM);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const terminal = terminalOn(stream, stream);
  const written = () => String(stream.read() ?? '');
  return { terminal, written };
}

describe('the output of a run on a pipe', () => {
  it('names each step at once, in a plain line', () => {
    const { terminal, written } = over(false);
    terminal.begin('build', 'building the functions');
    expect(written()).toBe('build     building the functions\n');
  });

  it('prints the progress when nothing was printed for five seconds', () => {
    vi.useFakeTimers();
    const { terminal, written } = over(false);
    terminal.line('before');
    const said = [];
    for (let second = 1; second <= 12; second += 1) {
      vi.advanceTimersByTime(1_000);
      terminal.progress(`pulling, ${second} s`);
      if (second === 7) terminal.line('between');
      said.push(written());
    }
    vi.useRealTimers();
    expect(said.join('')).toBe('before\n  pulling, 5 s\nbetween\n  pulling, 12 s\n');
  });
});

it('the output of a run on a terminal without control sequences is the same as on a pipe', () => {
  const { terminal, written } = over(true, 'dumb');
  terminal.begin('build', 'building the functions');
  terminal.progress('pulling');
  expect(stripVTControlCharacters(written())).toBe('build     building the functions\n');
});

it('the output of a run on a terminal clears the progress before a line', () => {
  const { terminal, written } = over(true);
  terminal.progress('pulling');
  written();
  terminal.line('built');
  expect(written()).toBe('\r\u001B[Kbuilt\n');
});
