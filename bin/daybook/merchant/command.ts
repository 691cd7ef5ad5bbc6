import { described } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

const INPUT = `
It asks for what you leave out. In a pipe, it uses the defaults, and reads the credentials from stdin, as JSON:
  { "accessCode": "…", "cipher": { "key": "…", "iv": "…" }, "username": "…", "password": "…" }`;

/** Declares `daybook merchant`: the merchants of the registry. */
export function addMerchant(program: Program, perform: Perform): void {
  const merchant = described(program.command('merchant'), 'Adds, shows, changes and removes merchants.', [
    'daybook merchant add',
    'asks for everything that a merchant needs',
  ]);
  described(
    merchant.command('add').addHelpText('after', INPUT),
    'Adds a merchant: proves its credentials, writes secret and registry, and tries a report.',
    ['daybook merchant add', 'asks for everything'],
    ['daybook merchant add 700010 --recipients a@example.com <entry.json', 'asks nothing'],
  )
    .argument('[code]', "the merchant's code at the service")
    .option('--name <name>', 'the name in the mails; default: the code')
    .option('--recipients <addresses>', 'the addresses that get the mails, with commas between')
    .option('--language <language>', 'the language of the mails: en or ar')
    .option('--time-zone <zone>', "the merchant's time zone, such as Asia/Kuwait")
    .option('--report-at <time>', 'the time at which yesterday is reported, HH:MM')
    .option('--report-from <day>', 'the first day that is mailed; default: that of the next report')
    .option('--secret-id <name>', "the merchant's own secret; default: the secret of the stage")
    .option('--dry-run', "show the figures of yesterday's report; write and send nothing")
    .option('--preview <address>', "send a marked preview of yesterday's report to this address only")
    .action(perform(async () => (await import('./add.ts')).add));
  described(
    merchant.command('set'),
    'Changes settings of a merchant.',
    ['daybook merchant set 700009 reportAt=07:30', 'reports at half past seven'],
    ['daybook merchant set 700009 recipients=a@example.com,b@example.com', 'replaces the recipients'],
    [
      'daybook merchant set 700009 alerts=@rules.json language=',
      'reads the rules from a file, and goes back to the default language',
    ],
  )
    .argument('<code>', "the merchant's code")
    .argument('<settings...>', 'member=value; "member=" goes back to the default, "member=@file" reads JSON')
    .action(perform(async () => (await import('./set.ts')).set));
  described(merchant.command('remove'), 'Removes a merchant from the registry, and keeps its sealed days.', [
    'daybook merchant remove 700009',
    'keeps its credentials',
  ])
    .argument('<code>', "the merchant's code")
    .option('--with-secret', 'remove its credentials, too')
    .action(perform(async () => (await import('./remove.ts')).remove));
  described(
    merchant.command('forget'),
    'Deletes all that Daybook keeps of a merchant that was removed.',
    ['daybook merchant forget 700009 --dry-run', 'lists what there is, and what stays until when'],
    ['daybook merchant forget 700009', 'lists it, asks for the code, and deletes it'],
    'When it ends early, run it again: it goes on.',
  )
    .argument('<code>', "the merchant's code")
    .option('--dry-run', 'list what there is, and change nothing')
    .option('--code <code>', "the merchant's code again; with --yes, nothing is asked")
    .action(perform(async () => (await import('../forget/merchant.ts')).forgetMerchant));
  described(
    merchant.command('show'),
    'Shows the settings of a merchant as they are used, and where each comes from.',
    ['daybook merchant show 700009', 'shows all settings'],
  )
    .argument('<code>', "the merchant's code")
    .action(perform(async () => (await import('./show.ts')).show));
  described(
    merchant.command('list'),
    'Lists the merchants.',
    ['daybook merchant list', 'lists all'],
    ['daybook merchant list coffee', 'lists those with "coffee" in the name'],
  )
    .argument('[text]', 'what the code, the name or an address must contain')
    .action(perform(async () => (await import('./show.ts')).list));
}
