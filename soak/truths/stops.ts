import { addressHash, suppressionKey } from '#domain/storage/keys.ts';
import type { StopSpell } from '../schedule/mail-feed.ts';
import type { BrokenPromise } from './broken-promise.ts';
import type { Evidence } from './evidence.ts';

/** Mail to an address is stopped from its hard bounce or complaint until a person lifts that, and at no other time. */
export function stops(
  { objects, mails }: Pick<Evidence, 'objects' | 'mails'>,
  spells: readonly StopSpell[],
): BrokenPromise[] {
  const open = new Set(spells.filter(({ until }) => until === null).map(({ hash }) => suppressionKey(hash)));
  const standing = new Set([...objects.keys()].filter((key) => key.startsWith('mail-stops/')));
  const inSpite = mails.filter(({ destinations, at }) =>
    spells.some(
      ({ hash, from, until }) =>
        destinations.some((address) => addressHash(address) === hash) &&
        at.getTime() > from &&
        at.getTime() < (until ?? Number.POSITIVE_INFINITY),
    ),
  );
  return [
    ...[...open.difference(standing)].map((key) => ({ what: `${key} should exist` })),
    ...[...standing.difference(open)].map((key) => ({
      what: `${key} should not exist: it was lifted, or nothing caused it`,
    })),
    ...inSpite.map(({ tags, messageId }) => ({
      merchantCode: tags['merchant'],
      day: tags['day'],
      what: `mail ${messageId} went to an address whose mail was stopped`,
    })),
  ];
}
