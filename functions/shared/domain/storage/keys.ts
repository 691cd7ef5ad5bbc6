import { createHash } from 'node:crypto';
import { isDay } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { Format, Table } from '../revision/manifest.ts';

const EXTENSIONS: Record<Format, string> = { json: 'jsonl.gz', csv: 'csv.gz' };

/** What stands behind the last slash. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function dayAndMerchant(day: Day, merchantCode: string): string {
  return `day=${day}/merchant=${merchantCode}`;
}

function revisionName(revision: number): string {
  return `r${revision.toString().padStart(4, '0')}`;
}

/** Where a pull's rows of one table stand. Never overwritten: a pull id is used once. */
export function dataKey(table: Table, format: Format, day: Day, merchantCode: string, pull: string): string {
  return `${table}/${format}/${dayAndMerchant(day, merchantCode)}/${pull}.${EXTENSIONS[format]}`;
}

/** What the key of a data file says. */
export interface NamedDataFile {
  table: Table;
  format: Format;
  day: Day;
  merchantCode: string;
  pull: string;
}

const DATA_KEY =
  /^(invoices|refunds)\/(json|csv)\/day=([^/]+)\/merchant=([A-Za-z0-9-]{1,64})\/(\d{8}T\d{6}Z-[0-9a-f]+)\./;

/** What the key of a data file says, `undefined` for every other key, however alike. */
export function dataFileInKey(key: string): NamedDataFile | undefined {
  const [, table, format, day = '', merchantCode = '', pull = ''] = DATA_KEY.exec(key) ?? [];
  if (table !== 'invoices' && table !== 'refunds') return undefined;
  if (format !== 'json' && format !== 'csv') return undefined;
  const isOne = isDay(day) && dataKey(table, format, day, merchantCode, pull) === key;
  return isOne ? { table, format, day, merchantCode, pull } : undefined;
}

/** Where the files of a table in one format stand, all days beneath. */
export function dataPrefix(table: Table, format: Format): string {
  return `${table}/${format}/`;
}

/** Where the ledgers of all merchants' reports of a day stand. */
export function ledgerPrefix(day: Day): string {
  return `mail/day=${day}/`;
}

/** Where the rule states of all merchants stand. */
export const ALERT_STATES = 'alerts/';

/** The day that a key or the prefix of several names, `undefined` for any other key. */
export function dayInKey(key: string): Day | undefined {
  const day = /\/day=([^/]+)\//.exec(key)?.[1];
  return day !== undefined && isDay(day) ? day : undefined;
}

/** Where the manifests of all merchants' day stand. */
export function dayPrefix(day: Day): string {
  return `days/day=${day}/`;
}

/** Where the manifests of a merchant's day stand, one object a revision. */
export function manifestPrefix(day: Day, merchantCode: string): string {
  return `days/${dayAndMerchant(day, merchantCode)}/`;
}

export function manifestKey(day: Day, merchantCode: string, revision: number): string {
  return `${manifestPrefix(day, merchantCode)}${revisionName(revision)}.json`;
}

/** What the key of a manifest says, `undefined` for every other key, however alike. */
export function manifestInKey(key: string): { day: Day; merchantCode: string; revision: number } | undefined {
  const [day, merchantCode, revision] = [dayInKey(key), merchantInKey(key), revisionInKey(key)];
  if (day === undefined || merchantCode === undefined || revision === undefined) return undefined;
  return manifestKey(day, merchantCode, revision) === key ? { day, merchantCode, revision } : undefined;
}

/** The revision that a manifest's key names, or `undefined` for any other key. */
export function revisionInKey(key: string): number | undefined {
  const digits = /\/r(\d{4,})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The merchant whom a key or a prefix of several names, or `undefined` for any other key. */
export function merchantInKey(key: string): string | undefined {
  return /\/merchant=([A-Za-z0-9-]{1,64})\//.exec(key)?.[1];
}

/** What is remembered of a merchant's sealed days, in one object. */
export function historyKey(merchantCode: string): string {
  return `history/merchant=${merchantCode}.json`;
}

export function checkedKey(day: Day, merchantCode: string): string {
  return `checked/${dayAndMerchant(day, merchantCode)}.json`;
}

export function ledgerKey(day: Day, merchantCode: string, revision: number): string {
  return `mail/${dayAndMerchant(day, merchantCode)}/${revisionName(revision)}.json`;
}

/** Whether a key is that of a report's ledger, letter for letter: a copy beside it is none. */
export function isLedgerKey(key: string): boolean {
  const [day, merchantCode, revision] = [dayInKey(key), merchantInKey(key), revisionInKey(key)];
  if (day === undefined || merchantCode === undefined || revision === undefined) return false;
  return ledgerKey(day, merchantCode, revision) === key;
}

/** Where all of a merchant's rule states stand, in one object. */
export function alertStateKey(merchantCode: string): string {
  return `alerts/merchant=${merchantCode}/state.json`;
}

/** Whether a key is that of a merchant's rule states, letter for letter. */
export function isAlertStateKey(key: string): boolean {
  const merchantCode = merchantInKey(key);
  return merchantCode !== undefined && alertStateKey(merchantCode) === key;
}

/** The ledger of an alert mail. @param check names the check that owes it */
export function alertLedgerKey(merchantCode: string, check: string): string {
  return `mail/alerts/merchant=${merchantCode}/${check}.json`;
}

/** What stands for an address wherever the address itself must not: SHA-256 (hex) of it in lower case. */
export function addressHash(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
}

export function mailStopKey(hash: string): string {
  return `mail-stops/${hash}.json`;
}

/** Where it is remembered that ops were told of something, so that they are told once. */
export function opsNoticeKey(about: string): string {
  return `mail/ops/${createHash('sha256').update(about).digest('hex')}.json`;
}

/** What ops were told of the reports of a day. */
export function toldDayKey(day: Day): string {
  return `mail/ops/watch/day=${day}.json`;
}

/** Where an operator or another system lists refund ids to watch. */
export function watchListKeys(merchantCode: string): { csv: string; json: string } {
  return { csv: `config/refunds/${merchantCode}.csv`, json: `config/refunds/${merchantCode}.json` };
}

/** Where the registry is kept that was last found good: the registry's own name, beside it. */
export function lastGoodKey(registryKey: string): string {
  return `config/last-good/${lastPart(registryKey)}`;
}

/** What functions, state machines or other systems write, by how its keys begin. */
const WRITTEN = [
  'alerts/',
  'checked/',
  'config/last-good/',
  'config/refunds/',
  'days/',
  'history/',
  'invoices/',
  'mail-stops/',
  'mail/',
  'plan/',
  'refunds/',
  'statements/',
];

/**
 * Whether a registry may stand at the key. Not where a function writes: whoever gets one to write there would say who
 * gets the mails.
 */
export function mayBeRegistryKey(key: string): boolean {
  const isPlain = /^[A-Za-z0-9][\w.=-]*(\/[A-Za-z0-9][\w.=-]*)*$/.test(key) && key.length <= 512;
  return isPlain && !WRITTEN.some((prefix) => `${key}/`.startsWith(prefix));
}

/** Where the items of a plan stand. @param name such as `daily/20261121T030000Z` */
export function planItemsKey(name: string): string {
  return `plan/${name}.json`;
}

/** Where it stands, as long as the execution of a tick has not said that it ended, which items it has. */
export const OPEN_ROUNDS = 'plan/open/daily/';

/** The open round of these items. @param itemsKey of a tick */
export function openRoundKey(itemsKey: string): string {
  return `${OPEN_ROUNDS}${lastPart(itemsKey)}`;
}

/** The items of the tick that the key of an open round names, `undefined` for every other key. */
export function itemsKeyOfOpenRound(key: string): string | undefined {
  const itemsKey = planItemsKey(`daily/${lastPart(key).replace(/\.json$/, '')}`);
  return TICK_ITEMS.test(itemsKey) && openRoundKey(itemsKey) === key ? itemsKey : undefined;
}

/** Items of a tick of the reports; those that were planned by hand have a longer name. */
const TICK_ITEMS = /^plan\/daily\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.json$/;

/** The scheduled time of the tick whose items stand at the key, milliseconds UTC; not a number for another key. */
export function tickInItemsKey(itemsKey: string): number {
  const [, ...parts] = TICK_ITEMS.exec(itemsKey) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
