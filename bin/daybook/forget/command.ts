import { described } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** Declares `daybook customer` and its command. */
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
    .action(perform(async () => (await import('./customer.ts')).forgetCustomer));
}
