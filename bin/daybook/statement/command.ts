import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook statement`. */
export function addStatement(program: Program, perform: Perform): void {
  program
    .command('statement')
    .description("Makes a merchant's statement or a group's page, previews it, or sends it again.")
    .argument('[code]', "the merchant's code")
    .option('--group <name>', 'the page of this group, in place of a merchant')
    .option(
      '--period <period>',
      'a month (2026-11), a week (2026-W47), a day for a group, "last-month", "last-week" or "yesterday"',
      'last-month',
    )
    .option('--dry-run', 'add up and show the figures; write and send nothing')
    .option('--no-send', 'seal it without a mail')
    .option('--to <address...>', 'send a marked preview to these addresses only')
    .option('--resend', 'send the newest revision again')
    .option('--failed', 'with --resend: to the recipients who do not have it')
    .option('--only <address...>', 'with --resend: to these recipients')
    .addHelpText(
      'after',
      examples(
        ['daybook statement 700001 --dry-run', 'the figures of last month, and nothing else'],
        ['daybook statement 700001 --period 2026-W47', 'the statement of that week; nothing is mailed twice'],
        ['daybook statement --group shops --period yesterday', "the group's page of yesterday"],
        ['daybook statement 700001 --to me@example.com', 'a preview for me'],
        ['daybook statement 700001 --period 2026-11 --resend --failed', 'again to those who do not have it'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when it fails, is provisional, or its mail is held.')
    .action((code, options, command) =>
      perform(command, async (context) => (await import('./statement.ts')).statement(context, code, options)),
    );
}
