import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook invoke`. */
export function addInvoke(program: Program, perform: Perform): void {
  program
    .command('invoke')
    .description('Runs a function of the stage with any event, and prints its answer.')
    .argument('<function>', 'plan, daily-report, alert-check, delivery-watch, mail-events or sweep')
    .argument(
      '[event]',
      'a file, "-" for stdin, JSON text, or the name of a sample; default: lists the samples',
    )
    .addHelpText(
      'after',
      examples(
        ['daybook invoke plan', 'lists the samples of events for plan'],
        ['daybook invoke plan one-day', 'with a sample'],
        [`daybook invoke daily-report '{"merchantCode":"700001","dryRun":true}'`, 'with JSON text'],
        ['daybook invoke mail-events - < event.json', 'with the text on stdin'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when the function ends with an error.')
    .action((functionName, event, _options, command) =>
      perform(command, async (context) => (await import('./invoke.ts')).invoke(context, functionName, event)),
    );
}
