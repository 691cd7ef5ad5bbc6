import { described, wholeNumber, type Program, type Perform } from '../command-line.ts';

const STOPPED = `
Daybook has a suppression list: an address on it is "stopped". It gets no report and no alert. A bounce or a complaint
stops an address by itself. SES has a list of its own, for the whole account. "list" and "remove" look at both.
A reader can stop the mails of one kind. "list" shows that, too; "remove" leaves it, unless you say --reader.`;

export function addSuppression(program: Program, perform: Perform): void {
  const suppression = described(
    program.command('suppression'),
    'Lists the stopped addresses, which get no mail, and adds or removes one.',
    ['daybook suppression list', 'who gets no mail, and why'],
    ['daybook suppression remove owner@example.com', 'lets that address get mail again'],
  ).addHelpText('after', STOPPED);
  described(
    suppression.command('list'),
    'Lists the stopped addresses, by Daybook or by SES, with the reason and the merchants.',
    ['daybook suppression list --json', 'the same for a script'],
  ).action(perform(async () => (await import('./suppression.ts')).list));
  described(suppression.command('add'), 'Stops all reports and alerts to an address.', [
    'daybook suppression add owner@example.com --reason "asked us to"',
    'it gets no mail from now on',
  ])
    .argument('<address>', 'the address, such as owner@example.com')
    .option('--reason <words>', 'why it is stopped; ledgers quote it', 'stopped by an operator')
    .action(perform(async () => (await import('./suppression.ts')).add));
  described(
    suppression.command('remove'),
    'Lets an address get mail again: removes it from the lists of Daybook and of SES.',
    ['daybook suppression remove owner@example.com', 'removes the stop, and lists the mails that it missed'],
  )
    .argument('<address>', 'the address, such as owner@example.com')
    .option('--reader', 'lift also what its reader stopped with one click')
    .option('--days <number>', 'how many days back to look for mails that it missed', wholeNumber(0, 31), 7)
    .action(perform(async () => (await import('./suppression.ts')).remove));
}
