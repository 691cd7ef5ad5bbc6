import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import type { ChangeMarker } from './change-marker.ts';
import { isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { periodKind } from '../period/period.ts';
import type { Period } from '../period/period.ts';
import type { Format, Table } from '../revision/manifest.ts';

/* The keys of the data bucket (docs/interfaces.md, 5 Keys in the data bucket). */

/** Of a merchant's code and of a group's name. */
export const MERCHANT_CODE = /^[A-Za-z0-9-]{1,64}$/;

export type PageOwner =
  { merchantCode: string; group?: undefined } | { group: string; merchantCode?: undefined };

/** Owner and form of period say its kind: a merchant's day, week or month, or a group's. */
export interface PageId {
  owner: PageOwner;
  period: Period;
}

export interface PagePlace extends PageId {
  revision: number;
}

export function merchantDay(merchantCode: string, day: Day): PageId {
  return { owner: { merchantCode }, period: day };
}

/** Such as `merchant 700001`. */
export function ownerInWords({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group ${group}` : `merchant ${merchantCode}`;
}

/** For what may be about several. */
export function ownerLists({ merchantCode, group }: PageOwner): { merchants: string[]; groups: string[] } {
  return merchantCode === undefined
    ? { merchants: [], groups: [group] }
    : { merchants: [merchantCode], groups: [] };
}

/** Such as `merchant 700001, day 2026-11-24`. */
export function pageInWords(page: PageId): string {
  return `${ownerInWords(page.owner)}, ${isMerchantDay(page) ? 'day' : 'period'} ${page.period}`;
}

export function isMerchantDay({ owner, period }: PageId): boolean {
  return owner.merchantCode !== undefined && periodKind(period) === 'day';
}

/** Such as `merchant=700001`: it tells a group from a merchant of the same name. */
export function ownerPart({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group=${group}` : `merchant=${merchantCode}`;
}

export function revisionFile(revision: number): string {
  return `r${revision.toString().padStart(4, '0')}.json`;
}

export const DAYS = 'days/';

export const STATEMENTS = 'statements/';

export const PERIOD_LEDGERS = 'mail/period=';

export function dayPrefix(day: Day): string {
  return `${DAYS}day=${day}/`;
}

export function periodPrefix(period: Period): string {
  return `${STATEMENTS}period=${period}/`;
}

export function ledgerPrefix(day: Day): string {
  return `mail/day=${day}/`;
}

export function periodLedgerPrefix(period: Period): string {
  return `${PERIOD_LEDGERS}${period}/`;
}

export function pagePrefix(page: PageId): string {
  const { owner, period } = page;
  return `${isMerchantDay(page) ? dayPrefix(period) : periodPrefix(period)}${ownerPart(owner)}/`;
}

export function pageKey({ revision, ...page }: PagePlace): string {
  return `${pagePrefix(page)}${revisionFile(revision)}`;
}

/** A file that a mail of the page links. @param format the ending of its name, such as `csv` */
export function linkedFileKey(place: PagePlace, format: string): string {
  return `links/${pageKey(place).replace(/json$/, format)}`;
}

export function pageLedgerKey({ owner, period, revision }: PagePlace): string {
  const prefix = isMerchantDay({ owner, period }) ? ledgerPrefix(period) : periodLedgerPrefix(period);
  return `${prefix}${ownerPart(owner)}/${revisionFile(revision)}`;
}

export function manifestKey(day: Day, merchantCode: string, revision: number): string {
  return pageKey({ ...merchantDay(merchantCode, day), revision });
}

export function ledgerKey(day: Day, merchantCode: string, revision: number): string {
  return pageLedgerKey({ ...merchantDay(merchantCode, day), revision });
}

/** @param whose `group` or `merchant` */
export function ownerNamed(whose: string | undefined, name: string): PageOwner {
  return whose === 'group' ? { group: name } : { merchantCode: name };
}

const PLACE = /\/(?:day|period)=([^/]+)\/(merchant|group)=([A-Za-z0-9-]{1,64})\/r(\d{4,9})\.json$/;

function placeInKey(key: string, keyOf: (place: PagePlace) => string): PagePlace | undefined {
  const [, period = '', whose, name = '', digits] = PLACE.exec(key) ?? [];
  if (periodKind(period) === undefined) return undefined;
  const place = { owner: ownerNamed(whose, name), period, revision: Number(digits) };
  return keyOf(place) === key ? place : undefined;
}

/** `undefined` for every key that is not exactly one of a page. */
export function pageInKey(key: string): PagePlace | undefined {
  return placeInKey(key, pageKey);
}

/** `undefined` for every other key. A copy beside it is none. */
export function pageInLedgerKey(key: string): PagePlace | undefined {
  return placeInKey(key, pageLedgerKey);
}

const REVISION = /^(merchant|group)=([A-Za-z0-9-]{1,64})\/(r(\d{4,9})\.json)$/;

/**
 * Owner and number of a page's or ledger's revision, `undefined` for every other key. The prefix is not
 * looked at again.
 * @param prefix of the listing, such as `statements/period=2026-11/`
 */
export function revisionUnder(prefix: string, key: string): Omit<PagePlace, 'period'> | undefined {
  const [, whose, name = '', file, digits] = REVISION.exec(key.slice(prefix.length)) ?? [];
  const revision = Number(digits);
  if (file === undefined || revision === 0 || revisionFile(revision) !== file) return undefined;
  return { owner: ownerNamed(whose, name), revision };
}

export const NOTIFIED_PERIODS = 'mail/ops/watch/period=';

export function notifiedDayKey(day: Day): string {
  return `mail/ops/watch/day=${day}.json`;
}

export function notifiedPeriodKey(period: Period): string {
  return `${NOTIFIED_PERIODS}${period}.json`;
}

/** `undefined` for every other key. */
export function periodOfNotified(key: string): Period | undefined {
  const period = key.slice(NOTIFIED_PERIODS.length, -'.json'.length);
  return periodKind(period) !== undefined && notifiedPeriodKey(period) === key ? period : undefined;
}

const EXTENSIONS: Record<Format, string> = { json: 'jsonl.gz', csv: 'csv.gz' };

function dayAndMerchant(day: Day, merchantCode: string): string {
  return `day=${day}/merchant=${merchantCode}`;
}

/** Never overwritten: a pull id is used once. */
export function dataKey(table: Table, format: Format, day: Day, merchantCode: string, pull: string): string {
  return `${table}/${format}/${dayAndMerchant(day, merchantCode)}/${pull}.${EXTENSIONS[format]}`;
}

export interface NamedDataFile {
  table: Table;
  format: Format;
  day: Day;
  merchantCode: string;
  pull: string;
}

const DATA_KEY =
  /^(invoices|refunds)\/(json|csv)\/day=([^/]+)\/merchant=([A-Za-z0-9-]{1,64})\/(\d{8}T\d{6}Z-[0-9a-f]+)\./;

/** `undefined` for every other key, however similar. */
export function dataFileInKey(key: string): NamedDataFile | undefined {
  const [, table, format, day = '', merchantCode = '', pull = ''] = DATA_KEY.exec(key) ?? [];
  if (table !== 'invoices' && table !== 'refunds') return undefined;
  if (format !== 'json' && format !== 'csv') return undefined;
  const isOne = isDay(day) && dataKey(table, format, day, merchantCode, pull) === key;
  return isOne ? { table, format, day, merchantCode, pull } : undefined;
}

export function dataPrefix(table: Table, format: Format): string {
  return `${table}/${format}/`;
}

export const ALERT_STATES = 'alerts/';

/** Of a key or a prefix of several; `undefined` for any other. */
export function dayInKey(key: string): Day | undefined {
  const day = /\/day=([^/]+)\//.exec(key)?.[1];
  return day !== undefined && isDay(day) ? day : undefined;
}

export function revisionInKey(key: string): number | undefined {
  const digits = /\/r(\d{4,})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Of a key or a prefix of several; `undefined` for any other. */
export function merchantInKey(key: string): string | undefined {
  return /\/merchant=([A-Za-z0-9-]{1,64})\//.exec(key)?.[1];
}

export function historyKey(merchantCode: string): string {
  return `history/merchant=${merchantCode}.json`;
}

export function checkedKey(day: Day, merchantCode: string): string {
  return `checked/${dayAndMerchant(day, merchantCode)}.json`;
}

export function alertLedgerPrefix(merchantCode: string): string {
  return `mail/alerts/merchant=${merchantCode}/`;
}

export function alertStateKey(merchantCode: string): string {
  return `alerts/merchant=${merchantCode}/state.json`;
}

export function isAlertStateKey(key: string): boolean {
  const merchantCode = merchantInKey(key);
  return merchantCode !== undefined && alertStateKey(merchantCode) === key;
}

/** @param check the name of the check that sends it */
export function alertLedgerKey(merchantCode: string, check: string): string {
  return `mail/alerts/merchant=${merchantCode}/${check}.json`;
}

/** SHA-256 (hex) of it in lower case, for wherever the address must not appear. */
export function addressHash(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
}

/** @param hash of the address */
export function suppressionKey(hash: string): string {
  return `mail-stops/${hash}.json`;
}

export const SUPPRESSIONS = 'mail-stops/';

/** The key of a notice's record, so that ops get it once. */
export function opsNoticeKey(about: string): string {
  return `mail/ops/${createHash('sha256').update(about).digest('hex')}.json`;
}

export function watchListKeys(merchantCode: string): { csv: string; json: string } {
  return { csv: `config/refunds/${merchantCode}.csv`, json: `config/refunds/${merchantCode}.json` };
}

export const CHANGES = 'changes/';

/** Such as `changes/noted_on=2026-11-21/0610-days-2026-11-20.json`: when the ten minutes begin (UTC). */
export function changeKey({ day, what, notedAt }: ChangeMarker): string {
  const [notedOn = '', time = ''] = notedAt.split('T');
  return `${changesPrefix(notedOn)}${time.slice(0, 5).replace(':', '')}-${what}-${day}.json`;
}

export function changesPrefix(notedOn: Day): string {
  return `${CHANGES}noted_on=${notedOn}/`;
}

const SEALS = /^changes\/noted_on=\d{4}-\d\d-\d\d\/\d{4}-days-(\d{4}-\d\d-\d\d)\.json$/;

/** `undefined` for any other key. */
export function sealedDayOfMarker(key: string): Day | undefined {
  return SEALS.exec(key)?.[1];
}

export function lastGoodKey(registryKey: string): string {
  return `config/last-good/${basename(registryKey)}`;
}

/** What the lake knows of the registry: a line for each merchant and each thing that was said of it. */
export const REGISTERED_MERCHANTS = 'lake/merchants/registered.jsonl';

/** Records that somebody was forgotten. */
export const FORGOTTEN = 'forgotten/';

/** @param at ISO 8601, UTC; @param id eight hexadecimal digits */
export function forgottenKey(at: string, id: string): string {
  return `${FORGOTTEN}${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${id}.json`;
}

export const PROOFS = 'proofs/';

/** @param date UTC */
export function proofKey(date: Day): string {
  return `${PROOFS}${date}.json`;
}

/** `undefined` for every other key. */
export function dateOfProof(key: string): Day | undefined {
  const date = key.slice(PROOFS.length, -'.json'.length);
  return isDay(date) && proofKey(date) === key ? date : undefined;
}

/** The list of a proof's pages. @param root of the proof */
export function provenPagesKey(root: string): string {
  return `${PROOFS}pages/${root}.txt`;
}

/** The starts of keys that functions or other systems write. */
export const WRITTEN = [
  'alerts/',
  CHANGES,
  'checked/',
  'config/last-good/',
  'config/refunds/',
  'days/',
  FORGOTTEN,
  'history/',
  'invoices/',
  'lake/',
  'links/',
  'mail-stops/',
  'mail/',
  'plan/',
  PROOFS,
  'refunds/',
  'statements/',
];

/** Not where a function writes: who gets one to write there could decide who gets the mails. */
export function mayBeRegistryKey(key: string): boolean {
  const isPlain = /^[A-Za-z0-9][\w.=-]*(\/[A-Za-z0-9][\w.=-]*)*$/.test(key) && key.length <= 512;
  return isPlain && !WRITTEN.some((prefix) => `${key}/`.startsWith(prefix));
}

/** The newest tick whose messages were all sent, and where its window began. */
export const LAST_TICK = 'plan/daily.json';
