import { setTimeout as wait } from 'node:timers/promises';
import { DescribeExecutionCommand, DescribeMapRunCommand, ListMapRunsCommand } from '@aws-sdk/client-sfn';
import type { DescribeExecutionOutput, SFNClient } from '@aws-sdk/client-sfn';
import type { CommandContext } from '../context.ts';
import type { Output, Work } from '../terminal/output.ts';
import { counted } from '../terminal/words.ts';
import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';

/** More merchants than these are counted as a whole: to look at each day of each would take too many requests. */
const MOST_MERCHANTS = 20;

const inputSchema = z.object({ merchants: z.array(z.string()).min(1), from: z.string(), to: z.string() });

/** Reads the record of a day's last pull. */
interface LastChecks {
  lastCheck: (merchantCode: string, day: Day) => Promise<Pick<CheckRecord, 'checkedAt'> | undefined>;
}

/**
 * Counts the days that a backfill of few merchants has done. Step Functions counts merchants only, and one merchant may
 * have a year of days.
 *
 * @param input of the execution, JSON
 * @param since when it started. Milliseconds UTC
 * @returns `undefined` for an execution that is no backfill of few merchants
 */
export function daysDone(checks: LastChecks, input: string | undefined, since: number) {
  const event = inputSchema.safeParse(JSON.parse(input ?? 'null')).data;
  if (event === undefined || event.merchants.length > MOST_MERCHANTS) return undefined;
  const days = daysOf(event);
  // Days of a merchant run one after another, in their order.
  const done = new Map(event.merchants.map((merchantCode) => [merchantCode, 0]));
  const isDone = async (merchantCode: string, day: Day | undefined) => {
    if (day === undefined) return false;
    // A record that cannot be read counts as none: this is only for the bar.
    const check = await checks.lastCheck(merchantCode, day).catch(() => undefined);
    return check !== undefined && Date.parse(check.checkedAt) >= since;
  };
  const advance = async ([merchantCode, before]: [string, number]) => {
    let count = before;
    // A run that died leaves no record of its day. The next day's record shows that it is over.
    while ((await isDone(merchantCode, days[count])) || (await isDone(merchantCode, days[count + 1])))
      count += 1;
    done.set(merchantCode, count);
    return count;
  };
  return {
    total: event.merchants.length * days.length,
    /** How many days are done now, with success or not. */
    count: async () => (await Promise.all([...done].map(advance))).reduce((sum, count) => sum + count, 0),
  };
}

const MINUTE = 60_000;

/**
 * How long the rest will take if it goes on as before, in words. `undefined` when that is not known yet, and at the end.
 *
 * @param elapsed milliseconds since the start
 */
export function timeToGo(done: number, total: number, elapsed: number): string | undefined {
  if (done <= 0 || done >= total || elapsed <= 0) return undefined;
  const minutes = Math.ceil(((elapsed / done) * (total - done)) / MINUTE);
  if (elapsed * (total - done) < MINUTE * done) return 'less than a minute to go';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `about ${rest} min to go` : `about ${hours} h ${rest} min to go`;
}

/** Between two looks. Milliseconds. It grows, because most backfills take minutes. */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 5_000;

interface Round {
  label: string;
  total: number;
  succeeded: number;
  failed: number;
  startedAt: number;
}

const FIRST_ROUND = 'FirstRound';
/** The other map of the first round: small merchants of a tick share its children. */
const SHARED_ROUND = 'SharedRound';
const TITLES = new Map([
  [FIRST_ROUND, 'Reporting the merchants'],
  ['SecondRound', 'Once more for those that failed'],
]);

function joined(rounds: readonly Round[]): Round[] {
  const byLabel = new Map<string, Round>();
  for (const round of rounds) {
    const label = round.label === SHARED_ROUND ? FIRST_ROUND : round.label;
    const other = byLabel.get(label) ?? { total: 0, succeeded: 0, failed: 0, startedAt: Infinity };
    byLabel.set(label, {
      label,
      total: round.total + other.total,
      succeeded: round.succeeded + other.succeeded,
      failed: round.failed + other.failed,
      startedAt: Math.min(round.startedAt, other.startedAt),
    });
  }
  return [...byLabel.values()];
}

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
  return joined(rounds).sort((one, other) => one.startedAt - other.startedAt);
}

interface Shown {
  title: string;
  done: number;
  total: number;
  failed: number;
  startedAt: number;
}

/** What is shown of a round: its merchants, or the days of few merchants, which take longer than one look. */
async function shownOf(round: Round, days: ReturnType<typeof daysDone>): Promise<Shown> {
  const { label, total, succeeded, failed, startedAt } = round;
  if (label === FIRST_ROUND && days !== undefined)
    return { title: 'Reporting the days', done: await days.count(), total: days.total, failed, startedAt };
  return { title: TITLES.get(label) ?? label, done: succeeded + failed, total, failed, startedAt };
}

class ShownRounds {
  readonly #output: Output;
  #title = '';
  #work: Work;

  constructor(output: Output) {
    this.#output = output;
    this.#work = output.begin('Planning');
  }

  show({ title, done, total, failed, startedAt }: Shown, now: number): void {
    if (title !== this.#title) {
      this.#work.stop();
      this.#work = this.#output.begin(title, total);
      this.#title = title;
    }
    this.#work.done(done);
    const failures = failed === 0 ? [] : [`${counted(failed, 'merchant')} failed`];
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
 * @param checks records of pulls, for the days of few merchants
 * @returns how it ended, `undefined` when the person does not want to wait
 */
export async function followExecution(
  sfn: SFNClient,
  executionArn: string,
  checks: LastChecks,
  signal: AbortSignal,
  { output, now }: Pick<CommandContext, 'now' | 'output'>,
): Promise<DescribeExecutionOutput | undefined> {
  const shownRounds = new ShownRounds(output);
  let days: ReturnType<typeof daysDone>;
  try {
    for (let pause = SHORTEST_WAIT; ; pause = Math.min(pause * 1.5, LONGEST_WAIT)) {
      if (signal.aborted) return undefined;
      const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      if (execution.status !== 'RUNNING' && execution.status !== 'PENDING_REDRIVE') return execution;
      const newest = (await roundsOf(sfn, executionArn)).at(-1);
      days ??= daysDone(checks, execution.input, execution.startDate?.getTime() ?? 0);
      if (newest !== undefined) shownRounds.show(await shownOf(newest, days), now());
      // The person may press Ctrl-C while it waits.
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    shownRounds.stop();
  }
}
