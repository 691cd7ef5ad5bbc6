import type { Handler } from '#runtime/lambda-handler.ts';
import type { Dependencies } from './dependencies.ts';
import { Failures } from './dependencies.ts';
import { removeOrphans } from './remove-orphans.ts';
import { settleLedgers } from './settle-ledgers.ts';
import * as z from 'zod';
import { readEvent } from '#records/errors/invalid-event.ts';

export const eventSchema = z.lazy(() => z.strictObject({ now: z.iso.datetime({ offset: true }).optional() }));

/**
 * The time to sweep for (docs/interfaces.md, 4.5 sweep), milliseconds UTC: never later than the clock, or
 * young files would count as old.
 * @throws {InvalidEventError} names the wrong member
 */
export function readSweepEvent(event: unknown, clock: () => number): number {
  const { now } = readEvent(eventSchema, event ?? {});
  return now === undefined ? clock() : Math.min(Date.parse(now), clock());
}

export interface SweepAnswer {
  /** Without a recipient in doubt. */
  settled: number;
  /** With recipients who may or may not have the mail. */
  held: number;
  removed: number;
}

/** Builds `sweep` (docs/interfaces.md, 4.5 sweep). It throws {@link SweepUnfinishedError} after all other parts. */
export function createSweep(dependencies: Dependencies): Handler<SweepAnswer> {
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
