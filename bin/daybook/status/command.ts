import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** Declares `daybook status`. */
export function addStatus(program: Program): void {
  program
    .command('status')
    .description('Shows what became of the reports of a day: counts, then every merchant that needs a look.')
    .option('--day <day>', 'a date, "yesterday" or "today" of each merchant', 'yesterday')
    .option('--all', 'list every merchant')
    .addHelpText(
      'after',
      examples(
        ['daybook status', 'the reports of yesterday'],
        ['daybook status --day 2026-11-20 --all', 'every merchant of that day'],
        ['daybook status --json', 'every merchant, for a script'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when a report is missing, held, not balanced, or bounced.')
    .action((options, command) =>
      perform(command, async (context) => (await import('./status.ts')).status(context, options)),
    );
}
