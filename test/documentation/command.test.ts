import { describe, expect, it } from 'vitest';
import { leafCommands, lineFault, noticedLines, writtenLines } from '#support/command/command-words.ts';
import { textOf } from '#support/documentation/documents.ts';

describe('every line with the operator’s command could be typed', () => {
  it.each([
    ['documents', writtenLines, 20],
    ['notices', noticedLines, 6],
  ] as const)('in the %s', (_where, linesOf, more) => {
    const lines = linesOf();
    const faults = lines.flatMap(({ place, words }) => {
      const fault = lineFault(words);
      return fault === undefined ? [] : [`${place}: daybook ${words.join(' ')}: ${fault}`];
    });
    expect(faults).toEqual([]);
    expect(lines.length).toBeGreaterThan(more);
  });

  it.each([
    [['nothing'], /^error: unknown command 'nothing'/],
    [['status', '--dya', '2026-11-20'], /^error: unknown option '--dya'/],
    [['status', 'too', 'many'], /^error: too many arguments for 'status'/],
  ])('and %j could not', (words, fault) => {
    expect(lineFault(words)).toMatch(fault);
  });
});

it('docs/command.md shows every command', () => {
  const text = textOf('docs/command.md');
  const commands = leafCommands().map((words) => ['daybook', ...words].join(' '));
  const missing = commands.filter((words) => !text.includes(words));
  expect(missing).toEqual([]);
});
