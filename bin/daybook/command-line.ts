import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Surroundings } from './terminal/output.ts';
import { harmless } from './terminal/shown-text.ts';
import type { CommandContext, ExitStatus } from './context.ts';
import type { GlobalOptions } from './stage/stage.ts';

/**
 * Says what a command does, in its help and its example lines.
 *
 * @param does a sentence
 * @param help examples, each the line to type and what it does; then what else is to be known
 */
export function described<Declared extends CommandUnknownOpts>(
  command: Declared,
  does: string,
  ...help: readonly (readonly [line: string, does: string] | string)[]
): Declared {
  const pairs = help.filter((one) => typeof one !== 'string');
  const widest = Math.max(...pairs.map(([line]) => line.length));
  const typed = pairs.map(([line, says]) => `  ${line.padEnd(widest)}  ${says}`);
  const notes = help.filter((one) => typeof one === 'string').map((note) => `\n\n${note}`);
  const examples = `\nExamples:\n${typed.join('\n')}${notes.join('')}`;
  return command.description(does).addHelpText('after', examples);
}

/** Reads a whole number of an option or argument. */
export function wholeNumber(least: number, most = Infinity) {
  return (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    const end = most === Infinity ? 'on' : `to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number from ${least} ${end}.`);
  };
}

/** The command line without its commands: what all of them share. */
export function baseProgram({ stdout, stderr }: Pick<Surroundings, 'stderr' | 'stdout'>) {
  const program = described(
    new Command('daybook'),
    "The operator's command of Daybook: merchants, secrets, reports, and why a mail did not come.",
    ['daybook status --stage prod', "what became of yesterday's reports"],
    ['daybook why 700001 2026-11-20', 'why a mail did not come'],
    ['daybook report --help', 'one command, with its own options and examples'],
    ['npm run daybook -- status', 'another way to start it'],
  );
  return program
    .option('--stage <name>', 'the stage to work with; default: DAYBOOK_STAGE')
    .option('--local', 'work with the local run that serves (npm start)')
    .option('--directory <dir>', 'where that local run keeps everything', '.local')
    .option('--profile <name>', 'the profile in ~/.aws/config')
    .option('--region <name>', "the AWS region; default: that of the stage's settings")
    .option('--json', 'print one JSON document, and ask nothing')
    .option('--yes', 'answer every yes-or-no question with yes')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .helpOption('-h, --help', 'show this text')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(harmless(text)),
      outputError: (text, write) =>
        write(`${text.trimEnd().replace(/\.$/, '').replaceAll('\n', ' ')}; see --help\n`),
    })
    .exitOverride();
}

export type Program = ReturnType<typeof baseProgram>;

/** Performs commands in these surroundings. What a command needs is loaded then and not before: `--help` starts at once. */
export function performIn(surroundings: Surroundings) {
  return <Given extends unknown[]>(
    load: () => Promise<(context: CommandContext, ...given: Given) => Promise<ExitStatus>>,
  ) =>
    async function (this: { optsWithGlobals: () => GlobalOptions }, ...given: Given): Promise<void> {
      const { createContext } = await import('./context.ts');
      const work = await load();
      surroundings.exitCode = await work(createContext(this.optsWithGlobals(), surroundings), ...given);
    };
}

/** Makes the action of a command. It gets the function that does the command's work, and imports it when it is needed. */
export type Perform = ReturnType<typeof performIn>;
