/** Times in milliseconds. */
interface GoodAnswer {
  generation: number;
  inFlight: number;
  elapsed: number;
  /** Of `elapsed`, how long our own thread was idle. The rest does not count against the service. */
  waited: number;
}

/** Requests in flight at first. Slow answers alone never push the limit below this. */
const START = 4;

/** Good answers between two steps up: a service that accepts one request refuses one in so many, not two. */
const BETWEEN_STEPS = 10;

/** How much of each round the best latency forgets, so that one lucky round does not count for ever. */
const FORGOTTEN = 1 / 256;

/** Milliseconds. The constant is for latencies so small that twice says nothing. */
function longestInTime(best: number): number {
  return 2 * best + 5;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * How many requests may be in flight to a service of unknown limits. Doubles with every round until an answer
 * fails or is late, then grows by one; overload halves it, and a late round lowers it to what the service can
 * work on. Pure: it knows neither requests nor clocks.
 */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #start: number;
  #limit: number;
  #generation = 0;
  #isRampingUp = true;
  #wasOverloaded = false;
  #goodAnswers = 0;
  /** The answers of this round, and how many make a round: as many as could be in flight when it began. */
  #round: GoodAnswer[] = [];
  #roundSize = START;
  /** Milliseconds. The lowest median of a round, which slowly moves towards newer ones. */
  #best = Infinity;

  constructor(most: number) {
    this.#most = most;
    this.#start = Math.min(START, most);
    this.#limit = this.#start;
  }

  get value(): number {
    return this.#limit;
  }

  /** Grows with every fall. A result comes with the number from when its request was sent. */
  get generation(): number {
    return this.#generation;
  }

  good(answer: GoodAnswer): void {
    if (answer.generation !== this.#generation) return;
    // A limit that is hardly used has not been tested. It would grow without end.
    const isUsed = answer.inFlight * 2 > this.#limit;
    if (isUsed && answer.waited <= longestInTime(this.#best)) this.#grow();
    this.#round.push(answer);
    if (this.#round.length >= this.#roundSize) this.#endRound();
  }

  /** A whole window of failures is one sign: requests from before the last fall do not count again. */
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
      // By Little's law, more requests only wait at the service. One slow round lowers by three quarters at most.
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
