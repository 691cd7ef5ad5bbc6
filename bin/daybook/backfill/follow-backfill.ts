import { setTimeout as wait } from 'node:timers/promises';
import type { Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import type { CommandContext } from '../context.ts';
import type { StageQueues } from '../stage/stage-queues.ts';
import { counted } from '../terminal/shown-text.ts';

/** The event of `plan` that starts a backfill (docs/interfaces.md, 4.1 plan). */
export interface BackfillEvent {
  kind: 'daily';
  /** ISO 8601 in UTC. Its messages and the records of its pulls have it. */
  scheduledTime: string;
  from: string;
  to: string;
  merchants?: string[];
  send?: true;
}

/** More merchants than these are counted as a whole: to look at each day of each would take too many requests. */
const MOST_MERCHANTS = 20;

interface LastChecks {
  lastCheck: (
    merchantCode: string,
    day: Day,
  ) => Promise<Pick<CheckRecord, 'checkedAt' | 'outcome'> | undefined>;
}

/** The days of a backfill of few merchants, by the records of their pulls; `undefined` when they are many. */
export function fewDays(
  checks: LastChecks,
  { scheduledTime, ...range }: Pick<BackfillEvent, 'scheduledTime' | 'from' | 'to'>,
  codes: readonly string[] | undefined,
) {
  if (codes === undefined || codes.length > MOST_MERCHANTS) return undefined;
  const [days, since] = [daysOf(range), Date.parse(scheduledTime)];
  // How many days of each merchant are over. They are done one after another, in their order.
  const done = new Map(codes.map((merchantCode) => [merchantCode, 0]));
  let hasFailed = false;

  const pullOf = async (merchantCode: string, day: Day | undefined) => {
    if (day === undefined) return undefined;
    // A record that cannot be read counts as none.
    const check = await checks.lastCheck(merchantCode, day).catch(() => undefined);
    return check !== undefined && Date.parse(check.checkedAt) >= since ? check : undefined;
  };
  const advance = async (merchantCode: string, before: number) => {
    for (let count = before; ; count += 1) {
      done.set(merchantCode, count);
      const pull = await pullOf(merchantCode, days[count]);
      // A run that died leaves no record of its day. The next day's record shows that it is over.
      if (pull === undefined && (await pullOf(merchantCode, days[count + 1])) === undefined) return;
      hasFailed ||= pull === undefined || pull.outcome === 'failed';
    }
  };

  return {
    total: codes.length * days.length,
    /** How many days are over now. */
    count: async (): Promise<number> => {
      await Promise.all([...done].map(([code, before]) => advance(code, before)));
      return [...done.values()].reduce((sum, count) => sum + count, 0);
    },
    /** Whether every day was pulled when they were counted last, and no pull has failed so far. */
    isComplete: () => !hasFailed && [...done.values()].every((count) => count === days.length),
    /** The days that no pull is known of. */
    untouched: async (): Promise<{ merchantCode: string; day: Day }[]> => {
      const left = [...done].flatMap(([merchantCode, count]) =>
        days.slice(count).map((day) => ({ merchantCode, day })),
      );
      const pulls = await Promise.all(left.map(({ merchantCode, day }) => pullOf(merchantCode, day)));
      return left.filter((_, index) => pulls[index] === undefined);
    },
  };
}

const MINUTE = 60_000;

/** How long the rest takes at the pace of `elapsed` (milliseconds). `undefined` while not known, and at the end. */
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

/** When nothing gets done for so long, the rest waits for another try. Milliseconds. */
const IDLE_AFTER = MINUTE;

/** SQS's numbers are up to a minute late. Milliseconds. */
const LATE_BY = MINUTE;

interface Followed {
  queues: StageQueues;
  scheduledTime: string;
  merchants: number;
  days: ReturnType<typeof fewDays>;
  /** Whether the queue's numbers are exact. */
  isLocal: boolean;
}

/**
 * Follows a backfill until nothing of it is left in its queue, and shows how far it is: by the days of few merchants, by the
 * queue's messages of many.
 *
 * @returns whether it has ended. It has not when the person does not want to wait
 */
export async function followBackfill(
  { queues, scheduledTime, merchants, days, isLocal }: Followed,
  signal: AbortSignal,
  { output, now }: CommandContext,
): Promise<boolean> {
  const title = days === undefined ? 'Reporting the merchants' : 'Reporting the days';
  const total = days?.total ?? merchants;
  return output.during(title, total, async (work) => {
    let emptySince = Infinity;
    let before = { done: -1, at: 0 };
    for (let pause = SHORTEST_WAIT; ; pause = Math.min(pause * 1.5, LONGEST_WAIT)) {
      if (signal.aborted) return false;
      const [left, pulled] = await Promise.all([queues.left('backfills'), days?.count()]);
      const done = pulled ?? Math.max(0, total - left);
      if (done !== before.done) before = { done, at: performance.now() };
      const isIdle = done === total || performance.now() - before.at >= IDLE_AFTER;
      const toGo = isIdle ? undefined : timeToGo(done, total, now() - Date.parse(scheduledTime));
      const waits = `${counted(left, 'message')} left: what failed comes back within half an hour`;
      const said = [`${title}: ${done} of ${total}`, isIdle && left > 0 ? waits : undefined, toGo];
      work.done(done);
      work.message(said.filter((part) => part !== undefined).join(', '));
      emptySince = left > 0 ? Infinity : Math.min(emptySince, performance.now());
      const isEmpty = performance.now() - emptySince >= (isLocal ? 0 : LATE_BY);
      if (isEmpty || days?.isComplete() === true) return true;
      // The person may press Ctrl-C while it waits.
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  });
}
