import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook why`. */
export function addWhy(program: Program, perform: Perform): void {
  program
    .command('why')
    .description(
      'Explains why a report, a statement or its mail did not come: what happened, step by step, and what to do.',
    )
    .argument('[code]', "the merchant's code; left out with --group")
    .argument(
      '[day-or-period]',
      'a date, "yesterday" or "today" of the merchant; or a month (2026-11), a week (2026-W47), "last-month" or "last-week"',
    )
    .option('--group <name>', "the group's page of a day, week or month, in place of a merchant")
    .option('--to <address>', 'explain the mail to this address only')
    .addHelpText(
      'after',
      examples(
        ['daybook why 700001 2026-11-20', 'the report of that day'],
        ['daybook why 700001 yesterday --to owner@example.com', 'the mail to one recipient'],
        ['daybook why 700001 2026-W47', 'the statement of that week'],
        ['daybook why --group shops last-month', "the group's page of last month"],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when somebody has to do something.')
    .action((code, dayOrPeriod, options, command) =>
      perform(command, async (context) => {
        const words = [code, dayOrPeriod].filter((word) => word !== undefined);
        return (await import('./why.ts')).why(context, words, options);
      }),
    );
}
