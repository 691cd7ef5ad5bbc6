import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

const FILE = 'merchants.json';

/** Adds `daybook registry`: the registry as a file. */
export function addRegistry(program: Program): void {
  const registry = program
    .command('registry')
    .description('Edits the registry as a file: pulls it, shows what changes, and pushes it.')
    .addHelpText('after', examples(['daybook registry pull', 'writes merchants.json']));
  registry
    .command('pull')
    .description("Writes the stage's registry into a file.")
    .argument('[file]', 'the file', FILE)
    .option('--merge', 'keep the changes of your own, beside those of others')
    .addHelpText(
      'after',
      examples(
        ['daybook registry pull', 'writes merchants.json'],
        ['daybook registry pull --merge', 'brings the changes of others into your file'],
      ),
    )
    .action((file, options, command) =>
      perform(command, async (context) => (await import('./pull.ts')).pull(context, file, options)),
    );
  registry
    .command('push')
    .description("Makes a file the stage's registry: checks it, shows what changes for whom, and asks.")
    .argument('[file]', 'the file', FILE)
    .option('--with-problems', 'push although the check finds problems that the stage does not have yet')
    .addHelpText(
      'after',
      examples(
        ['daybook registry push', 'pushes merchants.json'],
        ['daybook registry push --yes --json', 'asks nothing, for scripts'],
      ),
    )
    .action((file, options, command) =>
      perform(command, async (context) => (await import('./push.ts')).push(context, file, options)),
    );
  registry
    .command('diff')
    .description('Shows what a push would change. Exit status 0: nothing, 1: something.')
    .argument('[file]', 'the file', FILE)
    .addHelpText('after', examples(['daybook registry diff', 'compares merchants.json with the stage']))
    .action((file, _options, command) =>
      perform(command, async (context) => (await import('./diff.ts')).diff(context, file)),
    );
}
