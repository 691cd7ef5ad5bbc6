import pLimit from 'p-limit';
import { soFarUntil } from '#records/revision/manifest.ts';
import { periodDays, periodKind } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import { pageSettings } from '#page/page-settings.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { dayPrefix, ownerPart, periodPrefix } from '#records/storage/keys.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import type { Dependencies } from '../dependencies.ts';

/** More would not be faster: a page has to be parsed, too. */
const MOST_READS_AT_ONCE = 32;

type Ports = Pick<Dependencies, 'snapshots' | 'sealedPages' | 'addedStatements' | 'telemetry'>;
type Missing = GroupPage['missing'][number];

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
async function readMember(
  { snapshots, addedStatements }: Ports,
  period: Period,
  settings: MerchantSettings,
  newest: ReadonlyMap<string, number>,
  known: KnownCurrencies,
): Promise<AddedMember | undefined> {
  const { merchantCode, timeZone } = settings;
  const owner = { merchantCode };
  const revision = newest.get(ownerPart(owner));
  if (revision === undefined) return undefined;
  const place = { owner, period, revision };
  if (periodKind(period) !== 'day') {
    const statement = await addedStatements.revision(place);
    return statement && memberOfStatement(statement, settings);
  }
  const page = await snapshots.revision(place);
  // A page that ends before its day was over is not the day's.
  if (page === undefined || soFarUntil(page, timeZone) !== null) return undefined;
  const { currency = known.get(merchantCode) } = page;
  return memberOfDay(page, pageSettings({ ...page, currency }, settings));
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
) {
  const [members, missing]: [AddedMember[], Missing[]] = [[], []];
  const found = await pLimit(MOST_READS_AT_ONCE).map(merchants, async (settings) => {
    const { merchantCode, name, reportFrom = '' } = settings;
    try {
      const added = await readMember(ports, period, settings, newest, known);
      if (added !== undefined) return added.member.to < reportFrom ? undefined : added;
      return isExpected(settings, period)
        ? ({ merchantCode, name, reason: 'not-sealed' } as const)
        : undefined;
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      ports.telemetry.logError(error);
      return { merchantCode, name, reason: 'not-readable' } as const;
    }
  });
  for (const one of found) {
    if (one === undefined) continue;
    if ('member' in one) members.push(one);
    else missing.push(one);
  }
  return { members, missing };
}
