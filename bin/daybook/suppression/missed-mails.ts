import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#runtime/unreadable-object.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { lackingMail, decisiveEntries } from '#mail/ledger/ledger-outcome.ts';
import type { RecipientStatus } from '#mail/ledger/ledger.ts';
import { merchantDay, pageLedgerKey } from '#records/storage/keys.ts';
import { storedMailThatCounts } from '#page/mail-that-counts.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import type { KnownAddress } from './known-addresses.ts';

/** A mail that an address did not get. */
export interface MissedMail {
  merchantCode: string;
  day: string;
  status: RecipientStatus;
  reason: string | null;
  /** Its owner marked the mail as unwanted. Only a person can send it again, to that address alone. */
  isComplaint: boolean;
}

/** Where to look for the mails that an address missed. */
export interface MissedSearch {
  s3: S3Client;
  bucket: string;
  hash: string;
  /** Milliseconds UTC. */
  now: number;
  /** How many days back, from the yesterday of each merchant. */
  days: number;
}

const DAYS_AT_ONCE = 16;

/** A merchant's day, and the merchant's zone. */
interface MailedDay {
  merchantCode: string;
  day: string;
  timeZone: string;
}

/** The mail that counts for the day, if the address was a recipient and does not have it. */
async function missedOn({ s3, bucket, hash }: MissedSearch, mailed: MailedDay): Promise<MissedMail[]> {
  const { merchantCode, day, timeZone } = mailed;
  const stores = { snapshots: new SnapshotStore(s3, bucket), ledgers: new LedgerStore(s3, bucket) };
  const sealed = await stores.snapshots.newest(merchantDay(merchantCode, day));
  if (sealed === undefined) return [];
  const place = { ...merchantDay(merchantCode, day), revision: sealed.revision };
  const newest = (await stores.ledgers.read(pageLedgerKey(place)))?.ledger;
  const ledger = await storedMailThatCounts(stores, place, newest, timeZone);
  const entry = ledger && decisiveEntries(ledger).get(hash);
  if (ledger === undefined || entry === undefined) return [];
  const { lacking, complained } = lackingMail(ledger, [hash]);
  if (lacking.length === 0 && complained === 0) return [];
  return [{ merchantCode, day, status: entry.status, reason: entry.reason, isComplaint: complained > 0 }];
}

/** The mails of the last days that the address missed, by merchant, the newest day first. */
export async function missedMails(
  search: MissedSearch,
  merchants: KnownAddress['merchants'],
): Promise<MissedMail[]> {
  const looks = merchants.flatMap(({ merchantCode, timeZone }) => {
    const today = dayAt(search.now, timeZone);
    return Array.from({ length: search.days }, (_, back) => ({
      merchantCode,
      timeZone,
      day: addDays(today, -1 - back),
    }));
  });
  const missed = await pLimit(DAYS_AT_ONCE).map(looks, async (mailed) => {
    try {
      return await missedOn(search, mailed);
    } catch (error) {
      // An unreadable ledger must not hide the others.
      if (!isUnreadableObject(error)) throw error;
      return [];
    }
  });
  return missed.flat();
}
