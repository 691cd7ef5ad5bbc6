import { described, wholeNumber } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

export function addAlerts(program: Program, perform: Perform): void {
  const alerts = described(
    program.command('alerts'),
    'Shows what the alert rules of a merchant read now, and which alert mails went out, and sends one again.',
    ['daybook alerts test 700001', 'what each rule reads now, and what the next check would do'],
    ['daybook alerts history 700001', 'the alert mails that went out'],
    ['daybook alerts resend 700001', 'the newest one again, to those who do not have it'],
  );
  described(
    alerts.command('test'),
    'Shows what each rule reads now, its state, and what the next check would do.',
    ['daybook alerts test 700001', 'all rules'],
    ['daybook alerts test 700001 --rule too-many-unpaid', 'one rule'],
    'Writes and sends nothing. Ends with 1 when a rule fires, has no data, or cannot be used.',
  )
    .argument('<code>', "the merchant's code")
    .option('--rule <name>', 'only this rule')
    .action(perform(async () => (await import('./alerts.ts')).test));
  described(
    alerts.command('try'),
    'Shows on which days a rule rang, and on which it would have rung with another bound.',
    ['daybook alerts try 700001 too-many-unpaid --above 30', 'the last 30 days with another bound'],
    ['daybook alerts try 700001 too-many-unpaid --above 30 --for 2 --apply', 'sets it, too'],
    'Knows the first reading of each sealed day, and what the mails of the rule say.',
  )
    .argument('<code>', "the merchant's code")
    .argument('<rule>', 'the name of the rule')
    .option('--above <bound>', 'the bound to try')
    .option('--below <bound>', 'the same, for a rule with "below"')
    .option('--for <checks>', 'how many checks in a row must be out of bounds')
    .option('--days <number>', 'how many days to look at', wholeNumber(1, 60), 30)
    .option('--apply', 'set the rule so')
    .action(perform(async () => (await import('./try.ts')).tryRule));
  described(
    alerts.command('history'),
    'Lists the alert mails of a merchant, the newest first, and what became of each.',
    ['daybook alerts history 700001 --last 5', 'the last five'],
    'Ends with 1 when a mail is held, was not sent, or did not arrive.',
  )
    .argument('<code>', "the merchant's code")
    .option('--last <number>', 'how many mails to list', wholeNumber(1, 1_000), 20)
    .action(perform(async () => (await import('./alerts.ts')).history));
  described(
    alerts.command('resend'),
    'Sends an alert mail again to the recipients who do not have it, such as one that is held.',
    ['daybook alerts resend 700001', 'the newest one'],
    'The mail says the same as before, without the invoices and refunds that it named. Asks first.',
  )
    .argument('<code>', "the merchant's code")
    .argument(
      '[check]',
      'the name of its check, as `alerts history --json` and the ledger have it (default: the newest)',
    )
    .action(perform(async () => (await import('./alerts.ts')).resend));
}
