import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { epochSeconds, ServiceError } from '../service.ts';
import { jsonTargetService, validated } from '../json-target.ts';
import type { Service } from '../service.ts';
import type { ExecutionStore, StoredExecution, StoredMapRun } from './execution-store.ts';

const startExecution = z.object({
  stateMachineArn: z.string(),
  name: z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .optional(),
  input: z.string().default('{}'),
});
const ofExecution = z.object({ executionArn: z.string() });
const stopExecution = ofExecution.extend({ error: z.string().optional(), cause: z.string().optional() });
const ofMapRun = z.object({ mapRunArn: z.string() });
const listExecutions = z.object({
  stateMachineArn: z.string(),
  statusFilter: z.string().optional(),
  maxResults: z.int().max(1_000).default(0),
  nextToken: z.coerce.number().default(0),
});
const anyKey = z.object({
  stateMachineArn: z.string().optional(),
  executionArn: z.string().optional(),
  mapRunArn: z.string().optional(),
});
const MOST_A_PAGE = 100;

/** Step Functions: starting, describing, listing and stopping executions, and their map runs. */
export function stepFunctionsService(executions: ExecutionStore): Service {
  const machineOf = (arn: string) => {
    const run = executions.machines.get(arn);
    if (run === undefined)
      throw refusal('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
    return run;
  };
  const found = (arn: string): StoredExecution => {
    const execution = executions.all.find((each) => each.arn === arn);
    if (execution === undefined) throw refusal('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return execution;
  };
  return jsonTargetService({
    name: 'stepFunctions',
    version: '1.0',
    target: 'AWSStepFunctions',
    keyOf: (input) => {
      const named = anyKey.safeParse(input).data;
      return named?.stateMachineArn ?? named?.executionArn ?? named?.mapRunArn;
    },
    operations: {
      StartExecution: (request) => {
        const { stateMachineArn: called, name = randomUUID(), input } = validated(startExecution, request);
        const stateMachineArn = unqualified(called);
        const run = machineOf(stateMachineArn);
        assertJson(input);
        const same = executions.all.find(
          (each) => each.stateMachineArn === stateMachineArn && each.name === name,
        );
        // The same request again, as after a lost answer, is the same execution while that runs.
        if (same !== undefined && (same.status !== 'RUNNING' || same.input !== input))
          throw refusal('ExecutionAlreadyExists', `Execution Already Exists: '${same.arn}'`);
        const { arn, startDate } = same ?? executions.start(stateMachineArn, run, name, input);
        return { executionArn: arn, startDate: epochSeconds(startDate) };
      },
      DescribeExecution: (request) => {
        const execution = found(validated(ofExecution, request).executionArn);
        const { input, output, error, cause } = execution;
        return { ...summary(execution), input, output, error, cause };
      },
      ListExecutions: (request) => {
        const {
          stateMachineArn: called,
          statusFilter,
          maxResults,
          nextToken,
        } = validated(listExecutions, request);
        const stateMachineArn = unqualified(called);
        machineOf(stateMachineArn);
        const chosen = executions.all
          .filter((each) => each.stateMachineArn === stateMachineArn)
          .filter(({ status }) => statusFilter === undefined || status === statusFilter)
          .reverse();
        const end = nextToken + (maxResults === 0 ? MOST_A_PAGE : maxResults);
        return {
          executions: chosen.slice(nextToken, end).map(summary),
          ...(end < chosen.length && { nextToken: String(end) }),
        };
      },
      StopExecution: (request) => {
        const { executionArn, error, cause } = validated(stopExecution, request);
        const execution = found(executionArn);
        executions.stop(execution, { error, cause });
        return { stopDate: epochSeconds(execution.stopDate ?? execution.startDate) };
      },
      ListMapRuns: (request) => {
        const { mapRuns } = found(validated(ofExecution, request).executionArn);
        // The service promises no order. A caller that relies on the order of the start fails here.
        return { mapRuns: [...mapRuns].reverse().map(mapRunSummary) };
      },
      DescribeMapRun: (request) => {
        const { mapRunArn } = validated(ofMapRun, request);
        const mapRun = executions.all.flatMap(({ mapRuns }) => mapRuns).find(({ arn }) => arn === mapRunArn);
        if (mapRun === undefined) throw refusal('ResourceNotFound', `Resource not found: '${mapRunArn}'`);
        return described(mapRun);
      },
    },
  });
}

/** A state machine's ARN without the version or the alias that a caller may name. The sandbox has one version of each. */
function unqualified(arn: string): string {
  return arn.split(':').slice(0, 7).join(':');
}

function assertJson(input: string): void {
  try {
    JSON.parse(input);
  } catch {
    throw refusal('InvalidExecutionInput', "Invalid State Machine Execution Input: 'the text is not JSON'");
  }
}

function summary({ arn, stateMachineArn, name, status, startDate, stopDate }: StoredExecution) {
  return { executionArn: arn, stateMachineArn, name, status, ...dates(startDate, stopDate) };
}

function mapRunSummary({ arn, execution, startDate, stopDate }: StoredMapRun) {
  const { arn: executionArn, stateMachineArn } = execution;
  return { executionArn, mapRunArn: arn, stateMachineArn, ...dates(startDate, stopDate) };
}

function described(mapRun: StoredMapRun) {
  const { arn, execution, total, succeeded, failed, startDate, stopDate } = mapRun;
  const isAborted = execution.status === 'ABORTED' && succeeded + failed < total;
  const open = total - succeeded - failed - mapRun.running;
  const counts = {
    total,
    pending: isAborted ? 0 : open,
    running: isAborted ? 0 : mapRun.running,
    succeeded,
    failed,
    timedOut: 0,
    aborted: isAborted ? open + mapRun.running : 0,
    resultsWritten: stopDate === undefined || isAborted ? 0 : succeeded + failed,
  };
  return {
    mapRunArn: arn,
    executionArn: execution.arn,
    status: stopDate === undefined ? 'RUNNING' : isAborted ? 'ABORTED' : 'SUCCEEDED',
    ...dates(startDate, stopDate),
    maxConcurrency: 0,
    toleratedFailurePercentage: 100,
    toleratedFailureCount: 0,
    itemCounts: counts,
    executionCounts: counts,
  };
}

function dates(startDate: Date, stopDate: Date | undefined) {
  return {
    startDate: epochSeconds(startDate),
    ...(stopDate !== undefined && { stopDate: epochSeconds(stopDate) }),
  };
}

function refusal(code: string, message: string): ServiceError {
  return new ServiceError(400, code, message);
}
