import { NothingSealedError } from '#records/errors/daybook-error.ts';
import type { StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { KnownHistory } from '#page/history-store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Run } from '../prepare-run.ts';
import type { KnownDay } from '../pull/known-day.ts';
import { withDayClient } from '../pull/with-day-client.ts';
import { recordFailure } from './record-outcome.ts';
import type { PullResult } from './record-outcome.ts';
import type { SealedDay } from './seal-day.ts';

export interface SealedRevision {
  manifest: Manifest;
  unchanged: boolean;
  isNew: boolean;
  /** Pulled and sealed by a run of the same tick. */
  isOfEarlierRun?: boolean;
  /** Besides the mail. `undefined` when nothing is to be recorded. */
  pulled?: Omit<PullResult, 'mail'>;
  check?: StandingCheck | undefined;
  history?: KnownHistory | undefined;
}

/** The newest revision. @throws {NothingSealedError} when the day has none */
export function newestOf({ settings: { merchantCode }, day }: Run, { newest }: KnownDay): SealedRevision {
  if (newest !== undefined) return { manifest: newest, unchanged: true, isNew: false };
  throw new NothingSealedError(
    `merchant ${merchantCode}, day ${day}: no revision is sealed, so there is nothing to send again`,
  );
}

/** The same tick may be written with and without milliseconds. */
function isSameTime(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) === Date.parse(b);
}

/** The revision to mail: the newest one if this run's work is already done, else what a pull seals. */
export async function sealedRevision(
  dependencies: Dependencies,
  run: Run,
  known: KnownDay,
): Promise<SealedRevision> {
  const { newest, check } = known;
  const scheduled = run.event.scheduledTime ?? null;
  if (newest !== undefined && scheduled !== null && isSameTime(newest.scheduledTime, scheduled)) {
    const pulled = pulledBefore(newest, check);
    return { manifest: newest, unchanged: false, isNew: false, isOfEarlierRun: true, pulled, check };
  }
  const { manifest, unchanged, pull, history } = await pulledDay(dependencies, run, known);
  const pulled = {
    pull: pull.id,
    outcome: unchanged ? 'unchanged' : 'sealed',
    revision: manifest.revision,
    error: null,
    asOf: pull.soFarUntil ?? pull.pulledAt,
    refundIds: pull.refundIds,
  } as const;
  return { manifest, unchanged, isNew: !unchanged, pulled, check, history };
}

/** The record of an earlier pull whose run died before it wrote it. */
function pulledBefore(
  { pull, pulledAt, revision, soFarUntil }: Manifest,
  check: StandingCheck | undefined,
): Omit<PullResult, 'mail'> {
  const refundIds = check?.record?.revision === revision ? check.record.refundIds : null;
  return { pull, outcome: 'sealed', revision, error: null, asOf: soFarUntil ?? pulledAt, refundIds };
}

/** A failed pull is recorded, and its error is thrown on. */
async function pulledDay(dependencies: Dependencies, run: Run, known: KnownDay): Promise<SealedDay> {
  const { telemetry } = dependencies;
  try {
    const sealed = await withDayClient(dependencies, run, known, async (request, client) => {
      // Loaded only for a pull: a run that continues the mail does not need it.
      const { sealDay } = await import('./seal-day.ts');
      return sealDay(client, dependencies.snapshots, dependencies.clock, request);
    });
    telemetry.count(sealed.unchanged ? 'DaysUnchanged' : 'RevisionsSealed', 1);
    if (!sealed.manifest.balanced) telemetry.count('DaysUnbalanced', 1);
    return sealed;
  } catch (error) {
    telemetry.count('PullsFailed', 1);
    await recordFailure(dependencies, run, error);
    throw error;
  }
}
