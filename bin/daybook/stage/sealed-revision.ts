import type { S3Client } from '@aws-sdk/client-s3';
import { soFarUntil } from '#records/revision/manifest.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { storedGroupPageSchema } from '#page/figures/group-page.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { PageStore, SealedPages } from '#page/page-store.ts';
import { DayStore } from '#page/day-store.ts';
import { GroupHeads } from '#watch/delivery-watch/look-at-pages.ts';

export function recordStores(s3: S3Client, bucket: string) {
  return {
    sealedPages: new SealedPages(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    snapshots: new DayStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
}

export interface SealedRevision {
  revision: number;
  /** When it was sealed; of a merchant's day: pulled (ISO 8601, UTC). */
  sealedAt: string;
  /** Whether it balances, or is final. */
  isGood: boolean;
  /** Of a merchant's day: until when it holds the day, if the day was not over, and its invoices. */
  soFarUntil: string | null;
  invoices: number | null;
  /** The parts that any other page adds up, with the revision of each. */
  added: ReadonlyMap<string, number>;
  missing: readonly string[];
  /** Days that do not balance, or merchants whose own page is provisional. */
  unbalanced: readonly string[];
  /** Of a closed statement: when it was closed (ISO 8601, UTC). */
  closedAt?: string | undefined;
  /** Of a statement: when a person reopened it (ISO 8601, UTC). */
  reopenedAt?: string | undefined;
  /** Of a statement: the closed periods that it tells adjustments of. */
  adjusts?: readonly string[];
}

/** A sealed revision; `undefined`: none of this number. @throws {StoredObjectError} when it cannot be read */
export async function sealedRevision(
  s3: S3Client,
  bucket: string,
  place: PagePlace,
  timeZone: string,
): Promise<SealedRevision | undefined> {
  const { revision } = place;
  if (isMerchantDay(place)) {
    const day = await new DayStore(s3, bucket).revision(place);
    if (day === undefined) return undefined;
    const own = { soFarUntil: soFarUntil(day, timeZone), invoices: day.counts.total };
    const parts = { added: new Map(), missing: [], unbalanced: [] };
    return { revision, sealedAt: day.pulledAt, isGood: day.balanced, ...own, ...parts };
  }
  const ofDay = { soFarUntil: null, invoices: null };
  if (place.owner.group === undefined) {
    const page = await new PageStore(s3, bucket, statementSchema).revision(place);
    if (page === undefined) return undefined;
    const { sealedAt, final: isGood, missing, unbalanced, closedAt, reopenedAt, adjustments = [] } = page;
    const added = new Map(page.days.map((one) => [one.day, one.revision]));
    const adjusts = [...new Set(adjustments.map(({ period }) => period))];
    const closing = { closedAt, reopenedAt, adjusts };
    return { revision, sealedAt, isGood, ...ofDay, added, missing, unbalanced, ...closing };
  }
  const page = await new PageStore(s3, bucket, storedGroupPageSchema).revision(place);
  if (page === undefined) return undefined;
  const { sealedAt, final: isGood, merchants } = page;
  return {
    revision,
    sealedAt,
    isGood,
    ...ofDay,
    added: new Map(merchants.map((one) => [one.merchantCode, one.revision])),
    missing: page.missing.map(({ merchantCode }) => merchantCode),
    unbalanced: merchants.filter(({ final }) => !final).map(({ merchantCode }) => merchantCode),
  };
}
