import type { Telemetry } from '#runtime/telemetry.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';

/** Some of what a sweep had to do failed, and all else was done. The next sweep tries again. */
export class SweepUnfinishedError extends DaybookError {
  override readonly name = 'SweepUnfinishedError';
}

/**
 * What failed in one sweep. One object that is refused every time must not hold up the others, and must not pass for
 * swept either: the sweep goes on, and fails at its end.
 */
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

  /** Does one thing of many. @returns `undefined` where it failed; what nobody foresaw is thrown on */
  async during<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.add(error);
      return undefined;
    }
  }

  /** @throws {SweepUnfinishedError} when something failed */
  assertNone(): void {
    if (this.#count > 0) throw new SweepUnfinishedError(`of this sweep ${this.#count} failed, see the log`);
  }
}
