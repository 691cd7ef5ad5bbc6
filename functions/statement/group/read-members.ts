import pLimit from 'p-limit';
import { soFarUntil } from '#domain/day/so-far.ts';
import { periodDays, periodKind } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { memberOfDay, memberOfStatement } from '#domain/statement/compose-group.ts';
import type { AddedMember } from '#domain/statement/compose-group.ts';
import { pageSettings } from '#domain/revision/page-settings.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { dayPrefix, merchantDay, ownerPart, periodPrefix } from '#domain/storage/keys.ts';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * S3 answers many readers at the same time, and each page is small. More would not be faster: a page has to be parsed,
 * too.
 */
const MOST_READS_AT_ONCE = 32;

type Ports = Pick<Dependencies, 'snapshots' | 'sealedPages' | 'addedStatements' | 'telemetry'>;
type Missing = GroupPage['missing'][number];

/** The merchants of a group with their pages, and those without, in the order of the registry. */
export interface ReadMembers {
  members: AddedMember[];
  missing: Missing[];
}

/**
 * The currency of each merchant in a page of the group, by code. A merchant's page of an earlier version does not say its own,
 * and keeps this one when the registry changes.
 */
export type KnownCurrencies = ReadonlyMap<string, string>;

/** The currencies in a page of the group, if there is one. */
export function knownCurrencies(page: GroupPage | undefined): KnownCurrencies {
  const members = page?.merchants ?? [];
  return new Map(
    members.flatMap(({ merchantCode, currency }) =>
      currency === null ? [] : [[merchantCode, currency] as const],
    ),
  );
}

/** The newest page of a merchant, `undefined` when it has none. */
type ReadMember = (settings: MerchantSettings) => Promise<AddedMember | undefined>;

function dayReader(
  { snapshots }: Ports,
  day: Period,
  newest: ReadonlyMap<string, number>,
  known: KnownCurrencies,
): ReadMember {
  return async (settings) => {
    const id = merchantDay(settings.merchantCode, day);
    const revision = newest.get(ownerPart(id.owner));
    if (revision === undefined) return undefined;
    const page = await snapshots.revision({ ...id, revision });
    // A page that ends before its day was over is not the day's.
    if (page === undefined || soFarUntil(page, settings.timeZone) !== null) return undefined;
    const { currency = known.get(settings.merchantCode) } = page;
    return memberOfDay(page, pageSettings({ ...page, currency }, settings));
  };
}

function statementReader(
  { addedStatements }: Ports,
  period: Period,
  newest: ReadonlyMap<string, number>,
): ReadMember {
  return async (settings) => {
    const { merchantCode } = settings;
    const owner = { merchantCode };
    const revision = newest.get(ownerPart(owner));
    if (revision === undefined) return undefined;
    const statement = await addedStatements.revision({ owner, period, revision });
    return statement && memberOfStatement(statement, settings);
  };
}

/**
 * The newest revision of each merchant's page for the period, as `ownerPart` names it, whether it is in the group or not: one
 * request lists a thousand of them.
 */
export function newestRevisions(
  { sealedPages }: Pick<Ports, 'sealedPages'>,
  period: Period,
): Promise<ReadonlyMap<string, number>> {
  const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
  return sealedPages.newestRevisions(`${prefix}merchant=`);
}

/** Whether the merchant was reported at all in the period. Before its `reportFrom` nobody misses it, or is told of it. */
export function isExpected({ reportFrom = '', weekStart }: MerchantSettings, period: Period): boolean {
  return periodDays(period, weekStart).to >= reportFrom;
}

/**
 * Reads the newest page of each merchant for the period: its day, or its statement. A page that cannot be read stops no
 * other: its merchant is missing with this reason, and the log names the key. A merchant whose `reportFrom` is later is left out,
 * also when it has a page: that may be of the time before it was sold.
 *
 * @param newest the newest revisions, see {@link newestRevisions}
 * @param known the currencies that a page of the group has for them already
 */
export async function readMembers(
  ports: Ports,
  period: Period,
  merchants: readonly MerchantSettings[],
  newest: ReadonlyMap<string, number>,
  known: KnownCurrencies,
): Promise<ReadMembers> {
  const reader = periodKind(period) === 'day' ? dayReader : statementReader;
  const read = reader(ports, period, newest, known);
  const limit = pLimit(MOST_READS_AT_ONCE);
  const found = await Promise.all(
    merchants.map((settings) =>
      limit(async (): Promise<AddedMember | Missing | undefined> => {
        const { merchantCode, name, reportFrom = '' } = settings;
        try {
          const added = await read(settings);
          if (added !== undefined) return added.member.to < reportFrom ? undefined : added;
          return isExpected(settings, period) ? { merchantCode, name, reason: 'not-sealed' } : undefined;
        } catch (error) {
          if (!isUnreadableObject(error)) throw error;
          ports.telemetry.logError(error);
          return { merchantCode, name, reason: 'not-readable' };
        }
      }),
    ),
  );
  const [members, missing]: [AddedMember[], Missing[]] = [[], []];
  for (const one of found) {
    if (one === undefined) continue;
    if ('member' in one) members.push(one);
    else missing.push(one);
  }
  return { members, missing };
}
