import type { Context } from 'aws-lambda';
import type { Dependencies } from './dependencies.ts';
import { removeOrphans } from './remove-orphans.ts';
import { settleLedgers } from './settle-ledgers.ts';
import { readSweepEvent } from './sweep-event.ts';

/** The answer of `sweep` (`interfaces.md`, Events). */
export interface SweepAnswer {
  /** Ledgers of dead runs that were closed with nothing unknown. */
  settled: number;
  /** Those that were closed with recipients of whom it is not known whether they have the mail. */
  held: number;
  /** Files that no manifest names. */
  removed: number;
}

export type Sweep = (event: unknown, context?: Context) => Promise<SweepAnswer>;

/** The function over its dependencies: closes what dead runs left open, and removes what they left lying about. */
export function createSweep(dependencies: Dependencies): Sweep {
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const now = readSweepEvent(event, () => clock.now());
      const ledgers = await settleLedgers(dependencies, now);
      const answer = { ...ledgers, removed: await removeOrphans(dependencies, now) };
      telemetry.count('LedgersSettled', answer.settled);
      telemetry.count('MailsHeld', answer.held);
      telemetry.count('FilesRemoved', answer.removed);
      // The heartbeat.
      telemetry.count('SweepRan', 1);
      telemetry.logger.info('swept', { details: answer });
      return answer;
    });
}
