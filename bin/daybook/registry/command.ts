import { examples, wholeNumber } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

const FILE = 'merchants.json';

/** Declares `daybook registry`: the registry as a file. */
export function addRegistry(program: Program, perform: Perform): void {
  const registry = program
    .command('registry')
    .description(
      'Pulls the registry into a file, shows what changes, pushes it back, and takes changes back.',
    )
    .addHelpText(...examples(['daybook registry pull', 'writes merchants.json']));
  registry
    .command('pull')
    .description("Writes the stage's registry into a file.")
    .argument('[file]', 'the file', FILE)
    .addHelpText(...examples(['daybook registry pull', 'writes merchants.json']))
    .action(perform(async () => (await import('./file.ts')).pull));
  registry
    .command('push')
    .description("Makes a file the stage's registry: checks it, shows what changes for whom, and asks.")
    .argument('[file]', 'the file', FILE)
    .option('--with-problems', 'push even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .addHelpText(
      ...examples(
        ['daybook registry push', 'pushes merchants.json'],
        ['daybook registry push --yes --json', 'asks nothing, for scripts'],
      ),
    )
    .action(perform(async () => (await import('./file.ts')).push));
  registry
    .command('diff')
    .description('Shows what a push would change.')
    .argument('[file]', 'the file', FILE)
    .addHelpText(
      ...examples(
        ['daybook registry diff', 'compares merchants.json with the stage'],
        'Ends with 1 when a push would change something.',
      ),
    )
    .action(perform(async () => (await import('./file.ts')).diff));
  registry
    .command('history')
    .description('Shows who changed the registry, when, and what.')
    .option('--last <number>', 'how many changes', wholeNumber(1), 20)
    .addHelpText(
      ...examples(
        ['daybook registry history', 'the last 20 changes, each with its number for rollback'],
        ['daybook registry history --json', 'the same for a script'],
        'Ends with 1 when another registry is in force than the one that is written.',
      ),
    )
    .action(perform(async () => (await import('./history.ts')).history));
  registry
    .command('rollback')
    .description(
      'Makes an earlier version the registry again: checks it, shows what changes for whom, and asks.',
    )
    .argument('<number>', 'how many changes back, as registry history shows it', wholeNumber(1))
    .option('--with-problems', 'write it even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .addHelpText(...examples(['daybook registry rollback 1', 'takes the newest change back']))
    .action(perform(async () => (await import('./history.ts')).rollback));
}
