import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { Dependencies } from '../dependencies.ts';
import { todayOf } from '../prepare-run.ts';
import type { Run } from '../prepare-run.ts';
import type { SealedDay } from './seal-day.ts';

/**
 * Pulls and seals, and records the result under `checked/`. A failed pull is recorded too, and its error is
 * thrown on.
 *
 * @param seal pulls the day and seals it
 */
export async function recordOutcome(
  dependencies: Dependencies,
  run: Run,
  seal: () => Promise<SealedDay>,
): Promise<SealedDay> {
  const { telemetry } = dependencies;
  let sealed: SealedDay;
  try {
    sealed = await seal();
  } catch (error) {
    telemetry.count('PullsFailed', 1);
    const { snapshots } = dependencies;
    await recordCheck(dependencies, run, async () => {
      const last = await snapshots.lastCheck(run.settings.merchantCode, run.day);
      const name = error instanceof DaybookError ? error.name : 'UnexpectedError';
      const { revision, asOf } = last ?? { revision: null, asOf: null };
      return { pull: null, outcome: 'failed', revision, error: name, asOf };
    });
    throw error;
  }
  const { manifest, unchanged, pull } = sealed;
  telemetry.count(unchanged ? 'DaysUnchanged' : 'RevisionsSealed', 1);
  if (!manifest.balanced) telemetry.count('DaysUnbalanced', 1);
  const outcome = unchanged ? 'unchanged' : 'sealed';
  await recordCheck(dependencies, run, () =>
    Promise.resolve({
      pull: pull.id,
      outcome,
      revision: manifest.revision,
      error: null,
      asOf: pull.soFarUntil ?? pull.pulledAt,
    }),
  );
  await recordHistory(dependencies, run, manifest);
  return sealed;
}

/** Writes the record of the pull that a revision was sealed from, if that run died before it wrote it. */
export async function recordSealed(dependencies: Dependencies, run: Run, sealed: Manifest): Promise<void> {
  await recordCheck(dependencies, run, async () => {
    const { pull, pulledAt, revision, soFarUntil } = sealed;
    const last = await dependencies.snapshots.lastCheck(run.settings.merchantCode, run.day);
    if ((last?.revision ?? 0) >= revision) return undefined;
    return { pull, outcome: 'sealed', revision, error: null, asOf: soFarUntil ?? pulledAt };
  });
}

/**
 * Stores the day's figures in the merchant's history, also when an earlier run sealed them and died before it
 * stored them. A failure does not delay the mail: the next run on the day stores them.
 */
export async function recordHistory(dependencies: Dependencies, run: Run, manifest: Manifest): Promise<void> {
  const { history, telemetry } = dependencies;
  try {
    const { merchantCode, day, revision } = manifest;
    if (await history.record(manifest, todayOf(dependencies, run))) return;
    telemetry.logger.warn('history not recorded: others wrote it', { merchantCode, day, revision });
  } catch (failure) {
    telemetry.logError(failure);
  }
}

/** What a record says of the pull. */
type PullResult = Pick<CheckRecord, 'pull' | 'outcome' | 'revision' | 'error' | 'asOf'>;

/**
 * Writes the record of a pull. A failure to write it does not hide another failure, and does not delay the
 * mail.
 */
async function recordCheck(
  { clock, snapshots, telemetry }: Dependencies,
  { event, settings, day }: Run,
  result: () => Promise<PullResult | undefined>,
): Promise<void> {
  try {
    const pullResult = await result();
    if (pullResult === undefined) return;
    await snapshots.recordCheck({
      merchantCode: settings.merchantCode,
      day,
      checkedAt: new Date(clock.now()).toISOString(),
      scheduledTime: event.scheduledTime ?? null,
      ...pullResult,
    });
  } catch (failure) {
    telemetry.logError(failure);
  }
}
