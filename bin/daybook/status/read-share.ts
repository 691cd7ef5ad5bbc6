import { createS3Client } from '#aws/aws-clients.ts';
import type { ExpectedPage } from '#functions/delivery-watch/delivery.ts';
import { GroupHeads } from '#functions/delivery-watch/group-heads.ts';
import { lookAtPages } from '#functions/delivery-watch/look-at-pages.ts';
import type { ListedRevisions } from '#functions/delivery-watch/look-at-pages.ts';
import { LedgerStore } from '#mailing/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { merchantStatus } from './merchant-status.ts';
import type { MerchantStatus } from './merchant-status.ts';

/** Some of the reports, and what a thread needs to read their records. It can be cloned. */
export interface Share {
  bucket: string;
  reports: readonly ExpectedPage[];
  revisions: ListedRevisions;
  /** Milliseconds UTC. */
  now: number;
  /** How many requests are under way at a time. */
  atOnce: number;
}

/** What is called while a share is read. */
export interface ShareListener {
  /** One more report was read. */
  onRead: () => void;
  /** The records of a report cannot be read. */
  onUnreadable: (message: string) => void;
}

/** Reads the records of a share. @returns in the order of its reports */
export async function readShare(
  { bucket, reports, ...looking }: Share,
  { onRead, onUnreadable }: ShareListener,
): Promise<MerchantStatus[]> {
  const s3 = createS3Client(looking.atOnce);
  const stores = {
    sealedPages: new SealedPages(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
  const options = { ...looking, onUnreadable: (error: Error) => onUnreadable(error.message) };
  try {
    return await lookAtPages(stores, reports, options, (looked) => {
      onRead();
      return merchantStatus(looked);
    });
  } finally {
    s3.destroy();
  }
}
