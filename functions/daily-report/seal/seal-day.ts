import { sameDifferences } from '#domain/balance/balance.ts';
import { MOST_MISSING_REFUNDS } from '#domain/balance/bounded-findings.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { daysBefore } from '#domain/figures/history.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { sameFigures } from '#domain/mail/mail-decision.ts';
import { figuresOf, manifestSchema } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { meaningOf } from '#domain/revision/page-settings.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import type { PaymentsClient } from '#payments/client.ts';
import type { Clock } from '#runtime/clock.ts';
import type { KnownHistory } from '#snapshots/history-store.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { Pull } from '../pull/pull-day.ts';
import { withSettledPull } from '../pull/settled-pull.ts';
import type { Before, SealRequest } from '../pull/settled-pull.ts';

/** The result of sealing. `unchanged`: the newest revision already has all that was pulled. */
export interface SealedDay {
  manifest: Manifest;
  unchanged: boolean;
  pull: Pull;
  /** The merchant's history, if it was read. */
  history?: KnownHistory;
}

/**
 * Whether a revision has the same content as the pull: the same rows, figures and differences. A revision of
 * an unfinished day never has the same content as a pull of the whole day, even if no record has come since.
 */
function hasSameContent(manifest: Manifest, pull: Pull, { timeZone }: Before['settings']): boolean {
  if (pull.soFarUntil === null && soFarUntil(manifest, timeZone) !== null) return false;
  return (
    manifest.digest === pull.digest &&
    sameFigures(figuresOf(manifest), pull.figures) &&
    sameDifferences(manifest.differences, pull.differences)
  );
}

function manifestOf(
  request: SealRequest,
  pull: Pull,
  before: Pick<Before, 'newest' | 'sealedIds' | 'settings'>,
  files: Manifest['files'],
  history: readonly DayFigures[],
): Manifest {
  const { day, scheduledTime } = request;
  const { newest, sealedIds, settings } = before;
  const { counts, amounts, refunds, balanced } = pull.figures;
  const onceThere = new Set(sealedIds);
  // Parsed, so that nothing is sealed that could not be read again.
  return manifestSchema.parse({
    merchantCode: settings.merchantCode,
    day,
    merchantId: pull.merchantId,
    revision: (newest?.revision ?? 0) + 1,
    pull: pull.id,
    pulledAt: pull.pulledAt,
    soFarUntil: pull.soFarUntil,
    scheduledTime,
    balanced,
    differences: pull.differences,
    notCompared: pull.notCompared,
    counts,
    amounts,
    refunds,
    breakdown: pull.breakdown,
    // Only refunds that the day once had. Otherwise a mistyped id would stay for ever.
    missingRefundIds: pull.missingRefundIds.filter((id) => onceThere.has(id)).slice(0, MOST_MISSING_REFUNDS),
    digest: pull.digest,
    drift: pull.drift,
    history: daysBefore(history, day),
    previous: newest === undefined ? null : manifestKey(day, settings.merchantCode, newest.revision),
    files,
    ...meaningOf(settings),
  });
}

/** Pulls the day and returns what a revision would contain. Stores nothing. */
export async function previewDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  return withSettledPull(client, snapshots, clock, request, async (pull, before) => {
    const unchanged = before.newest !== undefined && hasSameContent(before.newest, pull, before.settings);
    const files = pull.files.map(({ packed: _packed, ...file }) => ({ ...file, key: '' }));
    const { days } = await before.history();
    return { manifest: manifestOf(request, pull, before, files, days), unchanged, pull };
  });
}

/**
 * Pulls the day and seals it as the next revision, or finds it unchanged.
 *
 * @throws {SealContestedError} when another run took the number during the last of three pulls
 */
export async function sealDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  const { day } = request;
  return withSettledPull(client, snapshots, clock, request, async (pull, before) => {
    const { newest, settings } = before;
    if (newest !== undefined && hasSameContent(newest, pull, settings))
      return { manifest: newest, unchanged: true, pull };
    const history = await before.history();
    const [files] = await Promise.all([
      snapshots.upload(settings.merchantCode, day, pull.id, pull.files),
      snapshots.announce(day, clock.now()),
    ]);
    const manifest = manifestOf(request, pull, before, files, history.days);
    const standing = await snapshots.seal(manifest, clock.now());
    if (standing.pull === pull.id) return { manifest: standing, unchanged: false, pull, history };
    return hasSameContent(standing, pull, settings)
      ? { manifest: standing, unchanged: true, pull }
      : undefined;
  });
}
