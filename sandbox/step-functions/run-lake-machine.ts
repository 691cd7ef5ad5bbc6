import { setTimeout as wait } from 'node:timers/promises';
import {
  AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  StartQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import * as z from 'zod';
import type { Definition } from './definition.ts';
import { Payloads, errorOf, named, runStates } from './run-states.ts';
import type { Json, StatesEnd } from './run-states.ts';

/** Where an execution runs. */
export interface LakeMachineWorld {
  /** The URL of Athena. */
  athena: string;
  /** What a state sees as the time. */
  now?: () => Date;
  /** Is called before a task begins and after it has ended well. */
  watch?: (when: 'before' | 'after', stateName: string) => void;
  /** Stops the execution. */
  signal?: AbortSignal;
}

/** How an execution ended, and what it did. */
export interface LakeExecution extends StatesEnd {
  /** The states that were entered, in their order. */
  entered: string[];
  /** Every query that was started: its state, and the text. */
  statements: { stateName: string; sql: string }[];
  /** The requests to CloudWatch. */
  metrics: unknown[];
  /** The size of the largest input or result, bytes. */
  largestPayload: number;
}

const querySchema = z.object({
  QueryString: z.string(),
  WorkGroup: z.string(),
  QueryExecutionContext: z.object({ Database: z.string(), Catalog: z.string() }),
});
const resultsSchema = z.object({ QueryExecutionId: z.string(), MaxResults: z.int() });
const PAUSE_MILLISECONDS = 20;
/** A stopped execution gets no answer. */
const NEVER = new Promise<never>(() => undefined);

/** Runs the definition on an input, as `StartExecution` does. Its tasks are calls of Athena, by the SDK. */
export async function runLakeMachine(
  definition: Definition,
  input: unknown,
  { athena, now, watch, signal }: LakeMachineWorld,
): Promise<LakeExecution> {
  const client = new AthenaClient({
    endpoint: athena,
    region: 'us-east-1',
    credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
    maxAttempts: 1,
  });
  const payloads = new Payloads();
  const entered: string[] = [];
  const statements: LakeExecution['statements'] = [];
  const metrics: unknown[] = [];

  /** Starts a query and waits for its end. The service gives a failed query this name, and its description as the cause. */
  async function query(stateName: string, parameters: unknown): Promise<unknown> {
    const request = querySchema.parse(parameters);
    statements.push({ stateName, sql: request.QueryString });
    const { QueryExecutionId } = await client.send(new StartQueryExecutionCommand(request));
    for (;;) {
      const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId }));
      const state = QueryExecution?.Status?.State;
      if (state === 'SUCCEEDED') return { QueryExecution };
      if (state !== 'RUNNING' && state !== 'QUEUED')
        throw named('States.TaskFailed', JSON.stringify({ QueryExecution }));
      await wait(PAUSE_MILLISECONDS);
    }
  }

  async function call(stateName: string, resource: string, parameters: unknown): Promise<unknown> {
    switch (resource.replace(/^arn:aws:states:::/, '')) {
      case 'athena:startQueryExecution.sync':
        return query(stateName, parameters);
      case 'athena:getQueryResults': {
        const { $metadata: _, ...results } = await client.send(
          new GetQueryResultsCommand(resultsSchema.parse(parameters)),
        );
        return results;
      }
      case 'aws-sdk:cloudwatch:putMetricData':
        metrics.push(parameters);
        return {};
      default:
        throw new Error(`no runner for ${resource}`);
    }
  }

  // Asked twice: it may become true while a call is under way.
  const isStopped = () => signal?.aborted === true;
  const end = await runStates(definition, input, {
    perform: async ({ name, state }, parameters): Promise<Json> => {
      watch?.('before', name);
      if (isStopped()) return NEVER;
      let result: unknown;
      try {
        result = await call(name, z.string().parse(state['Resource']), payloads.carry(parameters));
      } catch (thrown) {
        const { name: errorName, message } = errorOf(thrown);
        throw named(errorName.startsWith('States.') ? errorName : `Athena.${errorName}`, message);
      }
      watch?.('after', name);
      if (isStopped()) return NEVER;
      return payloads.carry(result);
    },
    payloads,
    entered,
    ...(now !== undefined && { now }),
    ...(signal !== undefined && { signal }),
  });
  client.destroy();
  return { ...end, entered, statements, metrics, largestPayload: payloads.largest };
}
