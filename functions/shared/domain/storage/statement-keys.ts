import { periodKind } from '../period/period.ts';
import type { Period } from '../period/period.ts';

/** Whose statement it is: a merchant's or a group's. */
export type StatementOwner =
  { merchantCode: string; group?: undefined } | { group: string; merchantCode?: undefined };

/** A revision of a statement. */
export interface StatementPlace {
  owner: StatementOwner;
  period: Period;
  revision: number;
}

/** The prefix of all statements. */
export const STATEMENTS = 'statements/';

/** The part of a key that names the owner, such as `merchant=700001`. It tells a group from a merchant of the same name. */
export function ownerPart({ merchantCode, group }: StatementOwner): string {
  return merchantCode === undefined ? `group=${group}` : `merchant=${merchantCode}`;
}

function nameOf(revision: number): string {
  return `r${revision.toString().padStart(4, '0')}.json`;
}

/** The prefix of the statements of a period, of all merchants and groups. */
export function periodPrefix(period: Period): string {
  return `${STATEMENTS}period=${period}/`;
}

/** The prefix of the statements of a period, of all merchants and of no group. */
export function merchantsPrefix(period: Period): string {
  return `${periodPrefix(period)}merchant=`;
}

/** The prefix of the revisions of one statement. */
export function statementPrefix(owner: StatementOwner, period: Period): string {
  return `${periodPrefix(period)}${ownerPart(owner)}/`;
}

/** The key of a revision of a statement (docs/interfaces.md, 5 Keys in the data bucket). */
export function statementKey({ owner, period, revision }: StatementPlace): string {
  return `${statementPrefix(owner, period)}${nameOf(revision)}`;
}

/** The beginning of the ledgers of all periods. */
export const PERIOD_LEDGERS = 'mail/period=';

/** The prefix of the ledgers of the statements of a period. */
export function periodLedgerPrefix(period: Period): string {
  return `${PERIOD_LEDGERS}${period}/`;
}

/** The key of the ledger of a statement's mail. */
export function statementLedgerKey({ owner, period, revision }: StatementPlace): string {
  return `${periodLedgerPrefix(period)}${ownerPart(owner)}/${nameOf(revision)}`;
}

const PLACE = /\/period=([^/]+)\/(merchant|group)=([A-Za-z0-9-]{1,64})\/r(\d{4,9})\.json$/;

function placeInKey(key: string, keyOf: (place: StatementPlace) => string): StatementPlace | undefined {
  const [, period = '', whose, name = '', digits] = PLACE.exec(key) ?? [];
  if (periodKind(period) === undefined) return undefined;
  const owner = whose === 'group' ? { group: name } : { merchantCode: name };
  const place = { owner, period, revision: Number(digits) };
  return keyOf(place) === key ? place : undefined;
}

/** The parts of a statement's key, `undefined` for every other key, however similar. */
export function statementInKey(key: string): StatementPlace | undefined {
  return placeInKey(key, statementKey);
}

/** The parts of the key of a statement's ledger, `undefined` for every other key. */
export function statementLedgerInKey(key: string): StatementPlace | undefined {
  return placeInKey(key, statementLedgerKey);
}

/** The beginning of the records of what ops were notified of about the statements of each period. */
export const NOTIFIED_PERIODS = 'mail/ops/watch/period=';

/** The key of the record of what ops were notified of about the statements of a period. */
export function notifiedPeriodKey(period: Period): string {
  return `${NOTIFIED_PERIODS}${period}.json`;
}

/** The period in the key of such a record, `undefined` for every other key. */
export function periodOfNotified(key: string): Period | undefined {
  const period = key.slice(NOTIFIED_PERIODS.length, -'.json'.length);
  return periodKind(period) !== undefined && notifiedPeriodKey(period) === key ? period : undefined;
}

const REVISION = /^(merchant|group)=([A-Za-z0-9-]{1,64})\/(r(\d{4,9})\.json)$/;

/**
 * Whose revision a listed key names, and its number: of a statement, a ledger or a sealed day. `undefined` for every other
 * key, however similar. The prefix is not looked at again, because a listing has thousands of keys with the same one.
 *
 * @param prefix of the listing, such as `statements/period=2026-11/`
 */
export function revisionUnder(prefix: string, key: string): Omit<StatementPlace, 'period'> | undefined {
  const [, whose, name = '', file, digits] = REVISION.exec(key.slice(prefix.length)) ?? [];
  const revision = Number(digits);
  if (file === undefined || nameOf(revision) !== file) return undefined;
  return { owner: whose === 'group' ? { group: name } : { merchantCode: name }, revision };
}
