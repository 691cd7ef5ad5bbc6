import { randomUUID } from 'node:crypto';
import { ExecutionDoesNotExist, InvalidArn, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { requestHandler } from '#runtime/aws-clients.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, InterruptedError, UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { followExecution, roundsOf } from './follow-execution.ts';
import { backfillEvent, sizeInWords, sizeOfBackfill } from './planned-backfill.ts';
import type { BackfillEvent, BackfillOptions } from './planned-backfill.ts';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readObject, StoredObjectError } from '#runtime/s3-objects.ts';
import { daysMessageSchema } from '#page/queue-message.ts';
import type { DaysMessage } from '#page/queue-message.ts';
import { storedArray } from '#functions/plan/store/stored-array.ts';

/** A child of a round that failed, as its results have it. */
interface FailedChild {
  Input: DaysMessage;
  /** The name of its first error. */
  Error: string;
  /** Such as `2 of 4 failed: ["2026-11-20: LoginRefusedError", …]`. Any text when Step Functions ended the child. */
  Cause: string;
}

interface FailedDay {
  merchantCode: string;
  day: string;
  /** The name of the error. */
  error: string;
}

const DAY_AND_ERROR = /^(\d{4}-\d\d-\d\d): (.+)$/s;
const failuresSchema = z.array(z.string().regex(DAY_AND_ERROR)).min(1);

function failuresIn(cause: string): [day: string, error: string][] {
  const list = /^\d+ of \d+ failed: (\[.*\])$/s.exec(cause)?.[1];
  if (list === undefined) return [];
  try {
    return failuresSchema.parse(JSON.parse(list)).map((text) => {
      const [, day = '', error = ''] = DAY_AND_ERROR.exec(text) ?? [];
      return [day, error];
    });
  } catch {
    return [];
  }
}

/** The days of a child that failed, each with its error. All of its days where the cause does not name them. */
export function failedDays({ Input: { merchantCode, days }, Error: error, Cause }: FailedChild): FailedDay[] {
  const named = failuresIn(Cause);
  if (named.length === 0) return days.map((day) => ({ merchantCode, day, error }));
  return named.map(([day, name]) => ({ merchantCode, day, error: name }));
}

interface BackfillResult {
  stage: string;
  executionArn: string;
  /** Of Step Functions: `SUCCEEDED`, `FAILED`, `TIMED_OUT` or `ABORTED`. */
  status: string;
  /** How many merchants it had to report. `null` when it did not come so far. */
  merchants: number | null;
  /** How many of them have no failure left. */
  succeeded: number | null;
  failed: readonly FailedDay[];
  /** Of an execution that failed. */
  error: string | null;
  cause: string | null;
}

const MOST_LISTED = 200;

function endInWords({ merchants, succeeded, status, error, cause, failed }: BackfillResult): string {
  const why = [error, cause].filter((text) => text !== null).join(': ');
  if (status === 'ABORTED') return `The backfill was stopped${why === '' ? '' : `: ${why}`}`;
  if (merchants === null || (failed.length === 0 && status !== 'SUCCEEDED'))
    return status === 'SUCCEEDED' ? 'There was nothing to do.' : `The backfill ended as ${status}: ${why}`;
  const done = `${succeeded ?? 0} of ${merchants} merchants are done`;
  if (failed.length === 0) return `${done}: every day is sealed.`;
  const ofMerchants = new Set(failed.map(({ merchantCode }) => merchantCode)).size;
  return `${done}, ${ofMerchants} failed:`;
}

function showEnd({ output, lines }: Pick<CommandContext, 'lines' | 'output'>, result: BackfillResult): void {
  const { failed } = result;
  output.line(shown(endInWords(result), 1_000));
  output.table(
    ['Merchant', 'Day', 'Error'],
    failed.slice(0, MOST_LISTED).map(({ merchantCode, day, error }) => [merchantCode, day, error]),
  );
  if (failed.length > MOST_LISTED)
    output.line(`and ${failed.length - MOST_LISTED} more days; --json lists all of them`);
  const [first] = failed;
  if (first !== undefined)
    output.note(
      `"${lines.daybook('why', first.merchantCode, first.day)}" says more. The same backfill again does only what is left.`,
    );
}

/** Bytes. A manifest names one file for each 5 GB of results. */
const LARGEST_MANIFEST = 1_024 * 1_024;
/** Bytes. */
const LIMITS = { element: 4 * 1_024 * 1_024, whole: Infinity };

const filesSchema = z.array(z.object({ Key: z.string() })).default([]);
const manifestSchema = z.object({ ResultFiles: z.object({ FAILED: filesSchema, PENDING: filesSchema }) });
const inputSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(daysMessageSchema);
const childSchema = z.object({
  Input: inputSchema,
  Error: z.string().default('not started'),
  Cause: z.string().default(''),
});

/**
 * The days that failed in a round, by merchant and day.
 *
 * @param manifestKey the key of the round's results
 * @throws {StoredObjectError} when the results are not there, or are not what Step Functions writes
 */
async function readFailures(s3: S3Client, bucket: string, manifestKey: string): Promise<FailedDay[]> {
  const manifest = await readObject(s3, bucket, manifestKey, manifestSchema, LARGEST_MANIFEST);
  if (manifest === undefined) throw new StoredObjectError(manifestKey, 'is not there');
  const failures: FailedDay[] = [];
  const { FAILED, PENDING } = manifest.value.ResultFiles;
  for (const { Key } of [...FAILED, ...PENDING])
    for await (const child of storedArray(s3, bucket, Key, childSchema, LIMITS))
      failures.push(...failedDays(child));
  const sortKey = ({ merchantCode, day }: FailedDay) => `${merchantCode} ${day}`;
  return failures.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

const MOST_UNASKED = 500;

/** Does `daybook backfill`. */
export async function backfill(
  context: CommandContext,
  options: BackfillOptions & { watch?: string | undefined },
): Promise<ExitStatus> {
  const { watch, ...asked } = options;
  if (watch !== undefined && (asked.from ?? asked.to ?? asked.send ?? asked.merchant) !== undefined)
    throw new UsageError('--watch names a backfill that was started before: give it alone');
  const event = watch === undefined ? backfillEvent(asked) : undefined;
  const stage = await context.stage();
  const sfn = new SFNClient({ maxAttempts: 6, requestHandler: requestHandler(10_000) });
  try {
    if (event !== undefined) await announce(context, stage, event);
    // From here on Ctrl-C must not lose the ARN of an execution that has just started.
    const signal = context.untilInterrupted();
    const executionArn =
      event === undefined ? executionOf(stage, watch ?? '') : await start(stage, sfn, event);
    const { output } = context;
    const again = stage.lines.daybook('backfill', '--watch', executionArn);
    if (event !== undefined) output.note(`started: ${executionArn}`);
    const checks = new SnapshotStore(stage.s3(), stage.bucket);
    const execution = await followExecution(sfn, executionArn, checks, signal, context).catch(
      (error: unknown) => {
        if (error instanceof ExecutionDoesNotExist || error instanceof InvalidArn)
          throw new CommandError(`there is no execution ${shown(executionArn)}`);
        output.note(`The backfill goes on. Follow it with: ${again}`);
        throw error;
      },
    );
    if (execution === undefined) throw new InterruptedError(`The backfill goes on. Follow it with: ${again}`);
    const result = await resultOf(stage, sfn, executionArn, execution);
    output.result(result, () => showEnd(context, result));
    return result.status === 'SUCCEEDED' && result.failed.length === 0 ? 0 : 1;
  } finally {
    sfn.destroy();
  }
}

/** @throws {UsageError} when the ARN is not one of the stage's executions */
function executionOf({ stateMachines: { reports } }: Stage, arn: string): string {
  // An execution's ARN names the state machine without the alias that it was started by.
  const ofMachine = `${reports.replace(':stateMachine:', ':execution:').split(':').slice(0, 7).join(':')}:`;
  if (!arn.startsWith(ofMachine))
    throw new UsageError(`${shown(arn)} is not an execution of this stage: those begin with ${ofMachine}`);
  return arn;
}

/** Says how much it will be, and asks where it is much. @throws {InterruptedError} when the person does not want it */
async function announce(
  { output, questions }: CommandContext,
  stage: Stage,
  event: BackfillEvent,
): Promise<void> {
  const warn = (text: string) => output.note(output.noteStyle('yellow', text));
  const size = await sizeOfBackfill(stage, event, warn);
  output.note(sizeInWords(size, event));
  // The reports are mailed to every recipient of these merchants.
  const asks = event.send === true || size.merchants * size.days > MOST_UNASKED;
  if (asks && !(await questions.confirm('Start it?'))) throw new InterruptedError('nothing was started');
}

async function start(stage: Stage, sfn: SFNClient, event: BackfillEvent): Promise<string> {
  const { executionArn } = await sfn.send(
    new StartExecutionCommand({
      stateMachineArn: stage.stateMachines.reports,
      // A name of its own makes a repeated request, after a lost answer, the same execution.
      name: `backfill-${event.from}-${event.to}-${randomUUID().slice(0, 8)}`,
      input: JSON.stringify(event),
    }),
  );
  if (executionArn === undefined) throw new CommandError('Step Functions started it and did not name it');
  return executionArn;
}

/** The key of the results of the last round that had failures. `undefined` when there is none. */
function resultsKey({ output, cause }: DescribeExecutionOutput): string | undefined {
  const inCause = /Results: (plan\/results\/\S+)$/.exec(cause ?? '')?.[1];
  return inCause ?? /"second":\{"manifestKey":"([^"]+)"\}/.exec(output ?? '')?.[1];
}

async function resultOf(
  stage: Stage,
  sfn: SFNClient,
  executionArn: string,
  execution: DescribeExecutionOutput,
): Promise<BackfillResult> {
  const [first] = await roundsOf(sfn, executionArn);
  const key = resultsKey(execution);
  const failed = key === undefined ? [] : await readFailures(stage.s3(), stage.bucket, key);
  const failing = new Set(failed.map(({ merchantCode }) => merchantCode)).size;
  const isWhole = execution.status === 'SUCCEEDED' || key !== undefined;
  return {
    stage: stage.name,
    executionArn,
    status: execution.status ?? 'unknown',
    merchants: first?.total ?? null,
    succeeded: first === undefined ? null : isWhole ? first.total - failing : first.succeeded,
    failed,
    error: execution.error ?? null,
    cause: execution.cause ?? null,
  };
}
