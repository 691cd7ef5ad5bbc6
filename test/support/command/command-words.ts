import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '#bin/daybook/program.ts';

const ROOT = join(import.meta.dirname, '../../..');

type AnyCommand = Pick<CommandUnknownOpts, 'name' | 'commands' | 'options' | 'registeredArguments'>;

/** A command line as somebody wrote it, and where. */
export interface WrittenLine {
  place: string;
  words: string[];
}

/** Cuts a line into words, as a shell does with simple quotes. Ends at a pipe, a redirection or a comment. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/\s+(?:[|<>#]|&&|;)/);
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** Every `daybook …` in the code of a document: `npx daybook status`, `daybook check merchants.json`. */
function linesOfDocument(file: string): WrittenLine[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, ' ').split('\n'),
  );
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].flatMap((line) => {
    const found = /(?:^|\s)(?:npx |npm run daybook -- )?daybook (.+)$/.exec(line.trim());
    const isCommand = /^(?:\S+ \| |[A-Z_]+=\S+ )?(?:npx |npm run daybook -- )?daybook /.test(line.trim());
    // With brackets it shows how a command is used, and cannot be typed.
    return found?.[1] === undefined || !isCommand || found[1].includes('[')
      ? []
      : [{ place: file, words: wordsOf(found[1]) }];
  });
}

/** Every command line of the operator's command in the documents. The changelog also has commands that are gone. */
export function writtenLines(): WrittenLine[] {
  const files = globSync(['*.md', 'docs/**/*.md', 'functions/**/*.md'], { cwd: ROOT });
  return files.filter((file) => file !== 'CHANGELOG.md').flatMap(linesOfDocument);
}

/** The command lines in the functions' notices. A value that is known at run time only is the word `value`. */
export function noticedLines(): WrittenLine[] {
  return globSync('functions/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(/does: 'daybook',\s*words: \[([^\]]*(?:\[[^\]]*\][^\]]*)*)\]/g)].map(
      ([, list = '']) => ({
        place: file,
        words: [...list.matchAll(/'([^']*)'|`[^`]*`|\b[a-z]\w*\b(?=\s*(?:,|$))/g)].map(
          ([, quoted]) => quoted ?? 'value',
        ),
      }),
    );
  });
}

function knownOption(commands: readonly AnyCommand[], flag: string) {
  return commands
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === flag || short === flag);
}

/** What is wrong with a command line: a command or an option that is not there. `undefined` when it could be typed. */
export function lineFault(
  words: readonly string[],
  program: AnyCommand = createProgram(),
): string | undefined {
  const path: AnyCommand[] = [program];
  let left = [...words];
  for (let [next] = left; next !== undefined; [next] = left) {
    const own = path.at(-1)?.commands.find((command) => command.name() === next);
    if (own === undefined) break;
    path.push(own);
    left = left.slice(1);
  }
  const [command] = path.slice(-1);
  if (command === undefined) return 'no command';
  // Only its name: a sentence about the command.
  if (left.length === 0) return undefined;
  if (command.commands.length > 0 && left[0]?.startsWith('-') !== true) {
    return `"${left[0] ?? ''}" is no command of ${command.name()}`;
  }
  let given = 0;
  for (let index = 0; index < left.length; index += 1) {
    const word = left[index] ?? '';
    if (!word.startsWith('--')) {
      given += 1;
      continue;
    }
    if (word === '--help') return undefined;
    const [flag = ''] = word.split('=');
    const option = knownOption(path, flag);
    if (option === undefined) return `${command.name()} has no option ${flag}`;
    if (option.required && !word.includes('=')) index += 1;
    // An option with several values takes all words up to the next option.
    if (option.variadic) while (left[index + 1]?.startsWith('--') === false) index += 1;
  }
  const places = command.registeredArguments;
  const least = places.filter(({ required }) => required).length;
  const isOpen = places.some(({ variadic }) => variadic);
  if (given < least) return `${command.name()} needs ${least} words and has ${given}`;
  return !isOpen && given > places.length
    ? `${command.name()} takes ${places.length} words and has ${given}`
    : undefined;
}

/** Every command that does something, with its words: `['registry', 'pull']`. */
export function leafCommands(program: AnyCommand = createProgram()): string[][] {
  return program.commands.flatMap((command) => {
    if (command.name() === 'help') return [];
    return command.commands.length === 0
      ? [[command.name()]]
      : leafCommands(command).map((words) => [command.name(), ...words]);
  });
}
