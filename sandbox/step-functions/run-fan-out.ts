import { StateMachine } from 'aws-local-stepfunctions';
import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import pLimit from 'p-limit';
import * as z from 'zod';
import { asDistributedMap } from './definition.ts';
import type { Definition, DistributedMap, State } from './definition.ts';
import type { ChildEnd, Execution, FanOutWorld } from './execution.ts';
import { writeResults } from './map-results.ts';

/*
 * Runs a rendered definition on this machine. `aws-local-stepfunctions` runs the states, with retries, catchers and inline
 * maps. It lacks parts of a Distributed Map, which are here, as the service's documentation describes them:
 * items are read from an object, put in batches and run as children; results go into files by how the children
 * ended, with a manifest.
 */

const MOST_BYTES = 256 * 1024;

const invocationSchema = z.object({
  FunctionName: z.string(),
  Payload: z.record(z.string(), z.unknown()),
});
const membersSchema = z.record(z.string(), z.unknown());
/** The part that `aws-local-stepfunctions` reads itself. This is stricter than its own types. */
const runnableSchema = z.custom<StateMachineDefinition>();

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** The value at a reference path such as `$.plan.itemsKey`. */
function at(path: string, input: unknown): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((value, member) => membersSchema.parse(value)[member], input);
}

/** The names of all tasks, including those of inline maps. */
function taskNames({ States }: Pick<Definition, 'States'>): string[] {
  return Object.entries(States).flatMap(([name, state]) => [
    ...(state.Type === 'Task' || asDistributedMap(state) !== undefined ? [name] : []),
    ...(state.ItemProcessor === undefined ? [] : taskNames(state.ItemProcessor)),
  ]);
}

/** Runs the definition on an input, as `StartExecution` does. */
export async function runFanOut(
  definition: Definition,
  input: unknown,
  world: FanOutWorld,
): Promise<Execution> {
  const execution: Execution = {
    status: 'SUCCEEDED',
    entered: [],
    calls: [],
    mapRuns: [],
    largestPayload: 0,
    mostCallsOfAMerchant: 0,
  };
  const callsUnderWay = new Map<string, number>();

  /** The size on the wire. The service accepts 256 KiB. */
  function carried(value: unknown): z.core.util.JSONType {
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    execution.largestPayload = Math.max(execution.largestPayload, bytes);
    if (bytes > MOST_BYTES) throw named('States.DataLimitExceeded', `${bytes} bytes`);
    return z.json().parse(JSON.parse(text));
  }

  async function invoke(parameters: unknown): Promise<z.core.util.JSONType> {
    const { FunctionName, Payload } = invocationSchema.parse(parameters);
    const functionName = FunctionName.split(':').at(-1) ?? '';
    const call = { functionName, event: membersSchema.parse(carried(Payload)) };
    execution.calls.push(call);
    const who = String(call.event['merchantCode']);
    const underWay = (callsUnderWay.get(who) ?? 0) + 1;
    callsUnderWay.set(who, underWay);
    execution.mostCallsOfAMerchant = Math.max(execution.mostCallsOfAMerchant, underWay);
    try {
      return carried({ ExecutedVersion: '$LATEST', Payload: await world.invoke(call), StatusCode: 200 });
    } catch (error) {
      const { name, message } = errorOf(error);
      throw named(name, JSON.stringify({ errorMessage: message, errorType: name, trace: [] }));
    } finally {
      callsUnderWay.set(who, (callsUnderWay.get(who) ?? 0) - 1);
    }
  }

  async function runMap(state: DistributedMap, stateInput: unknown): Promise<z.core.util.JSONType> {
    const { Label, ItemReader, ItemBatcher, ItemProcessor, MaxConcurrency } = state;
    const itemsKey = z.string().parse(at(ItemReader.Parameters['Key.$'], stateInput));
    const items = z.array(z.unknown()).parse(JSON.parse(await world.read(itemsKey)));
    const size = ItemBatcher?.MaxItemsPerBatch;
    const inputs =
      size === undefined
        ? items
        : Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
            Items: items.slice(index * size, (index + 1) * size),
          }));
    const limit = pLimit(MaxConcurrency);
    const listener = world.mapBegins?.(Label, inputs.length);
    let atOnce = 0;
    let mostAtOnce = 0;
    const children = await Promise.all(
      inputs.map((childInput) =>
        limit(async () => {
          atOnce += 1;
          mostAtOnce = Math.max(mostAtOnce, atOnce);
          listener?.childBegins();
          const end = await runStates(ItemProcessor, carried(childInput));
          atOnce -= 1;
          listener?.childEnds(end.status);
          return end;
        }),
      ),
    );
    const { manifest, manifestKey } = await writeResults(state, children, world.write, listener?.arn);
    listener?.ends();
    execution.mapRuns.push({ label: Label, children, mostAtOnce, manifestKey });
    const failed = children.filter(({ status }) => status === 'FAILED').length;
    if ((failed * 100) / children.length > state.ToleratedFailurePercentage) {
      throw named('States.ExceedToleratedFailureThreshold', `${failed} of ${children.length}`);
    }
    return {
      MapRunArn: manifest.MapRunArn,
      ResultWriterDetails: { Bucket: manifest.DestinationBucket, Key: manifestKey },
    };
  }

  async function runStates(states: Definition, statesInput: unknown, entered?: string[]): Promise<ChildEnd> {
    const distributed = new Map(
      Object.entries(states.States).flatMap(([name, state]) => {
        const map = asDistributedMap(state);
        return map === undefined ? [] : [[name, map] as const];
      }),
    );
    const runnable = {
      StartAt: states.StartAt,
      States: Object.fromEntries(
        Object.entries(states.States).map(([name, state]) => [
          name,
          distributed.has(name) ? asTask(state) : state,
        ]),
      ),
    };
    const names = taskNames(states);
    const machine = new StateMachine(runnableSchema.parse(runnable), {
      validationOptions: { noValidate: true },
    });
    const run = machine.run(carried(statesInput), {
      overrides: {
        taskResourceLocalHandlers: Object.fromEntries(
          names.map((name) => {
            const map = distributed.get(name);
            return [name, map === undefined ? invoke : (mapInput: unknown) => runMap(map, mapInput)];
          }),
        ),
        // Nothing waits here.
        retryIntervalOverrides: Object.fromEntries(names.map((name) => [name, 0])),
      },
    });
    const watched = (async () => {
      for await (const event of run.eventLogs) {
        if (event.type === 'StateEntered') entered?.push(event.state.name);
      }
    })();
    try {
      return { status: 'SUCCEEDED', input: statesInput, output: carried(await run.result) };
    } catch (thrown) {
      const error = errorOf(thrown);
      const failure = error.cause === undefined ? error : errorOf(error.cause);
      return { status: 'FAILED', input: statesInput, error: failure.name, cause: failure.message };
    } finally {
      await watched;
    }
  }

  const { input: _, ...end } = await runStates(definition, carried(input), execution.entered);
  return Object.assign(execution, end);
}

/** A Distributed Map as a task, which this file then runs. Input, result and retries are handled in the same way. */
function asTask({ Next, End, ResultSelector, ResultPath, Retry }: State): State {
  const kept = { Next, End, ResultSelector, ResultPath, Retry };
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::test:map',
    TimeoutSeconds: 600,
    ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
  };
}
