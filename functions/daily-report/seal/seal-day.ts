import { sameDifferences } from '#domain/balance/balance.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { MOST_MISSING_REFUNDS } from '#domain/balance/bounded-findings.ts';
import { daysBefore } from '#domain/figures/history.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { sameFigures } from '#domain/mail/mail-decision.ts';
import { figuresOf, manifestSchema } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { knownMerchantId } from '#snapshots/known-merchant-id.ts';
import { sealedRefundIds } from '#snapshots/sealed-rows.ts';
import { Spool } from '../pull/spool.ts';
import type { Clock } from '#runtime/clock.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { pullDay } from '../pull/pull-day.ts';
import type { Pull } from '../pull/pull-day.ts';

/** Another run sealed other content while this one pulled for the last time. */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}

/** Of one invocation, whatever makes it pull again. */
const MOST_PULLS = 3;

/** What a day is sealed from. */
export interface SealRequest {
  settings: MerchantSettings;
  day: string;
  scheduledTime: string | null;
  /** Reads the merchant's sealed days as far as they are known; asked for only where something is to be sealed. */
  history: () => Promise<readonly DayFigures[]>;
  /** Refund ids to read besides those that the day's newest revision has. */
  refundIds: readonly string[];
  onPull: (pull: Pull, attempt: number) => void;
}

/** How sealing ended: `unchanged` when the newest revision already says all that was pulled. */
export interface SealedDay {
  manifest: Manifest;
  unchanged: boolean;
  pull: Pull;
}

/**
 * Whether a revision says what the pull says: the same rows, and the same figures and differences from them. One of the
 * day so far never says what a pull of the whole day does, though nothing has come since.
 */
function saysTheSame(manifest: Manifest, pull: Pull, { timeZone }: MerchantSettings): boolean {
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
  before: Pick<Before, 'newest' | 'sealedIds'>,
  files: Manifest['files'],
  history: readonly DayFigures[],
): Manifest {
  const { settings, day, scheduledTime } = request;
  const { newest, sealedIds } = before;
  const { counts, amounts, refunds, balanced } = pull.figures;
  const onceThere = new Set(sealedIds);
  // Parsed, so that nothing is ever sealed that could not be read again.
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
    // Only what the day once had: an id that was mistyped somewhere must not follow it for ever.
    missingRefundIds: pull.missingRefundIds.filter((id) => onceThere.has(id)).slice(0, MOST_MISSING_REFUNDS),
    digest: pull.digest,
    drift: pull.drift,
    history: daysBefore(history, day),
    previous: newest === undefined ? null : manifestKey(day, settings.merchantCode, newest.revision),
    files,
  });
}

/** What is known of a day before it is pulled. */
interface Before {
  newest: Manifest | undefined;
  /** Refund ids that the newest revision knows of. */
  sealedIds: string[];
}

/** Looks at what is sealed, and holds the client to the merchant that it is of. */
async function lookBefore(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  { settings, day }: SealRequest,
): Promise<Before> {
  const newest = await snapshots.newest(settings.merchantCode, day);
  client.identity.expect(await knownMerchantId(snapshots, settings, day, newest));
  return { newest, sealedIds: await sealedRefundIds(snapshots, newest) };
}

/**
 * Pulls the day until a pull can be used, three times at most, for all reasons together. A pull during which the service
 * changed is used only when it is the last one; what does not agree is then marked.
 *
 * What is sealed is looked at before every pull: a run that was overtaken while it pulled holds rows that may be older
 * than those sealed meanwhile, and must not put them behind.
 *
 * @param use `undefined` where another run's seal made the pull worthless; the pull's files are there until it ends
 * @throws {SealContestedError} when the last pull was worthless
 */
async function withUsefulPull<T>(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
  use: (pull: Pull, before: Before) => Promise<T | undefined>,
): Promise<T> {
  const { settings, day } = request;
  for (let attempt = 1; attempt <= MOST_PULLS; attempt += 1) {
    const last = attempt === MOST_PULLS;
    const before = await lookBefore(client, snapshots, request);
    const knownRefundIds = [...request.refundIds, ...before.sealedIds];
    const spool = await Spool.open();
    try {
      const pull = await pullDay(client, spool, clock, { settings, day, knownRefundIds, last });
      request.onPull(pull, attempt);
      const used = pull.unsettled && !last ? undefined : await use(pull, before);
      if (used !== undefined) return used;
    } finally {
      await spool.discard();
    }
  }
  throw new SealContestedError(
    `merchant ${settings.merchantCode}, day ${day}: another run sealed other content during the last of ${MOST_PULLS} pulls`,
  );
}

/** Pulls the day and gives what a revision of it would say; nothing is stored. */
export async function previewDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  return withUsefulPull(client, snapshots, clock, request, async (pull, before) => {
    const unchanged = before.newest !== undefined && saysTheSame(before.newest, pull, request.settings);
    const files = pull.files.map(({ path: _path, ...file }) => ({ ...file, key: '' }));
    return { manifest: manifestOf(request, pull, before, files, await request.history()), unchanged, pull };
  });
}

/**
 * Pulls the day and seals it as the next revision, or finds it unchanged.
 *
 * @throws {SealContestedError} when another run took the number of the last of three pulls
 */
export async function sealDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  const { settings, day } = request;
  return withUsefulPull(client, snapshots, clock, request, async (pull, before) => {
    const { newest } = before;
    if (newest !== undefined && saysTheSame(newest, pull, settings))
      return { manifest: newest, unchanged: true, pull };
    const history = await request.history();
    const files = await snapshots.upload(settings.merchantCode, day, pull.id, pull.files);
    const standing = await snapshots.seal(manifestOf(request, pull, before, files, history));
    if (standing.pull === pull.id) return { manifest: standing, unchanged: false, pull };
    return saysTheSame(standing, pull, settings) ? { manifest: standing, unchanged: true, pull } : undefined;
  });
}
