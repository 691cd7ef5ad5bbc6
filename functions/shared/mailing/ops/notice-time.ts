/** The most that one run spends on telling ops. Milliseconds. */
const LONGEST = 30_000;
/** And no more than this share of what a run has left when it begins: the rest is for its work. */
const SHARE = 1 / 3;

/**
 * The time that one run may spend on telling ops, all notices together; notices that are told side by side spend it
 * once. By the machine's own clock: it is about how long others take to answer.
 */
export class NoticeTime {
  #left = LONGEST;
  #underWay = 0;
  #since = 0;

  /** A new run. @param remaining milliseconds until it is ended */
  begin(remaining: number): void {
    this.#left = Math.min(LONGEST, Math.max(0, remaining * SHARE));
    this.#since = performance.now();
  }

  /** @param tell gets the milliseconds that it may take; none when they are spent */
  async spend<T>(tell: (milliseconds: number) => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await tell(Math.max(0, this.#left - (performance.now() - this.#since)));
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#left -= performance.now() - this.#since;
    }
  }
}

/** What the promise comes to, or `otherwise` when that takes longer. The promise is left to itself then. */
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
