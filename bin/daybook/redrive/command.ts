import type { QueueName } from '#lib/functions.ts';
import { Argument } from '@commander-js/extra-typings';
import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

// Not those of lib/functions.ts: the help starts at once.
const NAMES = ['reports', 'backfills', 'alerts'] as const satisfies readonly QueueName[];

/** Declares `daybook redrive`. */
export function addRedrive(program: Program, perform: Perform): void {
  program
    .command('redrive')
    .description('Shows the messages that were put aside, and moves them back to their queues.')
    .addArgument(new Argument('[queue]', 'only this queue').choices(NAMES))
    .addHelpText(
      'after',
      examples(
        ['daybook redrive', 'all queues'],
        ['daybook redrive reports', 'reports, statements and pages of groups'],
      ),
    )
    .addHelpText(
      'after',
      '\nAsks before it moves them. First mend why they failed: a reason is shown for each.',
    )
    .action((queue, _options, command) =>
      perform(command, async (context) => (await import('./redrive.ts')).redrive(context, queue)),
    );
}
