/** The most time that one run spends on notices to ops. Milliseconds. */
const LONGEST = 30_000;
/** The most that notices may take of a run's time. The rest is for its work. */
const SHARE = 1 / 3;

/**
 * The time for all notices of a run; those sent side by side spend it once. By the machine's own clock,
 * because it measures how long others take.
 */
export class NoticeTime {
  #left = LONGEST;
  #underWay = 0;
  #since = 0;

  begin(remaining: number): void {
    this.#left = Math.min(LONGEST, Math.max(0, remaining * SHARE));
    this.#since = performance.now();
  }

  /** @param send gets milliseconds, 0 when they are spent */
  async spend<T>(send: (milliseconds: number) => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await send(Math.max(0, this.#left - (performance.now() - this.#since)));
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#left -= performance.now() - this.#since;
    }
  }
}

/** The value, or `otherwise` when it takes longer. The promise itself is not stopped. */
export async function within<T>(milliseconds: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
