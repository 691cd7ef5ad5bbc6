import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** Adds `daybook merchant`: the merchants of the registry. */
export function addMerchant(program: Program): void {
  const merchant = program
    .command('merchant')
    .description('Adds, shows, changes and removes merchants.')
    .addHelpText('after', examples(['daybook merchant add', 'asks for everything that a merchant needs']));
  merchant
    .command('add')
    .description('Adds a merchant: proves its credentials, writes secret and registry, and tries a report.')
    .argument('[code]', "the merchant's code at the service")
    .option('--name <name>', 'the name in mails')
    .option('--recipients <addresses>', 'who gets the mails, with commas between')
    .option('--language <language>', 'the language of the mails: en or ar')
    .option('--time-zone <zone>', 'such as Asia/Kuwait')
    .option('--report-at <time>', 'when yesterday is reported, HH:MM')
    .option('--report-from <day>', 'the first day that is mailed; default: that of the next report')
    .option('--secret-id <name>', 'a secret of its own')
    .option('--dry-run', "make yesterday's report without sending it")
    .option('--preview <address>', "mail yesterday's report to this address alone")
    .addHelpText(
      'after',
      `
What you leave out is asked. In a pipe, the defaults are used, and the credentials come from stdin, as JSON:
  { "accessCode": "…", "cipher": { "key": "…", "iv": "…" }, "username": "…", "password": "…" }`,
    )
    .addHelpText(
      'after',
      examples(
        ['daybook merchant add', 'asks for everything'],
        ['daybook merchant add 700010 --recipients a@example.com <entry.json', 'asks nothing'],
      ),
    )
    .action((code, options, command) =>
      perform(command, async (context) => (await import('./add.ts')).add(context, code, options)),
    );
  merchant
    .command('set')
    .description('Changes settings of a merchant.')
    .argument('<code>', 'the merchant')
    .argument('<settings...>', 'member=value; an empty value goes back to the default; @file reads JSON')
    .addHelpText(
      'after',
      examples(
        ['daybook merchant set 700009 reportAt=07:30', 'reports at half past seven'],
        ['daybook merchant set 700009 recipients=a@example.com,b@example.com', 'names all recipients'],
        ['daybook merchant set 700009 alerts=@rules.json language=', 'reads rules from a file'],
      ),
    )
    .action((code, settings, _options, command) =>
      perform(command, async (context) => (await import('./set.ts')).set(context, code, settings)),
    );
  merchant
    .command('remove')
    .description('Takes a merchant out of the registry. What is sealed stays.')
    .argument('<code>', 'the merchant')
    .option('--with-secret', 'remove its credentials, too')
    .addHelpText('after', examples(['daybook merchant remove 700009', 'keeps its credentials']))
    .action((code, options, command) =>
      perform(command, async (context) => (await import('./remove.ts')).remove(context, code, options)),
    );
  merchant
    .command('show')
    .description('Shows the settings of a merchant as they are used, and where each comes from.')
    .argument('<code>', 'the merchant')
    .addHelpText('after', examples(['daybook merchant show 700009', 'shows all settings']))
    .action((code, _options, command) =>
      perform(command, async (context) => (await import('./show.ts')).show(context, code)),
    );
  merchant
    .command('list')
    .description('Lists the merchants.')
    .argument('[text]', 'what the code, the name or an address must contain')
    .addHelpText(
      'after',
      examples(
        ['daybook merchant list', 'lists all'],
        ['daybook merchant list coffee', 'lists those with "coffee" in the name'],
      ),
    )
    .action((text, _options, command) =>
      perform(command, async (context) => (await import('./list.ts')).list(context, text)),
    );
}
