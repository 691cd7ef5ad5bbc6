import { awsComplaint } from '../stage/aws-complaint.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import {
  ownersInWords,
  ownersOf,
  registryAddresses,
  givenAddress,
  createSesClient,
  listSesStops,
  deleteSesStops,
  Stops,
} from './stops.ts';
import type { SesStop, Stop, KnownAddress } from './stops.ts';
import { utcMinute, shown, counted } from '../terminal/shown-text.ts';
import { addressHash, merchantDay, ownerInWords, ownerLists, pageLedgerKey } from '#records/storage/keys.ts';
import type { Stoppable } from '#records/storage/readers-stop.ts';
import { LONGEST_OWN_WORDS } from '#records/storage/object-bounds.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { Stage } from '../stage/stage.ts';
import { whenSpoilt } from '#runtime/s3-objects.ts';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { lackingMail, decisiveEntries } from '#records/ledger/ledger-rounds.ts';
import type { RecipientStatus } from '#records/ledger/ledger.ts';
import { storedMailThatCounts } from '#page/mail-that-counts.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { DayStore } from '#page/day-store.ts';
import pLimit from 'p-limit';

interface StoppedAddress {
  /** `null` when only its hash is known. */
  address: string | null;
  hash: string;
  stoppedBy: 'Daybook' | 'SES' | 'both' | 'reader';
  /** The only mails that it does not get, because its reader stopped them; `null` for all mail. */
  mails: Stoppable | null;
  reason: string;
  /** ISO 8601, UTC. The earlier one of both lists. */
  since: string | null;
  merchants: string[];
  groups: string[];
}

/** Both lists as one, in the order of Daybook's, then what only SES has. What readers stopped has a line each. */
function joinedStops(
  stops: readonly Stop[],
  sesStops: readonly SesStop[],
  known: ReadonlyMap<string, KnownAddress>,
): StoppedAddress[] {
  const ofSes = new Map(sesStops.map((stop) => [addressHash(stop.address), stop]));
  const ours = stops.map(({ hash, of, reason, since }): StoppedAddress => {
    const also = ofSes.get(hash);
    const address = known.get(hash)?.address ?? also?.address ?? null;
    if (of !== null) {
      return { address, hash, stoppedBy: 'reader', mails: of.mails, reason, since, ...ownerLists(of.owner) };
    }
    const [earliest = null] = [since, also?.since ?? null].filter((at) => at !== null).sort();
    const stoppedBy = also === undefined ? 'Daybook' : 'both';
    return { address, hash, stoppedBy, mails: null, reason, since: earliest, ...ownersOf(known.get(hash)) };
  });
  for (const { hash, of } of stops) if (of === null) ofSes.delete(hash);
  const others = [...ofSes].map(([hash, { address, reason, since }]): StoppedAddress => {
    return { address, hash, stoppedBy: 'SES', mails: null, reason, since, ...ownersOf(known.get(hash)) };
  });
  return [...ours, ...others];
}

/** Such as `reports of merchant 700001`. */
function mailsInWords({ of }: Stop): string {
  return of === null ? 'all mail' : `${of.mails} of ${ownerInWords(of.owner)}`;
}

const MOST_NAMED = 3;

/** The list of SES, `null` when it cannot be read. Our own list is worth showing then, too. */
async function sesList({ output }: CommandContext): Promise<SesStop[] | null> {
  const ses = createSesClient();
  try {
    return await listSesStops(ses);
  } catch (error) {
    const complaint = awsComplaint(error);
    if (complaint === undefined) throw error;
    output.warn(`the list of SES is left out: ${complaint}`);
    return null;
  } finally {
    ses.destroy();
  }
}

function rowOf({ address, hash, stoppedBy, mails, since, reason, ...owners }: StoppedAddress) {
  const by = mails === null ? stoppedBy : `${stoppedBy} (${mails})`;
  return [address ?? hash, by, utcMinute(since), reason, ownersInWords(owners, MOST_NAMED) || '-'];
}

export async function list(context: CommandContext): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const [known, ours, ofSes] = await Promise.all([
    registryAddresses(context),
    new Stops(stage.s3(), stage.bucket).list(),
    sesList(context),
  ]);
  const joined = joinedStops(ours, ofSes ?? [], known);
  const isOurs = ({ stoppedBy, merchants, groups }: StoppedAddress) =>
    stoppedBy !== 'SES' || merchants.length > 0 || groups.length > 0;
  const addresses = joined.filter(isOurs);
  const result = { stage: stage.name, isListOfSesRead: ofSes !== null, addresses };
  output.result(result, () => {
    if (addresses.length === 0) output.line('No address of a merchant or a group is stopped.');
    output.table(
      ['Address', 'Stopped by', 'Since (UTC)', 'Reason', 'Merchants and groups'],
      addresses.map(rowOf),
    );
    const left = joined.length - addresses.length;
    if (left > 0)
      output.note(`SES has ${counted(left, 'more stop')}, of addresses that no merchant and no group has.`);
  });
  return 0;
}

const MOST_OWNERS = 10;

export async function add(
  context: CommandContext,
  text: string,
  { reason }: { reason: string },
): Promise<ExitStatus> {
  const { output } = context;
  const address = givenAddress(text);
  if (reason.trim() === '' || reason.length > LONGEST_OWN_WORDS) {
    throw new UsageError(`--reason must have 1 to ${LONGEST_OWN_WORDS} characters: ledgers quote it`);
  }
  const stage = await context.stage();
  const hash = addressHash(address);
  const owners = ownersOf((await registryAddresses(context)).get(hash));
  const at = new Date(context.now()).toISOString();
  const stops = new Stops(stage.s3(), stage.bucket);
  const isNew = await stops.add({ hash, of: null }, { reason, at });
  const standing = isNew ? undefined : await stops.find({ hash, of: null });
  const named = ownersInWords(owners, MOST_OWNERS);
  const stop = { reason: standing?.reason ?? reason, since: standing === undefined ? at : standing.since };
  output.result({ stage: stage.name, address, hash, isNew, ...stop, ...owners }, () => {
    if (isNew) output.line(`${address} gets no mail of a merchant or a group from now on: ${shown(reason)}`);
    else {
      const since = stop.since === null ? '' : ` (since ${utcMinute(stop.since)} UTC)`;
      output.line(`${address} was stopped before${since}: ${shown(stop.reason)}`);
    }
    output.line(
      named === '' ? 'No merchant and no group has this address now.' : `It is a recipient of ${named}.`,
    );
    output.line(`Undo it with: ${stage.lines.daybook('suppression', 'remove', address)}`);
  });
  return 0;
}

interface MissedMail {
  merchantCode: string;
  day: string;
  status: RecipientStatus;
  reason: string | null;
  /** Its owner marked the mail as unwanted. Only a person can send it again, to that address alone. */
  isComplaint: boolean;
}

const DAYS_AT_ONCE = 16;

/** The mail that counts for the day, if the address was a recipient and does not have it. */
async function missedOn(
  stores: { snapshots: DayStore; ledgers: LedgerStore },
  hash: string,
  { merchantCode, timeZone }: KnownAddress['merchants'][number],
  day: Day,
): Promise<MissedMail[]> {
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

/** @param days how many days back, from the yesterday of each merchant. @param now milliseconds UTC */
async function missedMails(
  { s3, bucket }: Stage,
  hash: string,
  merchants: KnownAddress['merchants'],
  days: number,
  now: number,
): Promise<MissedMail[]> {
  const stores = { snapshots: new DayStore(s3(), bucket), ledgers: new LedgerStore(s3(), bucket) };
  const looks = merchants.flatMap((merchant) => {
    const today = dayAt(now, merchant.timeZone);
    return Array.from({ length: days }, (_, back) => [merchant, addDays(today, -1 - back)] as const);
  });
  const missed = await pLimit(DAYS_AT_ONCE).map(looks, ([merchant, day]) =>
    // An unreadable ledger must not hide the others.
    missedOn(stores, hash, merchant, day).catch(whenSpoilt(() => [])),
  );
  return missed.flat();
}

/** The command that sends the mail of that day to the address. Recipients who have it do not get it again. */
function resendWords({ merchantCode, day, isComplaint }: MissedMail, address: string): string[] {
  const to = isComplaint ? ['--only', address] : ['--failed'];
  return ['report', merchantCode, '--day', day, '--resend', ...to];
}

export async function remove(
  context: CommandContext,
  text: string,
  { days, reader = false }: { days: number; reader?: boolean | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const address = givenAddress(text);
  const stage = await context.stage();
  const stops = new Stops(stage.s3(), stage.bucket);
  const hash = addressHash(address);
  const [known, all] = await Promise.all([registryAddresses(context), stops.list(hash)]);
  const ours = all.find(({ of }) => of === null);
  const ofReader = all.filter(({ of }) => of !== null);
  const [lifted, left] = reader ? [ofReader, []] : [[], ofReader];
  const removed = [...(ours === undefined ? [] : [ours]), ...lifted];
  const owner = known.get(hash);
  const spellings = [address, address.toLowerCase(), ...(owner === undefined ? [] : [owner.address])];
  const ses = createSesClient();
  const ofSes = await context.whole(`${address} gets mail again.`, async () => {
    // SES first. As long as SES refuses the address, the next mail would bring our stop back.
    const deleted = await deleteSesStops(ses, spellings).finally(() => ses.destroy());
    for (const stop of removed) await stops.remove(stop);
    return deleted;
  });
  const isRemoved = ofSes.length + removed.length > 0;
  const { merchants = [], groups = [] } = owner ?? {};
  const missed = isRemoved ? await missedMails(stage, hash, merchants, days, context.now()) : [];
  const result = {
    stage: stage.name,
    address,
    hash,
    removed: { daybook: ours ?? null, ses: ofSes, reader: lifted },
    stoppedByReader: left,
    ...ownersOf(owner),
    missed: missed.map((mail) => ({ ...mail, command: stage.lines.daybook(...resendWords(mail, address)) })),
  };
  output.result(result, () => {
    if (left.length > 0) {
      const mails = left.map(mailsInWords).join(', ');
      output.line(`Its reader stopped ${mails}. That stays: ask the reader, then use --reader.`);
    }
    if (!isRemoved) {
      if (left.length === 0) output.line(`${address} is not stopped, neither by Daybook nor by SES.`);
      if (owner === undefined) output.line('No merchant and no group has this address: is it misspelt?');
      return;
    }
    const done = (what: string, { since }: SesStop | Stop) =>
      output.line(`${shown(what)}${since === null ? '' : ` (since ${utcMinute(since)} UTC)`}`);
    if (ours !== undefined) done(`Removed from Daybook's list: ${ours.reason}`, ours);
    for (const stop of lifted) done(`Its reader gets these mails again: ${mailsInWords(stop)}`, stop);
    for (const stop of ofSes) done(`Removed from the list of SES: ${stop.reason}`, stop);
    if (merchants.length + groups.length === 0) {
      output.line('No merchant and no group has this address, so no mail goes to it.');
    }
    if (missed.length > 0) {
      output.line();
      output.line(`It missed ${counted(missed.length, 'mail')} in ${counted(days, 'day')}. To send them:`);
      for (const { command } of result.missed) output.line(`  ${command}`);
    }
  });
  return isRemoved ? 0 : 1;
}
