import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** Declares `daybook why`. */
export function addWhy(program: Program): void {
  program
    .command('why')
    .description(
      'Explains why a report or its mail did not come: what happened, step by step, and what to do.',
    )
    .argument('<code>', "the merchant's code")
    .argument('<day>', 'a date, "yesterday" or "today" of the merchant')
    .option('--to <address>', 'explain the mail to this address only')
    .addHelpText(
      'after',
      examples(
        ['daybook why 700001 2026-11-20', 'the report of that day'],
        ['daybook why 700001 yesterday --to owner@example.com', 'the mail to one recipient'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when somebody has to do something.')
    .action((code, day, options, command) =>
      perform(command, async (context) => (await import('./why.ts')).why(context, code, day, options)),
    );
}
