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

export interface BackfillSize {
  merchants: number;
  days: number;
  /** Their codes. `undefined` when there are very many. */
  codes: readonly string[] | undefined;
}

/** More merchants than these are counted as a whole: to look at each day of each would take too many requests. */
const MOST_MERCHANTS = 20;

interface LastChecks {
  lastCheck: (
    merchantCode: string,
    day: Day,
  ) => Promise<Pick<CheckRecord, 'checkedAt' | 'outcome'> | undefined>;
}

/** The days of a backfill of few merchants, by the records of their pulls. */
export class FewDays {
  readonly total: number;
  readonly #checks: LastChecks;
  readonly #days: readonly Day[];
  readonly #since: number;
  /** How many days of each merchant are over. They are done one after another, in their order. */
  readonly #done: Map<string, number>;
  #hasFailed = false;

  private constructor(checks: LastChecks, codes: readonly string[], days: readonly Day[], since: number) {
    this.#checks = checks;
    this.#days = days;
    this.#since = since;
    this.#done = new Map(codes.map((merchantCode) => [merchantCode, 0]));
    this.total = codes.length * days.length;
  }

  /** `undefined` for very many merchants. */
  static of(
    checks: LastChecks,
    { scheduledTime, ...range }: Pick<BackfillEvent, 'scheduledTime' | 'from' | 'to'>,
    { codes }: Pick<BackfillSize, 'codes'>,
  ): FewDays | undefined {
    if (codes === undefined || codes.length > MOST_MERCHANTS) return undefined;
    return new FewDays(checks, codes, daysOf(range), Date.parse(scheduledTime));
  }

  async count(): Promise<number> {
    const counts = await Promise.all([...this.#done].map(([code, before]) => this.#advance(code, before)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Whether every day was pulled, and no pull has failed so far. */
  get isComplete(): boolean {
    return !this.#hasFailed && [...this.#done.values()].every((count) => count === this.#days.length);
  }

  async untouched(): Promise<{ merchantCode: string; day: Day }[]> {
    const found = await Promise.all(
      [...this.#done].map(async ([merchantCode, count]) => {
        const rest = this.#days.slice(count);
        const pulls = await Promise.all(rest.map((day) => this.#pullOf(merchantCode, day)));
        return rest.filter((_, index) => pulls[index] === undefined).map((day) => ({ merchantCode, day }));
      }),
    );
    return found.flat();
  }

  async #pullOf(merchantCode: string, day: Day | undefined) {
    if (day === undefined) return undefined;
    // A record that cannot be read counts as none.
    const check = await this.#checks.lastCheck(merchantCode, day).catch(() => undefined);
    return check !== undefined && Date.parse(check.checkedAt) >= this.#since ? check : undefined;
  }

  async #advance(merchantCode: string, before: number): Promise<number> {
    let count = before;
    for (;;) {
      const pull = await this.#pullOf(merchantCode, this.#days[count]);
      // A run that died leaves no record of its day. The next day's record shows that it is over.
      if (pull === undefined && (await this.#pullOf(merchantCode, this.#days[count + 1])) === undefined)
        break;
      if (pull?.outcome === 'failed' || pull === undefined) this.#hasFailed = true;
      count += 1;
    }
    this.#done.set(merchantCode, count);
    return count;
  }
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

/** When nothing gets done for so long, the rest waits for another try. Milliseconds. */
const IDLE_AFTER = MINUTE;

/** SQS's numbers are up to a minute late. Milliseconds. */
const LATE_BY = MINUTE;

interface Followed {
  queues: Pick<StageQueues, 'left'>;
  event: Pick<BackfillEvent, 'scheduledTime'>;
  size: Pick<BackfillSize, 'merchants'>;
  days: FewDays | undefined;
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
  { queues, event, size, days, isLocal }: Followed,
  signal: AbortSignal,
  { output, now }: Pick<CommandContext, 'now' | 'output'>,
): Promise<boolean> {
  const title = days === undefined ? 'Reporting the merchants' : 'Reporting the days';
  const total = days?.total ?? size.merchants;
  const work = output.begin(title, total);
  let emptySince = Infinity;
  let before = { done: -1, at: 0 };
  try {
    for (let pause = SHORTEST_WAIT; ; pause = Math.min(pause * 1.5, LONGEST_WAIT)) {
      if (signal.aborted) return false;
      const [left, pulled] = await Promise.all([queues.left('backfills'), days?.count()]);
      const done = pulled ?? Math.max(0, total - left);
      if (done !== before.done) before = { done, at: performance.now() };
      const isIdle = done === total || performance.now() - before.at >= IDLE_AFTER;
      const toGo = isIdle ? undefined : timeToGo(done, total, now() - Date.parse(event.scheduledTime));
      work.done(done);
      work.message(
        [
          `${title}: ${done} of ${total}`,
          ...(isIdle && left > 0
            ? [`${counted(left, 'message')} left: what failed comes back within half an hour`]
            : []),
          ...(toGo === undefined ? [] : [toGo]),
        ].join(', '),
      );
      emptySince = left > 0 ? Infinity : Math.min(emptySince, performance.now());
      const isEmpty = performance.now() - emptySince >= (isLocal ? 0 : LATE_BY);
      if (isEmpty || days?.isComplete === true) return true;
      // The person may press Ctrl-C while it waits.
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    work.stop();
  }
}
