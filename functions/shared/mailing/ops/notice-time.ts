/** The most time that one run spends on notices to ops. Milliseconds. */
const LONGEST = 30_000;
/** The most that notices may take of a run's time. The rest is for its work. */
const SHARE = 1 / 3;

/**
 * The time that one run may spend on notices to ops, all notices together. Notices that are sent side by side
 * spend it once. It uses the machine's own clock, because it measures how long others take to answer.
 */
export class NoticeTime {
  #left = LONGEST;
  #underWay = 0;
  #since = 0;

  /** Starts a new run. @param remaining milliseconds until the run is ended */
  begin(remaining: number): void {
    this.#left = Math.min(LONGEST, Math.max(0, remaining * SHARE));
    this.#since = performance.now();
  }

  /** @param send gets the milliseconds that it may take, 0 when they are spent */
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

/** The promise's value, or `otherwise` when it takes longer. The promise itself is not stopped. */
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
