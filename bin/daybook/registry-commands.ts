import { described, wholeNumber } from './command-line.ts';
import type { Program, Perform } from './command-line.ts';

const FILE = 'merchants.json';

export function addRegistry(program: Program, perform: Perform): void {
  const registry = described(
    program.command('registry'),
    'Pulls the registry into a file, shows what changes, pushes it back, and takes changes back.',
    ['daybook registry pull', 'writes merchants.json'],
  );
  described(registry.command('pull'), "Writes the stage's registry into a file.", [
    'daybook registry pull',
    'writes merchants.json',
  ])
    .argument('[file]', 'the file', FILE)
    .action(perform(async () => (await import('./registry/file.ts')).pull));
  described(
    registry.command('push'),
    "Makes a file the stage's registry: checks it, shows what changes for whom, and asks.",
    ['daybook registry push', 'pushes merchants.json'],
    ['daybook registry push --yes --json', 'asks nothing, for scripts'],
  )
    .argument('[file]', 'the file', FILE)
    .option('--with-problems', 'push even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .action(perform(async () => (await import('./registry/file.ts')).push));
  described(
    registry.command('diff'),
    'Shows what a push would change.',
    ['daybook registry diff', 'compares merchants.json with the stage'],
    'Ends with 1 when a push would change something.',
  )
    .argument('[file]', 'the file', FILE)
    .action(perform(async () => (await import('./registry/file.ts')).diff));
  described(
    registry.command('history'),
    'Shows who changed the registry, when, and what.',
    ['daybook registry history', 'the last 20 changes, each with its number for rollback'],
    ['daybook registry history --json', 'the same for a script'],
    'Ends with 1 when another registry is in force than the one that is written.',
  )
    .option('--last <number>', 'how many changes', wholeNumber(1), 20)
    .action(perform(async () => (await import('./registry/history.ts')).history));
  described(
    registry.command('rollback'),
    'Makes an earlier version the registry again: checks it, shows what changes for whom, and asks.',
    ['daybook registry rollback 1', 'takes the newest change back'],
  )
    .argument('<number>', 'how many changes back, as registry history shows it', wholeNumber(1))
    .option('--with-problems', 'write it even if the check finds new problems')
    .option('--accept-removals', 'take removed merchants out of the last good registry, too')
    .action(perform(async () => (await import('./registry/history.ts')).rollback));
}

const INPUT = `from stdin, as JSON:
  { "accessCode": "…", "cipher": { "key": "…", "iv": "…" }, "username": "…", "password": "…" }`;

const LEFT_OUT = `\nIt asks for what you leave out. In a pipe, it uses the defaults, and reads the credentials ${INPUT}`;

export function addMerchant(program: Program, perform: Perform): void {
  const merchant = described(program.command('merchant'), 'Adds, shows, changes and removes merchants.', [
    'daybook merchant add',
    'asks for everything that a merchant needs',
  ]);
  described(
    merchant.command('add').addHelpText('after', LEFT_OUT),
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
    .action(perform(async () => (await import('./merchant/add.ts')).add));
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
    .action(perform(async () => (await import('./merchant/set.ts')).set));
  described(merchant.command('remove'), 'Removes a merchant from the registry, and keeps its sealed days.', [
    'daybook merchant remove 700009',
    'keeps its credentials',
  ])
    .argument('<code>', "the merchant's code")
    .option('--with-secret', 'remove its credentials, too')
    .action(perform(async () => (await import('./merchant/remove.ts')).remove));
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
    .action(perform(async () => (await import('./forget/merchant.ts')).forgetMerchant));
  described(
    merchant.command('show'),
    'Shows the settings of a merchant as they are used, and where each comes from.',
    ['daybook merchant show 700009', 'shows all settings'],
  )
    .argument('<code>', "the merchant's code")
    .action(perform(async () => (await import('./merchant/show.ts')).show));
  described(
    merchant.command('list'),
    'Lists the merchants.',
    ['daybook merchant list', 'lists all'],
    ['daybook merchant list coffee', 'lists those with "coffee" in the name'],
  )
    .argument('[text]', 'what the code, the name or an address must contain')
    .action(perform(async () => (await import('./merchant/show.ts')).list));
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

export function addCustomer(program: Program, perform: Perform): void {
  const customer = described(program.command('customer'), 'Forgets a customer of merchants.', [
    'daybook customer forget --email a@example.com --dry-run',
    'what there is',
  ]);
  described(
    customer.command('forget'),
    'Deletes what Daybook keeps of a customer: files of all revisions, and their data in the lake.',
    ['daybook customer forget --email a@example.com --dry-run', 'lists what there is'],
    ['daybook customer forget --email a@example.com --phone "+965 5000 1234"', 'asks, and deletes it'],
    'The service must forget the customer first. When it ends early, run it again: it goes on.',
  )
    .option('--email <address>', 'a mail address that only they have; can be repeated', collect, [])
    .option('--phone <number>', 'a telephone number that only they have; can be repeated', collect, [])
    .option(
      '--id <text>',
      'another text that only they have, such as a civil ID; can be repeated',
      collect,
      [],
    )
    .option('--dry-run', 'list what there is, and change nothing')
    .option('--code <code>', 'the code that would have to be typed; with --yes, nothing is asked')
    .action(perform(async () => (await import('./forget/customer.ts')).forgetCustomer));
}

const VALUES = `\nIt asks for the values, and does not show them. In a pipe, it reads them ${INPUT}`;
const UNPROVEN = 'write the credentials without trying them at the service';

export function addSecret(program: Program, perform: Perform): void {
  const secret = described(
    program.command('secret'),
    'Writes, rotates and tries the credentials of merchants.',
    ['daybook secret check', 'tries the credentials of all merchants'],
  );
  described(
    secret.command('put').addHelpText('after', VALUES),
    "Writes a merchant's credentials into its secret, after a login that proves them.",
    ['daybook secret put 700009', 'asks for the values'],
    ['daybook secret put 700009 <entry.json', 'reads them from a file'],
  )
    .argument('<code>', "the merchant's code")
    .option('--unproven', UNPROVEN)
    .action(perform(async () => (await import('./secret/put.ts')).put));
  const stays =
    'Values that you leave out stay as they are. While the service takes only the old ones, runs use those.';
  described(
    secret.command('rotate').addHelpText('after', `${VALUES}\n${stays}`),
    'Replaces credentials of a merchant, and keeps the old ones under "previous".',
    ['daybook secret rotate 700009', 'asks for the new values'],
    'Ends with 1 when the service does not take the new values.',
  )
    .argument('<code>', "the merchant's code")
    .option('--unproven', UNPROVEN)
    .action(perform(async () => (await import('./secret/put.ts')).rotate));
  described(
    secret.command('check'),
    "Logs in and reads one page, with a merchant's current and previous credentials.",
    ['daybook secret check', 'tries the credentials of all merchants'],
    ['daybook secret check 700009', 'those of one merchant'],
    "Ends with 1 when the service does not take a merchant's current values.",
  )
    .argument('[codes...]', 'the codes of merchants; default: all of them')
    .action(perform(async () => (await import('./secret/check.ts')).check));
}
