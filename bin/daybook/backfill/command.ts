import { Option } from '@commander-js/extra-typings';
import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Codes may be given one by one, or with commas between them. */
function collect(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...given.split(',')];
}

/** Declares `daybook backfill`. */
export function addBackfill(program: Program, perform: Perform): void {
  program
    .command('backfill')
    .description('Seals every day of a range for every merchant, and follows the work to its end.')
    .option('--from <day>', 'the first day (YYYY-MM-DD)')
    .option('--to <day>', 'the last day; at most 400 days in all')
    .option('--merchant <code>', 'only this merchant; repeat it, or put commas between codes', collect)
    .option('--send', 'mail each report, too; without it no mail goes out')
    .addOption(
      new Option('--watch <time>', 'only follow the same backfill, which was started then').conflicts('send'),
    )
    .addHelpText(
      'after',
      examples(
        ['daybook backfill --from 2026-11-01 --to 2026-11-20', 'every merchant, without mail'],
        ['daybook backfill --from 2026-11-20 --to 2026-11-20 --merchant 700001 --send', 'one report, mailed'],
      ),
    )
    .addHelpText(
      'after',
      '\nAsks before it mails reports, or starts more than 500 of them. Ctrl-C ends the watching, not the backfill, and\nprints how to follow it again. Ends with 1 when a day failed.',
    )
    .action((options, command) =>
      perform(command, async (context) => (await import('./backfill.ts')).backfill(context, options)),
    );
}
