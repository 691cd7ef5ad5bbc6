import { formatAmount, parseSum } from '#records/money/money.ts';
import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';

/** A share of a currency's total, as a whole number that keeps small differences apart. */
const SCALE = 10n ** 18n;

export interface Mover {
  member: GroupMember;
  /** A decimal string with three fraction digits. `null` when it is not known. */
  difference: string | null;
}

interface Ranked extends Mover {
  /** Merchants with a difference come before those without, and these before merchants whose amount is unknown. */
  rank: 0 | 1 | 2;
  size: bigint;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** In relation to what its currency received in all, so that amounts of different currencies can be compared. */
function ranked(member: GroupMember, received: ReadonlyMap<string, bigint>): Ranked {
  const whole = (member.currency === null ? undefined : received.get(member.currency)) ?? 0n;
  const share = (amount: bigint) => (whole > 0n ? (amount * SCALE) / whole : amount);
  if (member.received === null) return { member, difference: null, rank: 2, size: 0n };
  const now = parseSum(member.received);
  const usual = member.usual?.received ?? null;
  if (usual === null) return { member, difference: null, rank: 1, size: share(now) };
  const difference = now - parseSum(usual);
  return { member, difference: formatAmount(difference), rank: 0, size: share(absolute(difference)) };
}

function receivedByCurrency(members: readonly GroupMember[]): Map<string, bigint> {
  const received = new Map<string, bigint>();
  for (const { currency, received: amount } of members) {
    if (amount !== null && currency !== null)
      received.set(currency, (received.get(currency) ?? 0n) + parseSum(amount));
  }
  return received;
}

/**
 * Merchants that moved most against what is usual first, then those without a usual by what they received,
 * then in the registry's order.
 */
export function movers({ merchants }: Pick<GroupPage, 'merchants'>): Mover[] {
  const received = receivedByCurrency(merchants);
  return merchants
    .map((member) => ranked(member, received))
    .sort((one, other) => {
      if (one.rank !== other.rank) return one.rank - other.rank;
      return one.size === other.size ? 0 : one.size > other.size ? -1 : 1;
    })
    .map(({ member, difference }) => ({ member, difference }));
}
