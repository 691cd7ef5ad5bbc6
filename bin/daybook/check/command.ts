import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import type { Perform } from '../perform.ts';

/** Declares `daybook check`. */
export function addCheck(program: Program, perform: Perform): void {
  program
    .command('check')
    .description('Finds every problem of a registry and a secret, each with its line, without a network.')
    .argument('[registry]', 'the file of the registry, "-" for stdin')
    .option('--secret <file>', 'the file of the secret; its values are never shown')
    .option(
      '--origins <list>',
      "the origins that the registry may name, with commas between; default: the stage's",
    )
    .addHelpText(
      'after',
      examples(
        ['daybook check merchants.json', 'the registry alone'],
        ['daybook check merchants.json --secret secret.json', 'both, and whether they agree'],
        ['daybook check merchants.json --stage prod', 'also with the origins in lib/stages/prod.json'],
        ['daybook check merchants.json --json', 'the problems, for a script'],
      ),
    )
    .addHelpText('after', '\nEnds with 1 when there is a problem, and with 2 when a file cannot be read.')
    .action((registry, options, command) =>
      perform(command, async (context) => (await import('./check.ts')).check(context, registry, options)),
    );
}
