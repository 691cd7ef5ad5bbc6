import type { Context } from 'aws-lambda';
import type { Dependencies } from './dependencies.ts';
import { Failures } from './failures.ts';
import { removeOrphans } from './remove-orphans.ts';
import { settleLedgers } from './settle-ledgers.ts';
import * as z from 'zod';
import { readEvent } from '#domain/errors/invalid-event.ts';

/** The event of `sweep`. */
export const eventSchema = z.lazy(() => z.strictObject({ now: z.iso.datetime({ offset: true }).optional() }));

/**
 * Reads the event of `sweep` (docs/interfaces.md, 4.5 sweep).
 *
 * @param clock gives the time, milliseconds UTC
 * @returns the time for which to sweep, milliseconds UTC. Never later than the clock: otherwise young files
 * would count as old
 * @throws {InvalidEventError} that names the member that is wrong or unknown
 */
export function readSweepEvent(event: unknown, clock: () => number): number {
  const { now } = readEvent(eventSchema, event ?? {});
  return now === undefined ? clock() : Math.min(Date.parse(now), clock());
}

/** The answer of `sweep` (docs/interfaces.md, 4.5 sweep). */
export interface SweepAnswer {
  /** Ledgers of dead runs that were closed and have no recipient in doubt. */
  settled: number;
  /** Ledgers that were closed with recipients who may or may not have the mail. */
  held: number;
  /** Files that no manifest names. */
  removed: number;
}

/**
 * Handles one invocation. Throws {@link SweepUnfinishedError} when a part failed; all other parts are done
 * first.
 */
export type Sweep = (event: unknown, context?: Context) => Promise<SweepAnswer>;

/**
 * Builds `sweep`: it closes ledgers that dead runs left open, and removes files that they left without a
 * seal.
 */
export function createSweep(dependencies: Dependencies): Sweep {
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const now = readSweepEvent(event, () => clock.now());
      const run = { ...dependencies, failures: new Failures(telemetry) };
      const ledgers = await settleLedgers(run, now);
      // Counted at once: the mails stay held, whatever fails afterwards.
      telemetry.count('LedgersSettled', ledgers.settled);
      telemetry.count('MailsHeld', ledgers.held);
      const answer = { ...ledgers, removed: await removeOrphans(run, now) };
      telemetry.count('FilesRemoved', answer.removed);
      telemetry.logger.info('swept', answer);
      run.failures.assertNone();
      // The heartbeat: an alarm looks for it.
      telemetry.count('SweepRan', 1);
      return answer;
    });
}
