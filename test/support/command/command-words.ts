import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { CommanderError } from 'commander';
import { createProgram } from '#bin/daybook/program.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface WrittenLine {
  place: string;
  words: string[];
}

/** Cuts a line into words, as a shell does with simple quotes. Ends at a pipe, a redirection or a comment. */
export function wordsOf(line: string): string[] {
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

/** A command and all commands in it. */
export function withInner(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withInner)];
}

/** What is wrong with a command line, as the command says it. `undefined` when it could be typed. */
export function lineFault(words: readonly string[]): string | undefined {
  const program: CommandUnknownOpts = createProgram();
  let fault: string | undefined;
  for (const command of withInner(program)) {
    command.configureOutput({ writeOut: () => undefined, writeErr: (text) => (fault ??= text.trim()) });
    if (doesSomething(command)) command.action(() => undefined);
    // Only its name: a sentence about the command.
    if (pathOf(command).join(' ') === ['daybook', ...words].join(' ')) return undefined;
  }
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    // A value that is known at run time only may be none of the choices.
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.invalidArgument') return undefined;
  }
  return fault;
}

/** The names of a command, from the program's own on. */
export function pathOf(command: CommandUnknownOpts): string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}

/** `statement` does something, and has a command in it. */
function doesSomething({ commands, registeredArguments }: CommandUnknownOpts): boolean {
  return commands.length === 0 || registeredArguments.length > 0;
}

/** Every command that does something, with its words: `['registry', 'pull']`. */
export function leafCommands(): string[][] {
  const leaves = withInner(createProgram()).filter(doesSomething);
  return leaves.map((command) => pathOf(command).slice(1));
}
