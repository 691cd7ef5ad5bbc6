/** A request that was answered well. Times in milliseconds. */
export interface GoodAnswer {
  /** What {@link AdaptiveLimit.generation} was when it was sent. */
  generation: number;
  /** Requests in flight when the answer came, this one among them. */
  inFlight: number;
  /** From its sending to the end of its answer. */
  elapsed: number;
  /** Of `elapsed`, when our own thread was idle. The rest of it may be our own slowness, and is not held against the service. */
  waited: number;
}

/** Requests in flight at first; so few are never too many for the sake of latency alone. */
const START = 4;

/** Good answers between two steps up, and of a round, at least: a service that bears one request refuses one in so many, not every second. */
const BETWEEN_STEPS = 10;

/** How far the best gives way, with each round, to what is usual now: one lucky round is not the measure for ever. */
const FORGOTTEN = 1 / 256;

/** Latency holds up to twice the best, and a little more: of fractions of a millisecond, twice says nothing. Milliseconds. */
function longestInTime(best: number): number {
  return 2 * best + 5;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * How many requests may be in flight to a service whose limits nobody knows. It starts low and is doubled with every
 * round of answers, until one fails or comes late; from then on it grows by one at a time. It is halved at once when the
 * service shows that it is overloaded, and falls to what the service works on when a round of answers comes late. Pure: it knows neither requests nor time.
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
  /** Answers of this round, and how many will make it one: as many as could be in flight when it began. */
  #round: GoodAnswer[] = [];
  #roundSize = START;
  /** The lowest median of a round, slowly forgotten. Milliseconds. */
  #best = Infinity;

  /** @param most never to be passed, at least 1 */
  constructor(most: number) {
    this.#most = most;
    this.#start = Math.min(START, most);
    this.#limit = this.#start;
  }

  /** Requests that may be in flight now: a whole number, at least 1. */
  get value(): number {
    return this.#limit;
  }

  /** Goes up with every fall. To be noted when a request is sent, and given back with what came of it. */
  get generation(): number {
    return this.#generation;
  }

  /** An answer to a request that was sent before the last fall tells of the time before it, and does not count. */
  good(answer: GoodAnswer): void {
    if (answer.generation !== this.#generation) return;
    // What was hardly used has not been tried: growing on would end anywhere.
    const isUsed = answer.inFlight * 2 > this.#limit;
    if (isUsed && answer.waited <= longestInTime(this.#best)) this.#grow();
    this.#round.push(answer);
    if (this.#round.length >= this.#roundSize) this.#endRound();
  }

  /** A whole window of failures is one sign: requests that were sent before the last fall do not count again. */
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
      // What is beyond this only waits at the service, by Little's law. One slow round is not believed altogether.
      const workedOn = Math.max((this.#limit * this.#best) / waited, this.#limit / 4);
      this.#fallTo(Math.max(this.#start, Math.floor(workedOn)));
    } else {
      // So few requests are not what makes it slow: other pages are asked for, or the service is slower now.
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
