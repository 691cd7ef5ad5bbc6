import type { FunctionName } from '#lib/functions.ts';
import type { Draws } from '../draws.ts';
import { drawDeath, type EnvironmentPool } from '../environments/pool.ts';
import type { Counts } from '../tally.ts';
import type { Weather } from './weather.ts';

/** A function threw an error or died. `name` is the name that Lambda reports. */
export class FunctionFailure extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Lambda tries an asynchronous call two more times. */
const UNATTENDED_TRIES = 3;

export type Invoker = ReturnType<typeof createInvoker>;

/** Lambda: calls the functions, and kills some of them. */
export function createInvoker(
  pool: EnvironmentPool,
  draws: Draws,
  counts: Counts,
  weather: Pick<Weather, 'isCalm'>,
) {
  /**
   * Calls a function and waits for its answer.
   *
   * @param identity names the invocation; a second try of the same one gets new random numbers
   * @throws {FunctionFailure} when the function throws or dies
   */
  async function invoke(functionName: FunctionName, event: unknown, identity: string): Promise<unknown> {
    const random = draws.next('invocation', functionName, identity);
    const death = weather.isCalm ? undefined : drawDeath(functionName, random);
    counts.invocations.add(functionName);
    const outcome = await pool.invoke(functionName, event, death);
    if ('answer' in outcome) return outcome.answer;
    if ('killed' in outcome) {
      if (death === undefined)
        throw new Error(`${functionName} (${identity}) ended by itself: ${outcome.killed}`);
      counts.kills.add(functionName);
      throw new FunctionFailure(random.pick(['Runtime.ExitError', 'Lambda.Unknown']), outcome.killed);
    }
    counts.failures.add(outcome.error.name);
    throw new FunctionFailure(outcome.error.name, outcome.error.message);
  }

  return {
    invoke,
    /** As EventBridge does: at most three times. `undefined` when every call failed and the event is a dead letter. */
    unattended: async (
      functionName: FunctionName,
      event: unknown,
      identity: string,
    ): Promise<{ answer: unknown } | undefined> => {
      for (let tries = 1; tries <= UNATTENDED_TRIES; tries += 1) {
        try {
          return { answer: await invoke(functionName, event, identity) };
        } catch (error) {
          if (!(error instanceof FunctionFailure)) throw error;
        }
      }
      counts.other.add('dead letters');
      return undefined;
    },
  };
}
