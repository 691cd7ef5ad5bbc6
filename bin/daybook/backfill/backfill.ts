import { randomUUID } from 'node:crypto';
import { ExecutionDoesNotExist, InvalidArn, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { requestHandler } from '#aws/aws-clients.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, InterruptedError, UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { followExecution, roundsOf } from './follow-execution.ts';
import { backfillEvent, sizeInWords, sizeOfBackfill } from './planned-backfill.ts';
import type { BackfillEvent, BackfillOptions } from './planned-backfill.ts';
import { readFailures } from './read-failures.ts';
import { showEnd } from './show-end.ts';
import type { BackfillResult } from './show-end.ts';

/** The most reports that are started without a question. */
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
    const checks = new S3SnapshotStore(stage.s3(), stage.bucket);
    const execution = await followExecution(sfn, executionArn, checks, signal, context.now).catch(
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

/** @returns the execution's ARN */
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
