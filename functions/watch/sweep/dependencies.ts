import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { DayStore } from '#page/day-store.ts';
import { StoredObjects } from './stored-objects.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';

export interface Dependencies extends FunctionDependencies {
  objects: StoredObjects;
  snapshots: Pick<DayStore, 'revision'>;
  ledgers: LedgerStore;
  registry: RegistrySource;
  /** From the end of a run's time until its mail is settled. */
  unsettledAfterMinutes: number;
}

export interface SweepRun extends Dependencies {
  failures: Failures;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'sweep');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    objects: new StoredObjects(s3, bucket),
    snapshots: new DayStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    unsettledAfterMinutes: environment.deadlines.unsettledMinutes,
  };
}

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
