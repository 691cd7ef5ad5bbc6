import { DaybookError } from '#records/errors/daybook-error.ts';
import type { CheckRecord, StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { KnownHistory } from '#page/history-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { todayOf } from '../prepare-run.ts';
import type { Run } from '../prepare-run.ts';

export type PullResult = Omit<CheckRecord, 'merchantCode' | 'day' | 'checkedAt' | 'scheduledTime'>;

/** Records a failed pull, without hiding the pull's own error. */
export async function recordFailure(dependencies: Dependencies, run: Run, error: unknown): Promise<void> {
  const { snapshots, telemetry } = dependencies;
  try {
    const last = await snapshots.standingCheck(run.settings.merchantCode, run.day);
    const { revision, asOf, mail, refundIds } = last?.record ?? NOTHING_KNOWN;
    const name = error instanceof DaybookError ? error.name : 'UnexpectedError';
    const result = { pull: null, outcome: 'failed', revision, error: name, asOf, mail, refundIds } as const;
    await recordPull(dependencies, run, result, last);
  } catch (failure) {
    telemetry.logError(failure);
  }
}

const NOTHING_KNOWN = { revision: null, asOf: null, mail: null, refundIds: null };

/**
 * Stores the day's figures, also those of a run that died before it did. A failure does not delay the mail:
 * the next run stores them.
 * @param known if it was read
 * @returns whether they are stored
 */
export async function recordHistory(
  dependencies: Dependencies,
  run: Run,
  manifest: Manifest,
  known?: KnownHistory,
): Promise<boolean> {
  const { history, telemetry } = dependencies;
  try {
    const { merchantCode, day, revision } = manifest;
    if (await history.record(manifest, todayOf(dependencies, run), known)) return true;
    telemetry.logger.warn('history not recorded: others wrote it', { merchantCode, day, revision });
  } catch (failure) {
    telemetry.logError(failure);
  }
  return false;
}

/**
 * Writes the record. A failure to does not hide another one. @param standing the stored one, if it was read
 */
export async function recordPull(
  { clock, snapshots, telemetry }: Dependencies,
  { event, settings, day }: Run,
  result: PullResult,
  standing: StandingCheck | undefined,
): Promise<void> {
  try {
    const { merchantCode } = settings;
    const checkedAt = new Date(clock.now()).toISOString();
    const scheduledTime = event.scheduledTime ?? null;
    await snapshots.recordCheck({ merchantCode, day, checkedAt, scheduledTime, ...result }, standing);
  } catch (failure) {
    telemetry.logError(failure);
  }
}
