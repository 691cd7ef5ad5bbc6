import { SUPPRESSIONS, ownerNamed, ownerPart, suppressionKey, type PageOwner } from './keys.ts';

/*
 * What a reader stops with one click: mails of one kind, of one merchant or group, to one address. An object of its own, below
 * `mail-stops/`, so that who may write it can lift no stop of all mail to an address.
 */

/** The mails that a recipient can stop. Corrections go with what they correct. `pages` are those of a group. */
export const STOPPABLE = ['reports', 'statements', 'alerts', 'pages'] as const;
export type Stoppable = (typeof STOPPABLE)[number];

/** All mails of one kind that come from one merchant, or from a group. */
interface StoppableMails {
  owner: PageOwner;
  mails: Stoppable;
}

/** A stop of these mails, which a reader set; or (`of` is `null`) of all mail to the address. */
export interface StopPlace {
  /** Of the address (`addressHash`). */
  hash: string;
  of: StoppableMails | null;
}
export type ReadersStop = StopPlace & { of: StoppableMails };

const LEDGER = /^mail\/(alerts|day|period)(?:=[^/]*)?\/(merchant|group)=([A-Za-z0-9-]{1,64})\//;
const MAILS: Readonly<Record<string, Stoppable>> = { alerts: 'alerts', day: 'reports', period: 'statements' };

/** What the mails of a ledger are. @param key of the ledger; `undefined` for one of other records */
export function mailsOfLedger(key = ''): StoppableMails | undefined {
  const [, kind = '', whose, name = ''] = LEDGER.exec(key) ?? [];
  const mails = whose === 'group' ? 'pages' : MAILS[kind];
  return mails && { owner: ownerNamed(whose, name), mails };
}

export function stopKey({ hash, of }: StopPlace): string {
  if (of === null) return suppressionKey(hash);
  return `${SUPPRESSIONS}${ownerPart(of.owner)}/${of.mails}/${hash}.json`;
}

const STOP = /^mail-stops\/(?:(merchant|group)=([A-Za-z0-9-]{1,64})\/([a-z]+)\/)?([0-9a-f]{64})\.json$/;

/** `undefined` for every other key, however similar. */
export function stopInKey(key: string): StopPlace | undefined {
  const [, whose, name = '', word, hash] = STOP.exec(key) ?? [];
  if (hash === undefined) return undefined;
  if (whose === undefined) return { hash, of: null };
  const mails = STOPPABLE.find((one) => one === word);
  if (mails === undefined || (whose === 'group') !== (mails === 'pages')) return undefined;
  return { hash, of: { owner: ownerNamed(whose, name), mails } };
}
