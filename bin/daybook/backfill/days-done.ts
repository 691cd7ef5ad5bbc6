import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { addDays } from '#records/day/business-day.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';

/** More merchants than these are counted as a whole: to look at each day of each would take too many requests. */
const MOST_MERCHANTS = 20;

const inputSchema = z.object({ merchants: z.array(z.string()).min(1), from: z.string(), to: z.string() });

/** Reads the record of a day's last pull. */
export interface LastChecks {
  lastCheck: (merchantCode: string, day: Day) => Promise<Pick<CheckRecord, 'checkedAt'> | undefined>;
}

/** How far a merchant's days are done. They run one after another, in their order. */
interface Progress {
  merchantCode: string;
  done: number;
}

/**
 * Counts the days that a backfill of few merchants has done. Step Functions counts merchants only, and one merchant may
 * have a year of days.
 */
export class DaysDone {
  readonly total: number;
  readonly #checks: LastChecks;
  readonly #days: readonly Day[];
  readonly #since: number;
  readonly #progress: Progress[];

  private constructor(checks: LastChecks, merchants: readonly string[], days: readonly Day[], since: number) {
    this.#checks = checks;
    this.#days = days;
    this.#since = since;
    this.#progress = merchants.map((merchantCode) => ({ merchantCode, done: 0 }));
    this.total = merchants.length * days.length;
  }

  /**
   * @param input of the execution, JSON
   * @param since when it started. Milliseconds UTC
   * @returns `undefined` for an execution that is no backfill of few merchants
   */
  static of(checks: LastChecks, input: string | undefined, since: number): DaysDone | undefined {
    const event = inputSchema.safeParse(JSON.parse(input ?? 'null')).data;
    if (event === undefined || event.merchants.length > MOST_MERCHANTS) return undefined;
    const days: Day[] = [];
    for (let day = event.from; day <= event.to; day = addDays(day, 1)) days.push(day);
    return new DaysDone(checks, event.merchants, days, since);
  }

  /** How many days are done now, with success or not. */
  async count(): Promise<number> {
    await Promise.all(this.#progress.map((progress) => this.#advance(progress)));
    return this.#progress.reduce((sum, { done }) => sum + done, 0);
  }

  async #advance(progress: Progress): Promise<void> {
    const { merchantCode } = progress;
    while (progress.done < this.#days.length) {
      // A run that died leaves no record of its day. The next day's record shows that it is over.
      const here = await this.#isDone(merchantCode, progress.done);
      if (!here && !(await this.#isDone(merchantCode, progress.done + 1))) return;
      progress.done += 1;
    }
  }

  /** A record that cannot be read counts as none: this is only for the bar. */
  async #isDone(merchantCode: string, index: number): Promise<boolean> {
    const day = this.#days[index];
    if (day === undefined) return false;
    const check = await this.#checks.lastCheck(merchantCode, day).catch(() => undefined);
    return check !== undefined && Date.parse(check.checkedAt) >= this.#since;
  }
}
