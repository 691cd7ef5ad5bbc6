/**
 * How many requests may be in flight: halves when the service shows that it is overloaded, and grows back by one for
 * every limit's worth of good answers. Pure: it knows neither requests nor time.
 */
export class AdaptiveLimit {
  readonly #most: number;
  #limit: number;
  #generation = 0;

  /** @param most the limit to begin with and never to pass */
  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** Requests that may be in flight now, at least 1. */
  get value(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** Given to {@link overloaded} when a request that starts now ends badly. */
  get generation(): number {
    return this.#generation;
  }

  good(): void {
    this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
  }

  /** A whole window of failures is one sign: those that began before the last fall do not count again. */
  overloaded(generation: number): void {
    if (generation !== this.#generation) return;
    this.#generation += 1;
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
