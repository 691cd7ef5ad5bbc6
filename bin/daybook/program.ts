import { Argument, Option } from '@commander-js/extra-typings';
import type { QueueName } from '#lib/functions.ts';
import { addAlerts } from './alerts/command.ts';
import { baseProgram, described, performIn, wholeNumber } from './command-line.ts';
import type { Program } from './command-line.ts';
import { addCustomer, addMerchant, addRegistry, addSecret } from './registry-commands.ts';
import { addSuppression } from './suppression/command.ts';
import type { Surroundings } from './terminal/output.ts';

// Not those of lib/functions.ts: the help starts at once.
const QUEUES = ['reports', 'backfills', 'alerts'] as const satisfies readonly QueueName[];

/** Codes may be given one by one, or with commas between them. */
function collect(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...given.split(',')];
}

/** Builds the command line, its commands in the order of the help. Loads no command's work. */
export function createProgram(surroundings: Surroundings = process): Program {
  const program = baseProgram(surroundings);
  const perform = performIn(surroundings);

  described(
    program.command('init'),
    "Asks for what differs from stage to stage, and writes the stage's settings and a registry.",
    ['daybook init', 'asks, and writes lib/stages/prod.json and merchants.json'],
    ['daybook init ../daybook/prod.json', 'keeps the settings outside of the repository'],
    'Asks before it replaces settings. A registry that is there stays as it is.',
  )
    .argument('[file]', "the settings' file; default: that of the stage in lib/stages")
    .option('--domain <domain>', 'the domain that sends the mails')
    .option('--zone-id <id>', "the id of that domain's zone in Route 53; empty: none")
    .option('--zone-name <domain>', 'the name of that zone')
    .option('--service <url>', 'the address of the payment service')
    .option('--time-zone <zone>', 'of the schedules and of merchants, such as Asia/Kuwait')
    .option('--ops <address>', 'the address of the operators')
    .option('--runbook <url>', 'where you publish docs/runbook.md: alarms link to it')
    .action(perform(async () => (await import('./init/init.ts')).init));

  described(
    program.command('check'),
    'Finds every problem of a registry and a secret, each with its line, without a network.',
    ['daybook check merchants.json', 'the registry alone'],
    ['daybook check merchants.json --secret secret.json', 'both, and whether they agree'],
    ['daybook check merchants.json --stage prod', 'also with the origins in lib/stages/prod.json'],
    ['daybook check merchants.json --json', 'the problems, for a script'],
    'Ends with 1 when there is a problem, and with 2 when a file cannot be read.',
  )
    .argument('[registry]', 'the file of the registry, "-" for stdin')
    .option('--secret <file>', 'the file of the secret; its values are never shown')
    .option(
      '--origins <list>',
      "the origins that the registry may name, with commas between; default: the stage's",
    )
    .action(perform(async () => (await import('./check/check.ts')).check));

  addRegistry(program, perform);
  addMerchant(program, perform);
  addCustomer(program, perform);
  addSecret(program, perform);

  described(
    program.command('status'),
    "Shows what became of a day's reports and the newest statements, and what needs a look.",
    ['daybook status', 'the reports of yesterday, and the newest statements and pages of groups'],
    ['daybook status --day 2026-11-20 --all', 'every merchant of that day; no statements'],
    ['daybook status --watch', 'follows a morning to its end'],
    ['daybook status --json', 'every merchant, for a script'],
    'Ends with 1 when a report or a statement is missing, held or bounced, not balanced or provisional.',
  )
    .option('--day <day>', 'a date, "yesterday" or "today" of each merchant', 'yesterday')
    .option('--all', 'list every merchant')
    .option('--watch', 'look again until no report is waited for any more')
    .action(perform(async () => (await import('./status/status.ts')).status));

  described(
    program.command('why'),
    'Explains why a report, a statement or its mail did not come: what happened, step by step, and what to do.',
    ['daybook why 700001 2026-11-20', 'the report of that day'],
    ['daybook why 700001 yesterday --to owner@example.com', 'the mail to one recipient'],
    ['daybook why 700001 2026-W47', 'the statement of that week'],
    ['daybook why --group shops last-month', "the group's page of last month"],
    'Ends with 1 when somebody has to do something.',
  )
    .argument('[code]', "the merchant's code; left out with --group")
    .argument(
      '[day-or-period]',
      'a date, "yesterday" or "today" of the merchant; or a month (2026-11), a week (2026-W47), "last-month" or "last-week"',
    )
    .option('--group <name>', "the group's page of a day, week or month, in place of a merchant")
    .option('--to <address>', 'explain the mail to this address only')
    .action(perform(async () => (await import('./why/why.ts')).why));

  described(
    program.command('verify'),
    'Proves that a sealed page, with these rows, existed on a night, and that nobody changed it since.',
    ['daybook verify 700001 2026-11-20', 'the page of that day'],
    ['daybook verify 700001 2026-11 --save november.json', 'a month, and a file for an auditor'],
    ['daybook verify november.json --key public.pem', 'the same without a network'],
    'Ends with 1 when something was changed, and with 2 when something is gone or not proven yet.',
  )
    .argument('[file-or-code]', "a file of --save, which needs no AWS; or the merchant's code")
    .argument('[day-or-period]', 'a date, a month (2026-11) or a week (2026-W47)')
    .option('--group <name>', "the group's page of a day, week or month, in place of a merchant")
    .option('--revision <number>', 'this revision; default: the newest', wholeNumber(1))
    .option('--save <file>', 'write everything that a check needs into a file. It has the rows')
    .option('--key <file...>', 'the only public keys that may have signed')
    .action(perform(async () => (await import('./verify/verify.ts')).verify));

  described(
    program.command('report'),
    'Runs the report of one merchant and day, previews it, or sends it again.',
    ['daybook report 700001 --dry-run', 'the figures of yesterday, and nothing else'],
    ['daybook report 700001 --day 2026-11-20', 'the report of that day; nothing is mailed twice'],
    ['daybook report 700001 --to me@example.com', 'a preview for me'],
    ['daybook report 700001 --day 2026-11-20 --resend --failed', 'again to those who do not have it'],
    ['daybook report 700001 --resend --only owner@example.com', 'again to one recipient'],
    'Ends with 1 when it fails, the day is not balanced, or the mail is held.',
  )
    .argument('<code>', "the merchant's code")
    .option('--day <day>', 'a date, "yesterday" or "today" of the merchant', 'yesterday')
    .option('--dry-run', 'pull and show the figures; write and send nothing')
    .option('--to <address...>', 'send a marked preview to these addresses only')
    .option('--resend', 'send the newest revision again, without a pull')
    .option('--failed', 'with --resend: to the recipients who do not have it')
    .option('--only <address...>', 'with --resend: to these recipients')
    .action(perform(async () => (await import('./report/report.ts')).report));

  const statement = described(
    program.command('statement'),
    "Makes a merchant's statement or a group's page, previews it, or sends it again.",
    ['daybook statement 700001 --dry-run', 'the figures of last month, and nothing else'],
    ['daybook statement 700001 --period 2026-W47', 'the statement of that week; nothing is mailed twice'],
    ['daybook statement --group shops --period yesterday', "the group's page of yesterday"],
    ['daybook statement 700001 --to me@example.com', 'a preview for me'],
    ['daybook statement 700001 --period 2026-11 --resend --failed', 'again to those who do not have it'],
    'Ends with 1 when it fails, is provisional, or its mail is held.',
  )
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
    .action(perform(async () => (await import('./statement/statement.ts')).statement));
  described(
    statement.command('reopen'),
    'Reopens a closed statement, keeps who did it and why, and makes its next revision.',
    ['daybook statement reopen 700001 2026-11 --why "the bank corrected a day"', 'asks, and reopens it'],
    'It is closed again when `closeAfter` of the registry has passed once more.',
  )
    .argument('<code>', "the merchant's code")
    .argument('<period>', 'the month (2026-11) or the week (2026-W47)')
    .option('--why <words>', 'why it is reopened; the record keeps it')
    .action(perform(async () => (await import('./statement/reopen.ts')).reopen));

  described(
    program.command('backfill'),
    'Seals every day of a range for every merchant, and follows the work to its end.',
    ['daybook backfill --from 2026-11-01 --to 2026-11-20', 'every merchant, without mail'],
    ['daybook backfill --from 2026-11-20 --to 2026-11-20 --merchant 700001 --send', 'one report, mailed'],
    'Asks before it mails reports, or starts more than 500 of them. Ctrl-C ends the watching, not the backfill, and\nprints how to follow it again. Ends with 1 when a day failed.',
  )
    .option('--from <day>', 'the first day (YYYY-MM-DD)')
    .option('--to <day>', 'the last day; at most 400 days in all')
    .option('--merchant <code>', 'only this merchant; repeat it, or put commas between codes', collect)
    .option('--send', 'mail each report, too; without it no mail goes out')
    .addOption(
      new Option('--watch <time>', 'only follow the same backfill, which was started then').conflicts('send'),
    )
    .action(perform(async () => (await import('./backfill/backfill.ts')).backfill));

  described(
    program.command('redrive'),
    'Shows the messages that were put aside, and moves them back to their queues.',
    ['daybook redrive', 'all queues'],
    ['daybook redrive reports', 'reports, statements and pages of groups'],
    'Asks before it moves them. First mend why they failed: a reason is shown for each.',
  )
    .addArgument(new Argument('[queue]', 'only this queue').choices(QUEUES))
    .action(perform(async () => (await import('./redrive/redrive.ts')).redrive));

  addAlerts(program, perform);
  addSuppression(program, perform);

  const lake = described(program.command('lake'), 'Checks the rows of the lake.', [
    'daybook lake check --stage prod',
    'all rules',
  ]);
  described(
    lake.command('check'),
    'Checks the quality rules of the newest days of the lake, as after each daily merge.',
    ['daybook lake check --stage prod', 'all rules'],
    'Writes no data. Ends with 1 when a rule is broken.',
  ).action(perform(async () => (await import('./lake/check-rules.ts')).checkRules));

  described(
    program.command('doctor'),
    'Checks everything that a stage needs to send its mails, and says what to do.',
    ['daybook doctor --stage prod', 'checks SES, DNS, schedules, alarms, registry, secrets, lake and more'],
    ['daybook doctor --before --stage prod', 'before the first deploy: what to ask for, and what is missing'],
    ['daybook doctor --stage prod --json', 'the same for a script'],
    'Ends with 1 when something is wrong. A warning alone ends with 0.',
  )
    .option('--dns-server <address...>', "DNS servers to ask; default: this machine's")
    .option(
      '--before [settings]',
      'look at the account before a deploy; a file of settings elsewhere is named',
    )
    .action(perform(async () => (await import('./doctor/doctor.ts')).doctor));

  described(
    program.command('invoke'),
    'Runs a function of the stage with any event, and prints its answer.',
    ['daybook invoke plan', 'lists the samples of events for plan'],
    ['daybook invoke plan one-day', 'with a sample'],
    [`daybook invoke daily-report '{"merchantCode":"700001","dryRun":true}'`, 'with JSON text'],
    ['daybook invoke mail-events - < event.json', 'with the text on stdin'],
    'Ends with 1 when the function ends with an error.',
  )
    .argument('<function>', 'plan, daily-report, alert-check, delivery-watch, mail-events or sweep')
    .argument(
      '[event]',
      'a file, "-" for stdin, JSON text, or the name of a sample; default: lists the samples',
    )
    .action(perform(async () => (await import('./invoke/invoke.ts')).invoke));

  return program;
}
