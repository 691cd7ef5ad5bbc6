import { DaybookError } from '../shared/core/daybook-error.ts';
import { daysBefore } from '../shared/core/history.ts';
import type { DayFigures } from '../shared/core/history.ts';
import { manifestKey } from '../shared/core/keys.ts';
import { sameFigures } from '../shared/core/mail-decision.ts';
import { figuresOf, manifestSchema } from '../shared/core/manifest.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import type { PaymentsClient } from '../shared/payments/client.ts';
import { knownMerchantId } from '../shared/adapters/known-merchant-id.ts';
import { sealedRefundIds } from '../shared/adapters/sealed-rows.ts';
import { Spool } from '../shared/adapters/spool.ts';
import type { Clock, SnapshotStore } from '../shared/ports.ts';
import { pullDay } from './pull-day.ts';
import type { Pull } from './pull-day.ts';

/** Other runs sealed other content each time this one wanted to. */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}

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

/** Whether a revision says what the pull says: the same rows, and the same figures and differences from them. */
function saysTheSame(manifest: Manifest, pull: Pull): boolean {
  return (
    manifest.digest === pull.digest &&
    sameFigures(figuresOf(manifest), pull.figures) &&
    JSON.stringify(manifest.differences) === JSON.stringify(pull.differences)
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
    scheduledTime,
    balanced,
    differences: pull.differences,
    counts,
    amounts,
    refunds,
    // Only what the day once had: an id that was mistyped somewhere must not follow it for ever.
    missingRefundIds: pull.missingRefundIds.filter((id) => onceThere.has(id)),
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

/** Pulls until the service holds still, at most three times, and hands the last pull on while its files are there. */
async function withSettledPull<T>(
  client: PaymentsClient,
  clock: Clock,
  request: SealRequest,
  refundIds: readonly string[],
  use: (pull: Pull) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const spool = await Spool.open();
    try {
      const { settings, day } = request;
      const last = attempt === MOST_PULLS;
      const pull = await pullDay(client, spool, clock, {
        settings,
        day,
        knownRefundIds: refundIds,
        last,
      });
      request.onPull(pull, attempt);
      if (!pull.unsettled || last) return await use(pull);
    } finally {
      await spool.discard();
    }
  }
}

/** Pulls the day and gives what a revision of it would say; nothing is stored. */
export async function previewDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  const before = await lookBefore(client, snapshots, request);
  const { newest, sealedIds } = before;
  const refundIds = [...request.refundIds, ...sealedIds];
  return withSettledPull(client, clock, request, refundIds, async (pull) => {
    const unchanged = newest !== undefined && saysTheSame(newest, pull);
    const files = pull.files.map(({ path: _path, ...file }) => ({ ...file, key: '' }));
    return { manifest: manifestOf(request, pull, before, files, await request.history()), unchanged, pull };
  });
}

/**
 * Pulls the day and seals it as the next revision, or finds it unchanged.
 *
 * The number is fixed before the pull: a run that was overtaken while it pulled holds rows that may be older than
 * those sealed meanwhile, and so it pulls again instead of taking the number after.
 *
 * @throws {SealContestedError} when that happened three times
 */
export async function sealDay(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
): Promise<SealedDay> {
  const { settings, day } = request;
  for (let attempt = 1; attempt <= MOST_PULLS; attempt += 1) {
    const before = await lookBefore(client, snapshots, request);
    const { newest, sealedIds } = before;
    const refundIds = [...request.refundIds, ...sealedIds];
    const sealed = await withSettledPull(client, clock, request, refundIds, async (pull) => {
      if (newest !== undefined && saysTheSame(newest, pull))
        return { manifest: newest, unchanged: true, pull };
      const history = await request.history();
      const files = await snapshots.upload(settings.merchantCode, day, pull.id, pull.files);
      const standing = await snapshots.seal(manifestOf(request, pull, before, files, history));
      if (standing.pull === pull.id) return { manifest: standing, unchanged: false, pull };
      return saysTheSame(standing, pull) ? { manifest: standing, unchanged: true, pull } : undefined;
    });
    if (sealed !== undefined) return sealed;
  }
  throw new SealContestedError(
    `merchant ${settings.merchantCode}, day ${day}: other runs sealed other content during each of ${MOST_PULLS} pulls`,
  );
}
