import type { Context } from 'aws-lambda';
import type { Dependencies } from './dependencies.ts';
import { Failures } from './failures.ts';
import { removeOrphans } from './remove-orphans.ts';
import { settleLedgers } from './settle-ledgers.ts';
import { readSweepEvent } from './sweep-event.ts';

/** The answer of `sweep` (docs/interfaces.md, 4.5 sweep). */
export interface SweepAnswer {
  /** Ledgers of dead runs that were closed with nothing unknown. */
  settled: number;
  /** Those that were closed with recipients of whom it is not known whether they have the mail. */
  held: number;
  /** Files that no manifest names. */
  removed: number;
}

export type Sweep = (event: unknown, context?: Context) => Promise<SweepAnswer>;

/**
 * The function over its dependencies: closes what dead runs left open, and removes what they left lying about.
 *
 * Throws {@link SweepUnfinishedError} when some of it failed, after all else was done.
 */
export function createSweep(dependencies: Dependencies): Sweep {
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const now = readSweepEvent(event, () => clock.now());
      const run = { ...dependencies, failures: new Failures(telemetry) };
      const ledgers = await settleLedgers(run, now);
      // At once: what is held stays so, whatever fails afterwards.
      telemetry.count('LedgersSettled', ledgers.settled);
      telemetry.count('MailsHeld', ledgers.held);
      const answer = { ...ledgers, removed: await removeOrphans(run, now) };
      telemetry.count('FilesRemoved', answer.removed);
      telemetry.logger.info('swept', answer);
      run.failures.assertNone();
      // The heartbeat.
      telemetry.count('SweepRan', 1);
      return answer;
    });
}
