import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** Declares `daybook suppression` and its commands. */
export function addSuppression(program: Program): void {
  const suppression = program
    .command('suppression')
    .description('The addresses that get no mail: why, since when, and how to change it.')
    .addHelpText(
      'after',
      examples(
        ['daybook suppression list', 'who gets no mail, and why'],
        ['daybook suppression remove owner@example.com', 'let that address have mail again'],
      ),
    );
  suppression
    .command('list')
    .description(
      'Lists the addresses that get no mail, by Daybook or by SES, with the reason and the merchants.',
    )
    .option('--all', 'also addresses on the list of SES that no merchant has')
    .addHelpText('after', examples(['daybook suppression list --json', 'the same for a program']))
    .action((options, command) =>
      perform(command, async (context) => (await import('./list.ts')).list(context, options)),
    );
  suppression
    .command('add')
    .description('Stops all reports and alerts to an address.')
    .argument('<address>', 'the address of a recipient')
    .option('--reason <words>', 'why; ledgers quote it', 'stopped by an operator')
    .addHelpText(
      'after',
      examples([
        'daybook suppression add owner@example.com --reason "asked us to"',
        'it gets no mail from now on',
      ]),
    )
    .action((address, options, command) =>
      perform(command, async (context) => (await import('./add.ts')).add(context, address, options)),
    );
  suppression
    .command('remove')
    .description('Lets an address have mail again: removes it from the lists of Daybook and of SES.')
    .argument('<address>', 'the address of a recipient')
    .option('--days <number>', 'how many days back to look for mails that it missed', '7')
    .addHelpText(
      'after',
      examples(['daybook suppression remove owner@example.com', 'and see which mails it missed']),
    )
    .action((address, options, command) =>
      perform(command, async (context) => (await import('./remove.ts')).remove(context, address, options)),
    );
}
