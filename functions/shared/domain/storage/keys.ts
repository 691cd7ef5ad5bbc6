import { createHash } from 'node:crypto';
import type { ChangeMarker } from '../changes/change-marker.ts';
import { isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { periodKind } from '../period/period.ts';
import type { Period } from '../period/period.ts';
import type { Format, Table } from '../revision/manifest.ts';

/* The keys of the data bucket (docs/interfaces.md, 5 Keys in the data bucket). */

/** Whose page it is: a merchant's or a group's. */
export type PageOwner =
  { merchantCode: string; group?: undefined } | { group: string; merchantCode?: undefined };

/**
 * A page. The owner and the form of the period say of which kind: a merchant's day (`2026-11-24`), a merchant's week or month
 * (`2026-W47`, `2026-11`), or a group's day, week or month.
 */
export interface PageId {
  owner: PageOwner;
  period: Period;
}

/** A revision of a page. */
export interface PagePlace extends PageId {
  revision: number;
}

/** The page of a merchant's day. */
export function merchantDay(merchantCode: string, day: Day): PageId {
  return { owner: { merchantCode }, period: day };
}

/** The page in words, for errors and logs, such as `merchant 700001, day 2026-11-24`. */
export function pageInWords({ owner, period }: PageId): string {
  const whose = owner.merchantCode === undefined ? `group ${owner.group}` : `merchant ${owner.merchantCode}`;
  return `${whose}, ${isMerchantDay({ owner, period }) ? 'day' : 'period'} ${period}`;
}

/** Whether it is a merchant's day: the page that is pulled. All others add up sealed pages. */
export function isMerchantDay({ owner, period }: PageId): boolean {
  return owner.merchantCode !== undefined && periodKind(period) === 'day';
}

/** The part of a key that names the owner, such as `merchant=700001`. It tells a group from a merchant of the same name. */
export function ownerPart({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group=${group}` : `merchant=${merchantCode}`;
}

function revisionFile(revision: number): string {
  return `r${revision.toString().padStart(4, '0')}.json`;
}

/** The prefix of all statements and groups' pages. */
export const STATEMENTS = 'statements/';

/** The beginning of the ledgers of all periods. */
export const PERIOD_LEDGERS = 'mail/period=';

/** The prefix of the pages of a day, of all merchants. */
export function dayPrefix(day: Day): string {
  return `days/day=${day}/`;
}

/** The prefix of the statements and groups' pages of a period. */
export function periodPrefix(period: Period): string {
  return `${STATEMENTS}period=${period}/`;
}

/** The prefix of the ledgers of all merchants' reports of a day. */
export function ledgerPrefix(day: Day): string {
  return `mail/day=${day}/`;
}

/** The prefix of the ledgers of the statements and groups' pages of a period. */
export function periodLedgerPrefix(period: Period): string {
  return `${PERIOD_LEDGERS}${period}/`;
}

/** The prefix of the revisions of a page. */
export function pagePrefix(page: PageId): string {
  const { owner, period } = page;
  return `${isMerchantDay(page) ? dayPrefix(period) : periodPrefix(period)}${ownerPart(owner)}/`;
}

/** The key of a revision of a page. */
export function pageKey({ revision, ...page }: PagePlace): string {
  return `${pagePrefix(page)}${revisionFile(revision)}`;
}

/** The key of the ledger of a revision's mail. */
export function pageLedgerKey({ owner, period, revision }: PagePlace): string {
  const prefix = isMerchantDay({ owner, period }) ? ledgerPrefix(period) : periodLedgerPrefix(period);
  return `${prefix}${ownerPart(owner)}/${revisionFile(revision)}`;
}

/** The key of a revision of a merchant's day: its manifest. */
export function manifestKey(day: Day, merchantCode: string, revision: number): string {
  return pageKey({ ...merchantDay(merchantCode, day), revision });
}

/** The key of the ledger of the mail about a merchant's day. */
export function ledgerKey(day: Day, merchantCode: string, revision: number): string {
  return pageLedgerKey({ ...merchantDay(merchantCode, day), revision });
}

const PLACE = /\/(?:day|period)=([^/]+)\/(merchant|group)=([A-Za-z0-9-]{1,64})\/r(\d{4,9})\.json$/;

function placeInKey(key: string, keyOf: (place: PagePlace) => string): PagePlace | undefined {
  const [, period = '', whose, name = '', digits] = PLACE.exec(key) ?? [];
  if (periodKind(period) === undefined) return undefined;
  const owner = whose === 'group' ? { group: name } : { merchantCode: name };
  const place = { owner, period, revision: Number(digits) };
  return keyOf(place) === key ? place : undefined;
}

/** The revision that a key names, `undefined` for every key that is not exactly one of a page. */
export function pageInKey(key: string): PagePlace | undefined {
  return placeInKey(key, pageKey);
}

/** The revision whose mail's ledger has this key, `undefined` for every other key. A copy beside it is none. */
export function pageInLedgerKey(key: string): PagePlace | undefined {
  return placeInKey(key, pageLedgerKey);
}

const REVISION = /^(merchant|group)=([A-Za-z0-9-]{1,64})\/(r(\d{4,9})\.json)$/;

/**
 * Whose revision a listed key names, and its number: of a page or a ledger. `undefined` for every other key, however similar.
 * The prefix is not looked at again, because a listing has thousands of keys with the same one.
 *
 * @param prefix of the listing, such as `statements/period=2026-11/`
 */
export function revisionUnder(prefix: string, key: string): Omit<PagePlace, 'period'> | undefined {
  const [, whose, name = '', file, digits] = REVISION.exec(key.slice(prefix.length)) ?? [];
  const revision = Number(digits);
  if (file === undefined || revisionFile(revision) !== file) return undefined;
  return { owner: whose === 'group' ? { group: name } : { merchantCode: name }, revision };
}

/** The beginning of the records of what ops were notified of about the statements of each period. */
export const NOTIFIED_PERIODS = 'mail/ops/watch/period=';

/** The key of the record of what ops were notified of about the reports of a day. */
export function notifiedDayKey(day: Day): string {
  return `mail/ops/watch/day=${day}.json`;
}

/** The key of the record of what ops were notified of about the statements and groups' pages of a period. */
export function notifiedPeriodKey(period: Period): string {
  return `${NOTIFIED_PERIODS}${period}.json`;
}

/** The period in the key of such a record, `undefined` for every other key. */
export function periodOfNotified(key: string): Period | undefined {
  const period = key.slice(NOTIFIED_PERIODS.length, -'.json'.length);
  return periodKind(period) !== undefined && notifiedPeriodKey(period) === key ? period : undefined;
}

const EXTENSIONS: Record<Format, string> = { json: 'jsonl.gz', csv: 'csv.gz' };

/** The part after the last slash. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function dayAndMerchant(day: Day, merchantCode: string): string {
  return `day=${day}/merchant=${merchantCode}`;
}

/** The key of a pull's rows of one table. Never overwritten: a pull id is used once. */
export function dataKey(table: Table, format: Format, day: Day, merchantCode: string, pull: string): string {
  return `${table}/${format}/${dayAndMerchant(day, merchantCode)}/${pull}.${EXTENSIONS[format]}`;
}

/** The parts of a data file's key. */
export interface NamedDataFile {
  table: Table;
  format: Format;
  day: Day;
  merchantCode: string;
  pull: string;
}

const DATA_KEY =
  /^(invoices|refunds)\/(json|csv)\/day=([^/]+)\/merchant=([A-Za-z0-9-]{1,64})\/(\d{8}T\d{6}Z-[0-9a-f]+)\./;

/** The parts of a data file's key, `undefined` for every other key, however similar. */
export function dataFileInKey(key: string): NamedDataFile | undefined {
  const [, table, format, day = '', merchantCode = '', pull = ''] = DATA_KEY.exec(key) ?? [];
  if (table !== 'invoices' && table !== 'refunds') return undefined;
  if (format !== 'json' && format !== 'csv') return undefined;
  const isOne = isDay(day) && dataKey(table, format, day, merchantCode, pull) === key;
  return isOne ? { table, format, day, merchantCode, pull } : undefined;
}

/** The prefix of all files of a table in one format, for all days. */
export function dataPrefix(table: Table, format: Format): string {
  return `${table}/${format}/`;
}

/** The prefix of the rule states of all merchants. */
export const ALERT_STATES = 'alerts/';

/** The day in a key or in a prefix of several keys, `undefined` for any other key. */
export function dayInKey(key: string): Day | undefined {
  const day = /\/day=([^/]+)\//.exec(key)?.[1];
  return day !== undefined && isDay(day) ? day : undefined;
}

/** The revision in a manifest's key, `undefined` for any other key. */
export function revisionInKey(key: string): number | undefined {
  const digits = /\/r(\d{4,})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The merchant in a key or in a prefix of several keys, `undefined` for any other key. */
export function merchantInKey(key: string): string | undefined {
  return /\/merchant=([A-Za-z0-9-]{1,64})\//.exec(key)?.[1];
}

/** The key of a merchant's history. */
export function historyKey(merchantCode: string): string {
  return `history/merchant=${merchantCode}.json`;
}

/** The key of the record of a day's last pull. */
export function checkedKey(day: Day, merchantCode: string): string {
  return `checked/${dayAndMerchant(day, merchantCode)}.json`;
}

/** The prefix of the ledgers of a merchant's alert mails. */
export function alertLedgerPrefix(merchantCode: string): string {
  return `mail/alerts/merchant=${merchantCode}/`;
}

/** The key of all rule states of a merchant. */
export function alertStateKey(merchantCode: string): string {
  return `alerts/merchant=${merchantCode}/state.json`;
}

/** Whether a key is exactly that of a merchant's rule states. */
export function isAlertStateKey(key: string): boolean {
  const merchantCode = merchantInKey(key);
  return merchantCode !== undefined && alertStateKey(merchantCode) === key;
}

/** The key of the ledger of an alert mail. @param check the name of the check that sends it */
export function alertLedgerKey(merchantCode: string, check: string): string {
  return `mail/alerts/merchant=${merchantCode}/${check}.json`;
}

/**
 * A hash that replaces an address wherever the address must not appear: SHA-256 (hex) of it in lower case.
 */
export function addressHash(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
}

/** The key of an address on the suppression list. @param hash of the address */
export function suppressionKey(hash: string): string {
  return `mail-stops/${hash}.json`;
}

/** The prefix of the suppression list. */
export const SUPPRESSIONS = 'mail-stops/';

/** The hash of the address in a key of the suppression list, `undefined` for every other key, however similar. */
export function addressHashInKey(key: string): string | undefined {
  return /^mail-stops\/([0-9a-f]{64})\.json$/.exec(key)?.[1];
}

/** The key of the record of a notice to ops, so that ops get it once. */
export function opsNoticeKey(about: string): string {
  return `mail/ops/${createHash('sha256').update(about).digest('hex')}.json`;
}

/** The keys where an operator or another system lists refund ids to watch. */
export function watchListKeys(merchantCode: string): { csv: string; json: string } {
  return { csv: `config/refunds/${merchantCode}.csv`, json: `config/refunds/${merchantCode}.json` };
}

/** The prefix of the change markers. */
export const CHANGES = 'changes/';

/**
 * The key of a change marker. It has the date and the time (UTC) at which the marker's ten minutes begin, such as
 * `changes/noted_on=2026-11-21/0610-days-2026-11-20.json`.
 */
export function changeKey({ day, what, notedAt }: ChangeMarker): string {
  const [notedOn = '', time = ''] = notedAt.split('T');
  return `${changesPrefix(notedOn)}${time.slice(0, 5).replace(':', '')}-${what}-${day}.json`;
}

/** The prefix of the change markers that were noted on a date (UTC). */
export function changesPrefix(notedOn: Day): string {
  return `${CHANGES}noted_on=${notedOn}/`;
}

const SEALS = /^changes\/noted_on=\d{4}-\d\d-\d\d\/\d{4}-days-(\d{4}-\d\d-\d\d)\.json$/;

/** The day of which a marker says that a revision is sealed. `undefined` for the key of any other marker or object. */
export function sealedDayOfMarker(key: string): Day | undefined {
  return SEALS.exec(key)?.[1];
}

/** The key of the last good registry. It has the registry's own name. */
export function lastGoodKey(registryKey: string): string {
  return `config/last-good/${lastPart(registryKey)}`;
}

/** The starts of keys that functions, state machines or other systems write. */
export const WRITTEN = [
  'alerts/',
  CHANGES,
  'checked/',
  'config/last-good/',
  'config/refunds/',
  'days/',
  'history/',
  'invoices/',
  'lake/',
  'mail-stops/',
  'mail/',
  'plan/',
  'refunds/',
  'statements/',
];

/**
 * Whether a registry may have this key. It must not be where a function writes: anybody who gets a function
 * to write there could decide who gets the mails.
 */
export function mayBeRegistryKey(key: string): boolean {
  const isPlain = /^[A-Za-z0-9][\w.=-]*(\/[A-Za-z0-9][\w.=-]*)*$/.test(key) && key.length <= 512;
  return isPlain && !WRITTEN.some((prefix) => `${key}/`.startsWith(prefix));
}
