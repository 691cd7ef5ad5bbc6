import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook report`. */
export function addReport(program: Program, perform: Perform): void {
  program
    .command('report')
    .description('Runs the report of one merchant and day, previews it, or sends it again.')
    .argument('<code>', "the merchant's code")
    .option('--day <day>', 'a date, "yesterday" or "today" of the merchant', 'yesterday')
    .option('--dry-run', 'pull and show the figures; write and send nothing')
    .option('--to <address...>', 'send a marked preview to these addresses only')
    .option('--resend', 'send the newest revision again, without a pull')
    .option('--failed', 'with --resend: to the recipients who do not have it')
    .option('--only <address...>', 'with --resend: to these recipients')
    .addHelpText(
      'after',
      examples(
        ['daybook report 700001 --dry-run', 'the figures of yesterday, and nothing else'],
        ['daybook report 700001 --day 2026-11-20', 'the report of that day; nothing is mailed twice'],
        ['daybook report 700001 --to me@example.com', 'a preview for me'],
        ['daybook report 700001 --day 2026-11-20 --resend --failed', 'again to those who do not have it'],
        ['daybook report 700001 --resend --only owner@example.com', 'again to one recipient'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when it fails, the day is not balanced, or the mail is held.')
    .action((code, options, command) =>
      perform(command, async (context) => (await import('./report.ts')).report(context, code, options)),
    );
}
