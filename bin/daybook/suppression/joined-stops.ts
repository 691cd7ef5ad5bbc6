import { addressHash } from '#domain/storage/keys.ts';
import type { KnownAddress } from './known-addresses.ts';
import type { SesStop } from './ses-stops.ts';
import type { Stop } from './stops.ts';

/** An address that gets no mail. */
export interface StoppedAddress {
  /** `null` when only its hash is known. */
  address: string | null;
  hash: string;
  stoppedBy: 'Daybook' | 'SES' | 'both';
  reason: string;
  /** ISO 8601, UTC. The earlier one of both lists. */
  since: string | null;
  /** The codes of the merchants that have it. */
  merchants: string[];
  /** The names of the groups that have it. */
  groups: string[];
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Both lists as one, in the order of Daybook's, then what only SES has. */
export function joinedStops(
  stops: readonly Stop[],
  sesStops: readonly SesStop[],
  known: ReadonlyMap<string, KnownAddress>,
): StoppedAddress[] {
  const ofSes = new Map(sesStops.map((stop) => [addressHash(stop.address), stop]));
  const ownersOf = (hash: string) => {
    const { merchants = [], groups = [] } = known.get(hash) ?? {};
    return { merchants: merchants.map(({ merchantCode }) => merchantCode), groups };
  };
  const ours = stops.map(({ hash, reason, since }): StoppedAddress => {
    const also = ofSes.get(hash);
    return {
      address: known.get(hash)?.address ?? also?.address ?? null,
      hash,
      stoppedBy: also === undefined ? 'Daybook' : 'both',
      reason,
      since: also === undefined ? since : earlier(since, also.since),
      ...ownersOf(hash),
    };
  });
  const inOurs = new Set(stops.map(({ hash }) => hash));
  const others = [...ofSes].filter(([hash]) => !inOurs.has(hash));
  return [
    ...ours,
    ...others.map(([hash, { address, reason, since }]): StoppedAddress => {
      return { address, hash, stoppedBy: 'SES', reason, since, ...ownersOf(hash) };
    }),
  ];
}
