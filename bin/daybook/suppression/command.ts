import { examples } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

/** Declares `daybook suppression` and its commands. */
export function addSuppression(program: Program, perform: Perform): void {
  const suppression = program
    .command('suppression')
    .description('Lists the stopped addresses, which get no mail, and adds or removes one.')
    .addHelpText(
      ...examples(
        ['daybook suppression list', 'who gets no mail, and why'],
        ['daybook suppression remove owner@example.com', 'lets that address get mail again'],
      ),
    )
    .addHelpText(
      'after',
      `
Daybook has a suppression list: an address on it is "stopped". It gets no report and no alert. A bounce or a complaint
stops an address by itself. SES has a list of its own, for the whole account. "list" and "remove" look at both.
A reader can stop the mails of one kind. "list" shows that, too; "remove" leaves it, unless you say --reader.`,
    );
  suppression
    .command('list')
    .description('Lists the stopped addresses, by Daybook or by SES, with the reason and the merchants.')
    .option('--all', 'list also the addresses on the list of SES that no merchant and no group has')
    .addHelpText(...examples(['daybook suppression list --json', 'the same for a script']))
    .action(perform(async () => (await import('./suppression.ts')).list));
  suppression
    .command('add')
    .description('Stops all reports and alerts to an address.')
    .argument('<address>', 'the address, such as owner@example.com')
    .option('--reason <words>', 'why it is stopped; ledgers quote it', 'stopped by an operator')
    .addHelpText(
      ...examples([
        'daybook suppression add owner@example.com --reason "asked us to"',
        'it gets no mail from now on',
      ]),
    )
    .action(perform(async () => (await import('./suppression.ts')).add));
  suppression
    .command('remove')
    .description('Lets an address get mail again: removes it from the lists of Daybook and of SES.')
    .argument('<address>', 'the address, such as owner@example.com')
    .option('--reader', 'lift also what its reader stopped with one click')
    .option('--days <number>', 'how many days back to look for mails that it missed', '7')
    .addHelpText(
      ...examples([
        'daybook suppression remove owner@example.com',
        'removes the stop, and lists the mails that it missed',
      ]),
    )
    .action(perform(async () => (await import('./suppression.ts')).remove));
}
