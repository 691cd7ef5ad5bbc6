/** A request that succeeded. Times in milliseconds. */
export interface GoodAnswer {
  /** {@link AdaptiveLimit.generation} when the request was sent. */
  generation: number;
  /** Requests in flight when the answer came, including this one. */
  inFlight: number;
  /** From sending to the end of the answer. */
  elapsed: number;
  /**
   * The part of `elapsed` in which our own thread was idle. In the rest our own work may have been slow, so
   * it does not count against the service.
   */
  waited: number;
}

/** Requests in flight at first. Slow answers alone never push the limit below this. */
const START = 4;

/**
 * The least number of good answers between two steps up, and in a round. A service that accepts one request
 * then refuses one in this many, and not every second one.
 */
const BETWEEN_STEPS = 10;

/**
 * How much the best latency moves towards the current one with each round. So one lucky round does not count
 * for ever.
 */
const FORGOTTEN = 1 / 256;

/**
 * Milliseconds. Latency up to twice the best is acceptable. The constant is for latencies below a
 * millisecond, for which twice says nothing.
 */
function longestInTime(best: number): number {
  return 2 * best + 5;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * How many requests may be in flight to a service whose limits are unknown. The limit starts low and doubles
 * with every round of answers until one fails or is late. After that it grows by one at a time. When the
 * service shows that it is overloaded, the limit is halved at once. When a round of answers is late, the
 * limit falls to what the service can work on. Pure: it knows neither requests nor clocks.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #start: number;
  #limit: number;
  #generation = 0;
  #isRampingUp = true;
  #wasOverloaded = false;
  /** Good answers since the last step up. */
  #goodAnswers = 0;
  /** The answers of this round, and how many make a round: as many as could be in flight when it began. */
  #round: GoodAnswer[] = [];
  #roundSize = START;
  /** The lowest median of a round. It slowly moves towards newer rounds. Milliseconds. */
  #best = Infinity;

  /** @param most the highest limit, at least 1 */
  constructor(most: number) {
    this.#most = most;
    this.#start = Math.min(START, most);
    this.#limit = this.#start;
  }

  /** The number of requests that may be in flight now: a whole number, at least 1. */
  get value(): number {
    return this.#limit;
  }

  /**
   * Grows with every fall. A request keeps the number from when it was sent and gives it back with its
   * result.
   */
  get generation(): number {
    return this.#generation;
  }

  /** Counts a good answer. An answer to a request from before the last fall does not count. */
  good(answer: GoodAnswer): void {
    if (answer.generation !== this.#generation) return;
    // A limit that is hardly used has not been tested. It would grow without end.
    const isUsed = answer.inFlight * 2 > this.#limit;
    if (isUsed && answer.waited <= longestInTime(this.#best)) this.#grow();
    this.#round.push(answer);
    if (this.#round.length >= this.#roundSize) this.#endRound();
  }

  /**
   * Counts a failure. A whole window of failures is one sign: requests from before the last fall do not count
   * again.
   */
  overloaded(generation: number): void {
    if (generation !== this.#generation) return;
    this.#wasOverloaded = true;
    this.#fallTo(Math.max(1, Math.floor(this.#limit / 2)));
  }

  #grow(): void {
    this.#goodAnswers += 1;
    const enough = this.#isRampingUp ? 1 : Math.max(BETWEEN_STEPS, this.#limit);
    if (this.#goodAnswers < enough) return;
    this.#goodAnswers = 0;
    this.#limit = Math.min(this.#most, this.#limit + 1);
  }

  #endRound(): void {
    const elapsed = median(this.#round.map((answer) => answer.elapsed));
    const waited = median(this.#round.map((answer) => answer.waited));
    this.#best = this.#best < elapsed ? this.#best + (elapsed - this.#best) * FORGOTTEN : elapsed;
    this.#beginRound();
    if (waited <= longestInTime(this.#best)) return;
    if (this.#limit > this.#start) {
      // By Little's law, requests beyond this number only wait at the service. One slow round does not lower
      // the limit by more than three quarters.
      const workedOn = Math.max((this.#limit * this.#best) / waited, this.#limit / 4);
      this.#fallTo(Math.max(this.#start, Math.floor(workedOn)));
    } else {
      // So few requests do not make the service slow: other pages are read now, or the service is slower.
      this.#best = elapsed;
      this.#isRampingUp = !this.#wasOverloaded;
    }
  }

  #fallTo(limit: number): void {
    this.#limit = limit;
    this.#generation += 1;
    this.#isRampingUp = false;
    this.#goodAnswers = 0;
    this.#beginRound();
  }

  #beginRound(): void {
    this.#round = [];
    this.#roundSize = Math.max(BETWEEN_STEPS, this.#limit);
  }
}
