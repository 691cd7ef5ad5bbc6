import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { PaymentsClient } from '#payments/client.ts';
import type { Clock } from '#runtime/clock.ts';
import { knownMerchantId } from '#snapshots/known-merchant-id.ts';
import { sealedRefundIds } from '#snapshots/sealed-rows.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { pullDay } from './pull-day.ts';
import type { Pull } from './pull-day.ts';
import { Spool } from './spool.ts';

/** Another run sealed other content during the last pull of this one. */
export class SealContestedError extends DaybookError {
  override readonly name = 'SealContestedError';
}

/** The most pulls of one invocation, for all reasons together. */
const MOST_PULLS = 3;

/** What a day is sealed from. */
export interface SealRequest {
  settings: MerchantSettings;
  day: string;
  scheduledTime: string | null;
  /**
   * Reads the figures of the merchant's earlier sealed days, as far as they are known. Called only when there
   * is something to seal.
   */
  history: () => Promise<readonly DayFigures[]>;
  /** Refund ids to read, besides those of the day's newest revision. */
  refundIds: readonly string[];
  onPull: (pull: Pull, attempt: number) => void;
}

/** What is known of a day before a pull. */
export interface Before {
  newest: Manifest | undefined;
  /** Refund ids in the newest revision. */
  sealedIds: string[];
}

/** Reads what is sealed, and makes the client accept records of the same merchant only. */
async function readBefore(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  { settings, day }: SealRequest,
): Promise<Before> {
  const newest = await snapshots.newest(settings.merchantCode, day);
  client.identity.expect(await knownMerchantId(snapshots, settings, day, newest));
  return { newest, sealedIds: await sealedRefundIds(snapshots, newest) };
}

/**
 * Pulls the day until a pull can be used: three times at most, for all reasons together. A pull during which
 * the service changed is used only when it is the last one. What does not agree is then marked.
 * The sealed revisions are read before every pull. When another run sealed in the meantime, the rows of this
 * pull may be older than the sealed ones and must not replace them.
 *
 * @param use gives `undefined` when another run's seal made the pull useless. The pull's files exist until
 * `use` ends
 * @throws {SealContestedError} when the last pull was useless
 */
export async function withSettledPull<T>(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  clock: Clock,
  request: SealRequest,
  use: (pull: Pull, before: Before) => Promise<T | undefined>,
): Promise<T> {
  const { settings, day } = request;
  for (let attempt = 1; attempt <= MOST_PULLS; attempt += 1) {
    const last = attempt === MOST_PULLS;
    const before = await readBefore(client, snapshots, request);
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
