import { membersOf } from '#support/assertions/index.ts';

/** Keeps what is written to the two standard streams until the test is over, and parses its lines. */
export function captureOutput(): { text: () => string; lines: () => Record<string, unknown>[] } {
  let text = '';
  const keep = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return {
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => membersOf(JSON.parse(line))),
  };
}
