import { addressHash, merchantDay, pageLedgerKey } from '#records/storage/keys.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { givenAddress, registryAddresses } from './addresses.ts';
import { createSesClient, deleteSesStops } from './ses-stops.ts';
import { deleteStop, readStop } from './stops.ts';
import { counted, utcMinute } from '../terminal/words.ts';
import type { S3Client } from '@aws-sdk/client-s3';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { lackingMail, decisiveEntries } from '#records/ledger/ledger-outcome.ts';
import type { RecipientStatus } from '#records/ledger/ledger.ts';
import { storedMailThatCounts } from '#page/mail-that-counts.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import type { KnownAddress } from './addresses.ts';
import pLimit from 'p-limit';

interface MissedMail {
  merchantCode: string;
  day: string;
  status: RecipientStatus;
  reason: string | null;
  /** Its owner marked the mail as unwanted. Only a person can send it again, to that address alone. */
  isComplaint: boolean;
}

interface MissedSearch {
  s3: S3Client;
  bucket: string;
  hash: string;
  /** Milliseconds UTC. */
  now: number;
  /** How many days back, from the yesterday of each merchant. */
  days: number;
}

const DAYS_AT_ONCE = 16;

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

async function missedMails(
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

const MOST_DAYS = 31;

function daysIn(text: string): number {
  const days = Number(text);
  if (/^\d{1,2}$/.test(text) && days <= MOST_DAYS) return days;
  throw new UsageError(`--days must be a whole number from 0 to ${MOST_DAYS}`);
}

/** The command that sends the mail of that day to the address. Recipients who have it do not get it again. */
function resendWords({ merchantCode, day, isComplaint }: MissedMail, address: string): string[] {
  const to = isComplaint ? ['--only', address] : ['--failed'];
  return ['report', merchantCode, '--day', day, '--resend', ...to];
}

/** Does `daybook suppression remove`. */
export async function remove(
  context: CommandContext,
  text: string,
  options: { days: string },
): Promise<ExitStatus> {
  const { output } = context;
  const [address, days] = [givenAddress(text), daysIn(options.days)];
  const stage = await context.stage();
  const [s3, bucket, hash] = [stage.s3(), stage.bucket, addressHash(address)];
  const [known, ours] = await Promise.all([registryAddresses(context), readStop(s3, bucket, hash)]);
  const owner = known.get(hash);
  const spellings = [address, address.toLowerCase(), ...(owner === undefined ? [] : [owner.address])];
  const ses = createSesClient();
  // SES first. As long as SES refuses the address, the next mail would bring our stop back.
  const ofSes = await deleteSesStops(ses, spellings).finally(() => ses.destroy());
  if (ours !== undefined) await deleteStop(s3, bucket, hash);
  const isRemoved = ours !== undefined || ofSes.length > 0;
  const { merchants = [], groups = [] } = owner ?? {};
  const missed = isRemoved
    ? await missedMails({ s3, bucket, hash, now: context.now(), days }, merchants)
    : [];
  const result = {
    stage: stage.name,
    address,
    hash,
    removed: { daybook: ours ?? null, ses: ofSes },
    merchants: merchants.map(({ merchantCode }) => merchantCode),
    groups,
    missed: missed.map((mail) => ({ ...mail, command: stage.lines.daybook(...resendWords(mail, address)) })),
  };
  output.result(result, () => {
    if (!isRemoved) {
      output.line(`${address} is not stopped, neither by Daybook nor by SES.`);
      if (owner === undefined) output.line('No merchant and no group has this address: is it misspelt?');
      return;
    }
    const since = (time: string | null) => (time === null ? '' : ` (since ${utcMinute(time)} UTC)`);
    if (ours !== undefined)
      output.line(`Removed from Daybook's list: ${shown(ours.reason)}${since(ours.since)}`);
    for (const stop of ofSes)
      output.line(`Removed from the list of SES: ${shown(stop.reason)}${since(stop.since)}`);
    if (merchants.length + groups.length === 0) {
      output.line('No merchant and no group has this address, so no mail goes to it.');
    }
    if (missed.length > 0) {
      output.line();
      output.line(`It missed ${counted(missed.length, 'mail')} in ${counted(days, 'day')}. To send them:`);
      for (const mail of missed) output.line(`  ${stage.lines.daybook(...resendWords(mail, address))}`);
    }
  });
  return isRemoved ? 0 : 1;
}
