import { SealContestedError } from '#domain/errors/seal-contested-error.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { settingsOfNext } from '#domain/revision/page-settings.ts';
import type { PageSettings } from '#domain/revision/page-settings.ts';
import type { PaymentsClient } from '#payments/client.ts';
import type { Clock } from '#runtime/clock.ts';
import { knownMerchantId } from '#snapshots/known-merchant-id.ts';
import type { KnownHistory } from '#snapshots/history-store.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { readKnownDay } from './known-day.ts';
import type { KnownDay } from './known-day.ts';
import { pullDay } from './pull-day.ts';
import type { Pull } from './pull-day.ts';
import { Spool } from './spool.ts';
import { sealedRefundIds } from '#snapshots/sealed-rows.ts';

/** The refund ids that the newest revision knows: its refunds, and those that the service did not know. */
async function knownRefundIds(
  snapshots: SnapshotStore,
  { newest, check }: KnownDay,
): Promise<readonly string[]> {
  const record = check?.record;
  // The record has them if they are few. Then the sealed file need not be read.
  if (newest !== undefined && record?.revision === newest.revision && record.refundIds !== null) {
    return [...newest.missingRefundIds, ...record.refundIds];
  }
  return sealedRefundIds(snapshots, newest);
}

/** The most pulls of one invocation, for all reasons together. */
const MOST_PULLS = 3;

/** What a day is sealed from. */
export interface SealRequest {
  settings: MerchantSettings;
  day: string;
  scheduledTime: string | null;
  /** What is stored of the day. It is read again before a second pull. */
  known: KnownDay;
  /** Reads the merchant's history. Called only when it is needed. */
  history: () => Promise<KnownHistory>;
  /** Refund ids to read, besides those of the day's newest revision. */
  refundIds: readonly string[];
  onPull: (pull: Pull, attempt: number) => void;
}

/** What is known of a day before a pull. */
export interface Before extends KnownDay {
  /** The merchant's, with the meaning that the day was sealed with. */
  settings: PageSettings;
  /** Refund ids in the newest revision. */
  sealedIds: readonly string[];
  /** The merchant's history, read at the first call. */
  history: () => Promise<KnownHistory>;
}

/** Reads what the pull needs to know, and makes the client accept records of the same merchant only. */
async function readBefore(
  client: PaymentsClient,
  snapshots: SnapshotStore,
  { settings, day, history: readHistory }: SealRequest,
  known: KnownDay,
): Promise<Before> {
  let reading: Promise<KnownHistory> | undefined;
  const history = () => (reading ??= readHistory());
  client.identity.expect(await knownMerchantId(snapshots, settings, day, known.newest, history));
  const meant = settingsOfNext(known.newest, settings);
  return { ...known, settings: meant, sealedIds: await knownRefundIds(snapshots, known), history };
}

/**
 * Pulls the day until a pull can be used: three times at most, for all reasons together. A pull during which
 * the service changed is used only when it is the last one. What does not agree is then marked.
 * What is stored of the day is read before every pull. When another run sealed in the meantime, the rows of this
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
    const known = attempt === 1 ? request.known : await readKnownDay(snapshots, settings.merchantCode, day);
    const before = await readBefore(client, snapshots, request, known);
    const refundIds = [...request.refundIds, ...before.sealedIds];
    const spool = new Spool();
    try {
      const pull = await pullDay(client, spool, clock, {
        settings: before.settings,
        day,
        knownRefundIds: refundIds,
        last,
      });
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
