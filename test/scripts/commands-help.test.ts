import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from '#support/run-script.ts';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
/** Every command of package.json that is a program of this repository. */
const commands = Object.entries(scripts).filter(([, command]) => /^node /.test(command));

const run = (command: string, ...more: string[]) => {
  const [file = '', ...args] = command.split(' ').slice(1);
  return runScript(file, [...args, ...more]);
};

describe('every command of ours', () => {
  it('is tested here', () => {
    expect(commands.map(([name]) => name)).toEqual(
      expect.arrayContaining(['start', 'build', 'bench', 'bench:fleet', 'mail:preview', 'soak', 'sandbox']),
    );
  });

  it.each(commands)(
    'npm run %s prints the same help for -h and --help, and does nothing',
    async (name, command) => {
      const [short, long] = await Promise.all([run(command, '-h'), run(command, '--help')]);
      expect(short).toEqual(long);
      expect(short).toMatchObject({ code: 0, complaints: '' });
      expect(short.out).toContain(name === 'start' ? 'npm start' : `npm run ${name}`);
      expect(short.out).toMatch(/^ +-h, --help +show this text$|It has no options\./m);
    },
  );

  // Vitest, which gets what these are given, has options of its own.
  it.each(commands.filter(([name]) => !['test:lambda', 'test:moto', 'test:trino'].includes(name)))(
    'npm run %s names an unknown option in one line, and does nothing',
    async (_name, command) => {
      const ended = await run(command, '--nope');
      expect(ended).toMatchObject({ code: 2, out: '' });
      expect(ended.complaints).toMatch(/^[^\n]*--nope[^\n]*\n$/);
    },
  );
});
