import { StateMachine } from 'aws-local-stepfunctions';
import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import * as z from 'zod';
import type { Definition, State } from './definition.ts';

/*
 * Runs rendered states on this machine. `aws-local-stepfunctions` runs them, with retries, catchers and inline maps. What a
 * task does comes from the caller.
 */

const MOST_BYTES = 256 * 1024;
/** The part that `aws-local-stepfunctions` reads itself. This is stricter than its own types. */
const runnableSchema = z.custom<StateMachineDefinition>();

export type Json = z.core.util.JSONType;

/** How the states ended. */
export interface StatesEnd {
  status: 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  output?: unknown;
  error?: string;
  cause?: string;
}

export interface StatesOptions {
  /** Does what a task asks for. The states see the name and the message of a thrown error. */
  perform: (task: { name: string; state: State }, parameters: unknown) => Promise<Json>;
  payloads: Payloads;
  /** The names of the states in the order in which they are entered; new ones are added. */
  entered?: string[];
  /** What a state sees as the time at which it was entered. Default: the machine's clock. */
  now?: () => Date;
  /** Stops the execution. */
  signal?: AbortSignal;
}

/** Checks every input and result against the limit of the service. */
export class Payloads {
  /** The size of the largest, bytes. */
  largest = 0;

  /** The value as it arrives. @throws `States.DataLimitExceeded` above 256 KiB */
  carry(value: unknown): Json {
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    this.largest = Math.max(this.largest, bytes);
    if (bytes > MOST_BYTES) throw named('States.DataLimitExceeded', `${bytes} bytes`);
    return z.json().parse(JSON.parse(text));
  }
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** An error as the States Language knows it: by its name. */
export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** Every task with its name, including those of inline maps and branches. */
function tasksOf({ States }: Pick<Definition, 'States'>): [string, State][] {
  return Object.entries(States).flatMap(([name, state]): [string, State][] => {
    const { ItemProcessor, Branches = [] } = state;
    const inside = [...(ItemProcessor === undefined ? [] : [ItemProcessor]), ...Branches].flatMap(tasksOf);
    return state.Type === 'Task' ? [[name, state], ...inside] : inside;
  });
}

/** Runs the states on an input, until they end or are stopped. No retry waits. */
export async function runStates(
  states: Definition,
  input: unknown,
  { perform, payloads, entered, now = () => new Date(), signal }: StatesOptions,
): Promise<StatesEnd> {
  const tasks = tasksOf(states);
  const { StartAt, States } = states;
  const machine = new StateMachine(runnableSchema.parse({ StartAt, States }), {
    validationOptions: { noValidate: true },
  });
  let isOver = false;
  const run = machine.run(payloads.carry(input), {
    context: {
      State: {
        get EnteredTime() {
          return now().toISOString();
        },
      },
    },
    overrides: {
      taskResourceLocalHandlers: Object.fromEntries(
        tasks.map(([name, state]) => [
          name,
          async (parameters: unknown) => {
            // The library goes on with the items of a map after one of them has failed. The service does not.
            if (isOver) return new Promise<Json>(() => undefined);
            return perform({ name, state }, parameters);
          },
        ]),
      ),
      retryIntervalOverrides: Object.fromEntries(tasks.map(([name]) => [name, 0])),
    },
  });
  const stop = () => run.abort();
  signal?.addEventListener('abort', stop);
  const watched = (async () => {
    for await (const event of run.eventLogs) {
      if (event.type === 'StateEntered') entered?.push(event.state.name);
    }
  })();
  try {
    return { status: 'SUCCEEDED', output: payloads.carry(await run.result) };
  } catch (thrown) {
    const error = errorOf(thrown);
    if (signal?.aborted === true) return { status: 'ABORTED' };
    const failure = error.cause === undefined ? error : errorOf(error.cause);
    return { status: 'FAILED', error: failure.name, cause: failure.message };
  } finally {
    isOver = true;
    signal?.removeEventListener('abort', stop);
    await watched;
  }
}
