import { InvalidArgumentError } from 'commander';
import { examples } from '../command-line.ts';
import type { Program } from '../command-line.ts';
import { perform } from '../perform.ts';

/** The latency that docs/scale.md computes with. Milliseconds. */
const USUAL_LATENCY = 40;
const LONGEST = 60_000;

function milliseconds(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= LONGEST) return number;
  throw new InvalidArgumentError(`must be a whole number of milliseconds, ${LONGEST} at most.`);
}

/** Declares `daybook cost`. */
export function addCost(program: Program): void {
  program
    .command('cost')
    .description('Computes what a stage costs a day, at its present merchants, statements and settings.')
    .option('--latency <ms>', 'how long a request to the payment service takes', milliseconds, USUAL_LATENCY)
    .addHelpText(
      'after',
      examples(
        ['daybook cost --stage prod', 'the bill of a day, line by line, and what it is computed from'],
        ['daybook cost --stage prod --latency 200', 'the same for a slower payment service'],
      ),
    )
    .action(async ({ latency }, command) => {
      await perform(command, async (context) => {
        const { cost } = await import('./cost.ts');
        return cost(context, latency);
      });
    });
}
