import type { Telemetry } from '#runtime/telemetry.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';

/** Some parts of a sweep failed. All other parts are done. The next sweep tries again. */
export class SweepUnfinishedError extends DaybookError {
  override readonly name = 'SweepUnfinishedError';
}

/**
 * Collects the failures of one sweep. One object that always fails must not stop the others, and must not
 * count as done either. So the sweep goes on, and fails at its end.
 */
export class Failures {
  readonly #telemetry: Telemetry;
  #count = 0;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** Records and logs a failure. */
  add(error: DaybookError): void {
    this.#count += 1;
    this.#telemetry.logError(error);
  }

  /** Does one part of a sweep. @returns `undefined` when it failed. An unexpected error is thrown on */
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
