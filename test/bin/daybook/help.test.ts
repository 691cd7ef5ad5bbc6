import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '#bin/daybook/program.ts';
import { lineFault, pathOf, withInner, wordsOf } from '#support/command/command-words.ts';
import { newDirectory } from '#support/machine.ts';
import { refuses, runCommand, runProcess, says } from '#support/command/run-command.ts';

const paths = withInner(createProgram()).map((command) => pathOf(command).join(' '));

/** The command of that path, in a program of its own. It prints into the lists. */
function commandAt(path: string) {
  const [out, err]: [string[], string[]] = [[], []];
  const program: CommandUnknownOpts = createProgram();
  for (const command of withInner(program)) {
    command.configureOutput({ writeOut: (text) => out.push(text), writeErr: (text) => err.push(text) });
  }
  const words = path.split(' ').slice(1);
  const command = withInner(program).find((one) => pathOf(one).join(' ') === path) ?? program;
  return { program, command, words, out, err };
}

/** The examples in a help text, each up to the two spaces before what it does. */
function examplesIn(help: string): string[] {
  const [, text = ''] = /\nExamples:\n((?: {2}.*(?:\n|$))+)/.exec(help) ?? [];
  return text
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim().split(/ {2,}/, 1)[0] ?? '');
}

describe('the help of every command', () => {
  it.each(paths)('%s: says what it does in a sentence, and shows how in an example that is right', (path) => {
    const { command, out } = commandAt(path);
    command.outputHelp();
    const help = out.join('');
    expect(help).toMatch(new RegExp(`^Usage: ${path}`));
    expect(command.description()).toMatch(/^[A-Z].*\.$/);
    const examples = examplesIn(help);
    expect(examples).not.toEqual([]);
    expect(examples.some((line) => line.includes(path))).toBe(true);
    for (const line of examples) {
      const typed = line.replace('npm run daybook -- ', 'daybook ');
      expect(lineFault(wordsOf(typed.slice(typed.indexOf('daybook '))).slice(1)), line).toBeUndefined();
    }
  });

  it.each(paths)(
    '%s: an option that does not exist ends with 2, and names the one that was meant',
    (path) => {
      const { program, words, err } = commandAt(path);
      const parse = () => program.parse([...words, '--jsno'], { from: 'user' });
      expect(parse).toThrow(CommanderError);
      expect(err.join('')).toContain("error: unknown option '--jsno' (Did you mean --json?)");
    },
  );
});

describe('as a process', () => {
  const directory = newDirectory();

  it.each([
    [['status', '--al'], "unknown option '--al' (Did you mean --all?)"],
    [['--stag', 'prod', 'status'], "unknown option '--stag' (Did you mean --stage?)"],
    [['statsu'], "unknown command 'statsu' (Did you mean status?)"],
    [['suppression', 'lst'], "unknown command 'lst' (Did you mean list?)"],
    [['alerts', 'test'], "missing required argument 'code'"],
    [['status', 'today'], 'too many arguments'],
  ])('%j ends with 2', async (args, message) => {
    const ended = await runCommand(args);
    await refuses(ended, 2, message, '--help');
    expect(ended.stderr).not.toContain('.;');
  });

  it.each([[['--help']], [['help']], [['status', '--help']], [['help', 'suppression']]])(
    '%j ends with 0',
    async (args) => {
      expect(await runCommand(args)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  // The number of modules stands for the time, which is different on each machine.
  it.each([[['--help']], [['suppression', 'list', '--help']]])(
    '%j loads the declarations of the commands, and neither their work nor large libraries',
    async (args) => {
      const file = join(directory, `${args.length}.txt`);
      const record = `import { registerHooks } from 'node:module';
        import { appendFileSync } from 'node:fs';
        registerHooks({ load: (url, context, next) => { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context); } });`;
      const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(record)}` };
      await says(runProcess(args, { environment }), 0);
      const loaded = readFileSync(file, 'utf8').split('\n');
      expect(loaded.filter((url) => /\/node_modules\/(?!commander\/|@commander-js\/)/.test(url))).toEqual([]);
      const own = loaded.filter((url) => url.startsWith('file:') && !url.includes('/node_modules/'));
      expect(own.filter((url) => !/\/bin\/(daybook\/|daybook\.mjs|needed-node\.mjs)/.test(url))).toEqual([]);
      expect(own.length).toBeGreaterThan(5);
      // A few that declare commands, and a handful.
      expect(own.length).toBeLessThan(20);
    },
  );
});
