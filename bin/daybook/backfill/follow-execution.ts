import { setTimeout as wait } from 'node:timers/promises';
import { DescribeExecutionCommand, DescribeMapRunCommand, ListMapRunsCommand } from '@aws-sdk/client-sfn';
import type { DescribeExecutionOutput, SFNClient } from '@aws-sdk/client-sfn';
import { beginWork } from '../terminal/progress.ts';
import type { Work } from '../terminal/progress.ts';
import { timeToGo } from './time-to-go.ts';

/** Between two looks. Milliseconds. It grows, because most backfills take minutes. */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 5_000;

/** A round of the state machine: its children, one for each merchant. */
interface Round {
  label: string;
  total: number;
  succeeded: number;
  failed: number;
  startedAt: number;
}

const TITLES = new Map([
  ['FirstRound', 'Reporting the merchants'],
  ['SecondRound', 'Once more for those that failed'],
]);

/** The rounds that have begun, in the order of their start. */
export async function roundsOf(sfn: SFNClient, executionArn: string): Promise<Round[]> {
  const { mapRuns = [] } = await sfn.send(new ListMapRunsCommand({ executionArn }));
  const rounds = await Promise.all(
    mapRuns.map(async ({ mapRunArn, startDate }) => {
      const { itemCounts } = await sfn.send(new DescribeMapRunCommand({ mapRunArn }));
      const { total = 0, succeeded = 0, failed = 0, timedOut = 0, aborted = 0 } = itemCounts ?? {};
      return {
        label: /\/([^/:]+):/.exec(mapRunArn ?? '')?.[1] ?? '',
        total,
        succeeded,
        failed: failed + timedOut + aborted,
        startedAt: startDate?.getTime() ?? 0,
      };
    }),
  );
  return rounds.sort((one, other) => one.startedAt - other.startedAt);
}

/** Shows the newest round: how much of it is done, and how long the rest takes. */
class ShownRounds {
  #label = '';
  #work: Work = beginWork('Planning');

  show(round: Round, now: number): void {
    const { label, total, succeeded, failed, startedAt } = round;
    const title = TITLES.get(label) ?? label;
    if (label !== this.#label) {
      this.#work.stop();
      this.#work = beginWork(title, total);
      this.#label = label;
    }
    const done = succeeded + failed;
    this.#work.done(done);
    const failures = failed === 0 ? [] : [`${failed} failed`];
    const toGo = timeToGo(done, total, now - startedAt);
    this.#work.message(
      [`${title}: ${done} of ${total}`, ...failures, ...(toGo === undefined ? [] : [toGo])].join(', '),
    );
  }

  stop(): void {
    this.#work.stop();
  }
}

/**
 * Follows an execution to its end, and shows how far it is.
 *
 * @param now milliseconds UTC
 * @returns how it ended, `undefined` when the person does not want to wait
 */
export async function followExecution(
  sfn: SFNClient,
  executionArn: string,
  signal: AbortSignal,
  now: () => number,
): Promise<DescribeExecutionOutput | undefined> {
  const shownRounds = new ShownRounds();
  try {
    for (let pause = SHORTEST_WAIT; ; pause = Math.min(pause * 1.5, LONGEST_WAIT)) {
      if (signal.aborted) return undefined;
      const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      if (execution.status !== 'RUNNING' && execution.status !== 'PENDING_REDRIVE') return execution;
      const newest = (await roundsOf(sfn, executionArn)).at(-1);
      if (newest !== undefined) shownRounds.show(newest, now());
      // The person may press Ctrl-C while it waits.
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    shownRounds.stop();
  }
}
