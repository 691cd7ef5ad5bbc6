import type { Telemetry } from '#runtime/telemetry.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';

/** Some parts failed. All others are done, and the next sweep tries again. */
export class SweepUnfinishedError extends DaybookError {
  override readonly name = 'SweepUnfinishedError';
}

/** One object that always fails must not stop the others, nor count as done: the sweep fails at its end. */
export class Failures {
  readonly #telemetry: Telemetry;
  #count = 0;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  add(error: DaybookError): void {
    this.#count += 1;
    this.#telemetry.logError(error);
  }

  /** `undefined` when it failed. An unexpected error is thrown on. */
  async during<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.add(error);
      return undefined;
    }
  }

  /** @throws {SweepUnfinishedError} when a part failed */
  assertNone(): void {
    if (this.#count > 0)
      throw new SweepUnfinishedError(`${this.#count} parts of this sweep failed, see the log`);
  }
}
