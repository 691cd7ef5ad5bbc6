import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook status`. */
export function addStatus(program: Program, perform: Perform): void {
  program
    .command('status')
    .description("Shows what became of a day's reports and the newest statements, and what needs a look.")
    .option('--day <day>', 'a date, "yesterday" or "today" of each merchant', 'yesterday')
    .option('--all', 'list every merchant')
    .addHelpText(
      'after',
      examples(
        ['daybook status', 'the reports of yesterday, and the newest statements and pages of groups'],
        ['daybook status --day 2026-11-20 --all', 'every merchant of that day; no statements'],
        ['daybook status --json', 'every merchant, for a script'],
      ),
    )
    .addHelpText(
      'after',
      '\nEnds with 1 when a report or a statement is missing, held or bounced, not balanced or provisional.',
    )
    .action((options, command) =>
      perform(command, async (context) => (await import('./status.ts')).status(context, options)),
    );
}
