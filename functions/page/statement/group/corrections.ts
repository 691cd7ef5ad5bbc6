import { periodBefore } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { ChangedMember, GroupMember, GroupPage } from '#page/figures/group-page.ts';
import { ownerPart } from '#records/storage/keys.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { isExpected, knownCurrencies, newestRevisions, readMembers } from './read-members.ts';

type Ports = Pick<Dependencies, 'snapshots' | 'sealedPages' | 'addedStatements' | 'groupPages' | 'telemetry'>;

function shown({ received, refunds }: GroupMember): ChangedMember['after'] {
  return { received, refunds: refunds.total };
}

/** A figure keeps the currency that it had. */
function shownBefore(known: GroupMember, now: string | null): ChangedMember['after'] {
  return known.currency === now ? shown(known) : { ...shown(known), currency: known.currency };
}

function isSame(one: GroupMember, other: GroupMember): boolean {
  const figures = (member: GroupMember) => JSON.stringify([member.currency, member.counts, shown(member)]);
  return figures(one) === figures(other);
}

/**
 * What changed in the page before, which has no correction of its own, since it was sealed. The past of a
 * merchant that it does not name, or before its `reportFrom`, is not told.
 */
export async function correctionsSince(
  ports: Ports,
  { group, period }: Pick<GroupPage, 'group' | 'period'>,
  merchants: readonly MerchantSettings[],
): Promise<ChangedMember[]> {
  const before = periodBefore(period);
  const page = await unlessSpoilt(() => ports.groupPages.newest({ owner: { group }, period: before }));
  if (page === undefined) return [];
  const old = new Map(page.merchants.map((member) => [member.merchantCode, member]));
  const named = new Set([...page.merchants, ...page.missing].map(({ merchantCode }) => merchantCode));
  const revisions = await newestRevisions(ports, before);
  // A revision never changes, so the others need not be read.
  const changed = merchants.filter((merchant) => {
    const { merchantCode } = merchant;
    if (!named.has(merchantCode) || !isExpected(merchant, before)) return false;
    return revisions.get(ownerPart({ merchantCode })) !== old.get(merchantCode)?.revision;
  });
  const { members } = await readMembers(ports, before, changed, revisions, knownCurrencies(page));
  return members.flatMap(({ member }): ChangedMember[] => {
    const { merchantCode, name, currency, revision } = member;
    const known = old.get(merchantCode);
    if (known !== undefined && isSame(known, member)) return [];
    return [
      {
        merchantCode,
        name,
        currency,
        period: before,
        fromRevision: known?.revision ?? null,
        toRevision: revision,
        before: known === undefined ? null : shownBefore(known, currency),
        after: shown(member),
      },
    ];
  });
}
