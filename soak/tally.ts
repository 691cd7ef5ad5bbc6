/** Counts by name, such as faults by kind. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, more = 1): void {
    this.#counts.set(name, this.of(name) + more);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Names and counts, by name. */
  entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** What happened in a run, for the lines at its end. */
export class Counts {
  readonly invocations = new Tally();
  readonly kills = new Tally();
  /** Invocations that ended with an error, by its name. */
  readonly failures = new Tally();
  readonly serviceFaults = new Tally();
  readonly awsFaults = new Tally();
  /** Mails that SES accepted, by kind. */
  readonly mails = new Tally();
  readonly mailEvents = new Tally();
  /** Everything else: ticks, messages put aside, credentials changed, files removed, … */
  readonly other = new Tally();
}
