import { describe, expect, it } from 'vitest';
import { complete } from '#bin/daybook/completion/complete.ts';
import { createProgram } from '#bin/daybook/program.ts';

/** The values for the last word of the line, as it is typed after `daybook`. */
function valuesFor(line: string): string[] {
  const words = line.split(' ');
  const typed = words.pop() ?? '';
  return complete(createProgram(), words, typed)
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => text.split('\t', 1)[0] ?? '');
}

describe('a word of the command line may be', () => {
  it('a command, with its description', () => {
    expect(complete(createProgram(), [], 'statu')).toBe(
      "status\tShows what became of a day's reports and the newest statements, and what needs a look.\n",
    );
    expect(valuesFor('')).toEqual(expect.arrayContaining(['status', 'report', 'completion']));
    // It is for the scripts only.
    expect(valuesFor('comp')).toEqual(['completion']);
    expect(valuesFor('hel')).toEqual([]);
  });

  it.each([
    ['suppression ', ['list', 'add', 'remove']],
    ['--local suppression re', ['remove']],
    ['--stage prod alerts ', ['test', 'history', 'resend']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['status --st', ['--stage']],
    ['status --al', ['--all']],
    // Given already.
    ['status --all --al', []],
    // These may be given again.
    ['backfill --merchant 700001 --merch', ['--merchant']],
    ['status --stage ', ['dev', 'prod']],
    ['status --stage p', ['prod']],
    ['status --stage=p', ['--stage=prod']],
    // bash makes three words of it.
    ['status --stage = p', ['prod']],
    ['status --stage =', ['dev', 'prod']],
    ['status --day ', ['yesterday', 'today']],
    ['why 700001 y', ['yesterday']],
    ['invoke da', ['daily-report']],
    ['invoke plan one', ['one-day']],
    ['invoke sweep ', ['sweep-now']],
    ['invoke nothing ', []],
    ['status --he', ['--help']],
    [
      'suppression list --',
      ['--all', '--stage', '--local', '--directory', '--profile', '--region', '--json', '--yes', '--help'],
    ],
    ['report 700001 -- --', []],
    ['status nothing more ', []],
    ['registry pull ', []],
    ['no-such-command ', []],
  ])('after "%s": %j', (line, values) => {
    expect(valuesFor(line)).toEqual(values);
  });
});
