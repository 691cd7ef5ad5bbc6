import { described, wholeNumber } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

const FILE = 'merchants.json';

/** Declares `daybook registry`: the registry as a file. */
export function addRegistry(program: Program, perform: Perform): void {
  const registry = described(
    program.command('registry'),
    'Pulls the registry into a file, shows what changes, pushes it back, and takes changes back.',
    ['daybook registry pull', 'writes merchants.json'],
  );
  described(registry.command('pull'), "Writes the stage's registry into a file.", [
    'daybook registry pull',
    'writes merchants.json',
  ])
    .argument('[file]', 'the file', FILE)
    .action(perform(async () => (await import('./file.ts')).pull));
  described(
    registry.command('push'),
    "Makes a file the stage's registry: checks it, shows what changes for whom, and asks.",
    ['daybook registry push', 'pushes merchants.json'],
    ['daybook registry push --yes --json', 'asks nothing, for scripts'],
  )
    .argument('[file]', 'the file', FILE)
    .option('--with-problems', 'push even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .action(perform(async () => (await import('./file.ts')).push));
  described(
    registry.command('diff'),
    'Shows what a push would change.',
    ['daybook registry diff', 'compares merchants.json with the stage'],
    'Ends with 1 when a push would change something.',
  )
    .argument('[file]', 'the file', FILE)
    .action(perform(async () => (await import('./file.ts')).diff));
  described(
    registry.command('history'),
    'Shows who changed the registry, when, and what.',
    ['daybook registry history', 'the last 20 changes, each with its number for rollback'],
    ['daybook registry history --json', 'the same for a script'],
    'Ends with 1 when another registry is in force than the one that is written.',
  )
    .option('--last <number>', 'how many changes', wholeNumber(1), 20)
    .action(perform(async () => (await import('./history.ts')).history));
  described(
    registry.command('rollback'),
    'Makes an earlier version the registry again: checks it, shows what changes for whom, and asks.',
    ['daybook registry rollback 1', 'takes the newest change back'],
  )
    .argument('<number>', 'how many changes back, as registry history shows it', wholeNumber(1))
    .option('--with-problems', 'write it even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .action(perform(async () => (await import('./history.ts')).rollback));
}
