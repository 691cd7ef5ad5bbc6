import pLimit from 'p-limit';
import { soFarUntil } from '#records/revision/manifest.ts';
import { periodDays, periodKind } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import { pageSettings } from '#page/page-settings.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { dayPrefix, merchantDay, ownerPart, periodPrefix } from '#records/storage/keys.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import type { Dependencies } from '../dependencies.ts';

/** More would not be faster: a page has to be parsed, too. */
const MOST_READS_AT_ONCE = 32;

type Ports = Pick<Dependencies, 'snapshots' | 'sealedPages' | 'addedStatements' | 'telemetry'>;
type Missing = GroupPage['missing'][number];

export interface ReadMembers {
  members: AddedMember[];
  missing: Missing[];
}

/** By code. A page of an earlier version does not say its own, and keeps this one. */
export type KnownCurrencies = ReadonlyMap<string, string>;

export function knownCurrencies(page: GroupPage | undefined): KnownCurrencies {
  const members = page?.merchants ?? [];
  return new Map(
    members.flatMap(({ merchantCode, currency }) =>
      currency === null ? [] : [[merchantCode, currency] as const],
    ),
  );
}

/** `undefined` when it has none. */
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

/** Newest revisions by `ownerPart`, in the group or not: one request lists a thousand. */
export function newestRevisions(
  { sealedPages }: Pick<Ports, 'sealedPages'>,
  period: Period,
): Promise<ReadonlyMap<string, number>> {
  const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
  return sealedPages.newestRevisions(`${prefix}merchant=`);
}

/** Before a merchant's `reportFrom` nobody misses it, or is told of it. */
export function isExpected({ reportFrom = '', weekStart }: MerchantSettings, period: Period): boolean {
  return periodDays(period, weekStart).to >= reportFrom;
}

/**
 * Reads each merchant's newest page. An unreadable one stops no other: its merchant is missing. One whose
 * `reportFrom` is later is left out: its page may be of the time before it was sold.
 * @param newest of {@link newestRevisions}
 * @param known of the group's page
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
