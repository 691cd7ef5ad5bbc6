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

/** What is known of a day before it is pulled. */
export interface Before {
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
