import pLimit from 'p-limit';
import * as z from 'zod';
import { asDistributedMap } from './definition.ts';
import type { Definition, DistributedMap, State } from './definition.ts';
import type { ChildEnd, Execution, FanOutWorld } from './execution.ts';
import { Payloads, errorOf, named, runStates } from './run-states.ts';
import type { Json } from './run-states.ts';
import { randomUUID } from 'node:crypto';

/** Writes the result files of a Distributed Map, by how the children ended, and their manifest. */
async function writeResults(
  { Label, ResultWriter }: DistributedMap,
  children: readonly ChildEnd[],
  write: FanOutWorld['write'],
  mapRunArn = `arn:aws:states:eu-central-1:111122223333:mapRun:test/${Label}:${randomUUID()}`,
) {
  const directory = `${ResultWriter.Parameters.Prefix}/${randomUUID()}`;
  const files: Record<'FAILED' | 'PENDING' | 'SUCCEEDED', { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const status of ['FAILED', 'SUCCEEDED'] as const) {
    const ended = children.filter((child) => child.status === status);
    if (ended.length === 0) continue;
    const text = JSON.stringify(ended.map(childRecord));
    const key = `${directory}/${status}_0.json`;
    await write(key, text);
    files[status].push({ Key: key, Size: Buffer.byteLength(text) });
  }
  const manifestKey = `${directory}/manifest.json`;
  const { Bucket } = ResultWriter.Parameters;
  const manifest = { DestinationBucket: Bucket, MapRunArn: mapRunArn, ResultFiles: files };
  await write(manifestKey, JSON.stringify(manifest));
  return { manifest, manifestKey };
}

/** A child in a result file. */
function childRecord(
  { status, input, output, error, cause }: ChildEnd,
  index: number,
): Record<string, unknown> {
  return {
    ...(status === 'FAILED' ? { Cause: cause, Error: error } : { Output: JSON.stringify(output) }),
    ExecutionArn: `arn:aws:states:eu-central-1:111122223333:execution:test/Map:child-${index}`,
    Input: JSON.stringify(input),
    InputDetails: { Included: true },
    Name: `child-${index}`,
    OutputDetails: { Included: true },
    RedriveCount: 0,
    RedriveStatus: 'NOT_REDRIVABLE',
    StartDate: '2026-11-21T03:00:21.000Z',
    StateMachineArn: 'arn:aws:states:eu-central-1:111122223333:stateMachine:test/Map',
    Status: status,
    StopDate: '2026-11-21T03:00:29.000Z',
  };
}

/*
 * Runs a rendered definition on this machine. The states run as `run-states.ts` describes. `aws-local-stepfunctions` lacks
 * parts of a Distributed Map, which are here, as the service's documentation describes them: items are read from an
 * object, put in batches and run as children; results go into files by how the children ended, with a manifest.
 */

const invocationSchema = z.object({
  FunctionName: z.string(),
  Payload: z.record(z.string(), z.unknown()),
});
const membersSchema = z.record(z.string(), z.unknown());

/** The value at a reference path such as `$.plan.itemsKey`. */
function at(path: string, input: unknown): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((value, member) => membersSchema.parse(value)[member], input);
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
  const payloads = new Payloads();

  async function invoke(parameters: unknown): Promise<Json> {
    const { FunctionName, Payload } = invocationSchema.parse(parameters);
    const functionName = /:function:([^:]+)/.exec(FunctionName)?.[1] ?? '';
    const call = { functionName, event: membersSchema.parse(payloads.carry(Payload)) };
    execution.calls.push(call);
    const who = String(call.event['merchantCode']);
    const underWay = (callsUnderWay.get(who) ?? 0) + 1;
    callsUnderWay.set(who, underWay);
    execution.mostCallsOfAMerchant = Math.max(execution.mostCallsOfAMerchant, underWay);
    try {
      return payloads.carry({
        ExecutedVersion: '$LATEST',
        Payload: await world.invoke(call),
        StatusCode: 200,
      });
    } catch (error) {
      const { name, message } = errorOf(error);
      throw named(name, JSON.stringify({ errorMessage: message, errorType: name, trace: [] }));
    } finally {
      callsUnderWay.set(who, (callsUnderWay.get(who) ?? 0) - 1);
    }
  }

  async function runMap(state: DistributedMap, stateInput: unknown): Promise<Json> {
    const { Label, ItemReader, ItemBatcher, ItemProcessor } = state;
    const itemsKey = z.string().parse(at(ItemReader.Parameters['Key.$'], stateInput));
    const items = z.array(z.unknown()).parse(JSON.parse(await world.read(itemsKey)));
    const size = ItemBatcher?.MaxItemsPerBatch;
    const inputs =
      size === undefined
        ? items
        : Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
            Items: items.slice(index * size, (index + 1) * size),
          }));
    const limit = pLimit(childrenAtOnce(state, stateInput));
    const listener = world.mapBegins?.(Label, inputs.length);
    let atOnce = 0;
    let mostAtOnce = 0;
    const children = await Promise.all(
      inputs.map((childInput) =>
        limit(async () => {
          atOnce += 1;
          mostAtOnce = Math.max(mostAtOnce, atOnce);
          listener?.childBegins();
          const end = await runChild(ItemProcessor, payloads.carry(childInput));
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

  async function runChild(states: Definition, statesInput: unknown, entered?: string[]): Promise<ChildEnd> {
    const distributed = new Map<string, DistributedMap>();
    const runnable = { ...states, States: withMapsAsTasks(states.States, distributed) };
    const { status, ...end } = await runStates(runnable, statesInput, {
      perform: ({ name }, parameters) => {
        const map = distributed.get(name);
        return map === undefined ? invoke(parameters) : runMap(map, parameters);
      },
      payloads,
      ...(entered !== undefined && { entered }),
    });
    return { status: status === 'SUCCEEDED' ? status : 'FAILED', input: statesInput, ...end };
  }

  const { input: _, ...end } = await runChild(definition, payloads.carry(input), execution.entered);
  return Object.assign(execution, end, { largestPayload: payloads.largest });
}

/** How many children run at the same time: a number, or one that a path of the input names. */
function childrenAtOnce({ MaxConcurrency, MaxConcurrencyPath }: DistributedMap, input: unknown): number {
  return z
    .int()
    .min(1)
    .parse(MaxConcurrencyPath === undefined ? MaxConcurrency : at(MaxConcurrencyPath, input));
}

/** The states, with each Distributed Map as a task, also in branches. @param found gets the maps by the names of their states */
function withMapsAsTasks(
  states: Record<string, State>,
  found: Map<string, DistributedMap>,
): Record<string, State> {
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => {
      const map = asDistributedMap(state);
      if (map !== undefined) {
        found.set(name, map);
        return [name, asTask(state)];
      }
      const { Branches } = state;
      if (Branches === undefined) return [name, state];
      const branches = Branches.map((branch) => ({
        ...branch,
        States: withMapsAsTasks(branch.States, found),
      }));
      return [name, { ...state, Branches: branches }];
    }),
  );
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
