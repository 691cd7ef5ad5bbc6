import { examples } from '../command-line.ts';
import type { Program, Perform } from '../command-line.ts';

/** Declares `daybook lake` and its command. */
export function addLake(program: Program, perform: Perform): void {
  program
    .command('lake')
    .description('Checks the rows of the lake.')
    .addHelpText(...examples(['daybook lake check --stage prod', 'all rules']))
    .command('check')
    .description('Checks the quality rules of the newest days of the lake, as after each daily merge.')
    .addHelpText(
      ...examples(
        ['daybook lake check --stage prod', 'all rules'],
        'Writes no data. Ends with 1 when a rule is broken.',
      ),
    )
    .action(perform(async () => (await import('./check-rules.ts')).checkRules));
}
