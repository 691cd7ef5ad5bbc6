import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { periodKind } from '#records/period/period.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';
import { STOPPABLE } from '#records/storage/readers-stop.ts';
import type { ReadersStop } from '#records/storage/readers-stop.ts';

/** The key that tokens are signed with. */
export interface LinkKey {
  /** Six characters that tell one key from another, and say nothing of it. */
  id: string;
  secret: string;
}

export const FILE_FORMATS = ['csv', 'xlsx', 'pdf'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What a link to a file says: which file of which page, mailed to whom, and when. */
export interface FileClaim {
  kind: 'file';
  place: PagePlace;
  format: FileFormat;
  /** Hash of the address (`addressHash`). */
  recipient: string;
  /** Milliseconds UTC; a token keeps whole seconds. */
  mailedAt: number;
}

/** What a link that stops mails says: which mails of whom, to which recipient. */
export interface StopClaim extends ReadersStop {
  kind: 'stop';
}

export type LinkClaim = FileClaim | StopClaim;

/** Characters of the longest token. */
export const LONGEST_TOKEN = 199;

const OWNER = '([mg])\\.([A-Za-z0-9-]{1,64})';
/** The recipient, the key's id, and the signature. */
const END = '([\\w-]{43})\\.([\\w-]{6})\\.([\\w-]{43})$';
const FILE = new RegExp(
  `^f\\.${OWNER}\\.([\\dW-]{7,10})\\.([1-9]\\d{0,8})\\.(csv|xlsx|pdf)\\.([\\da-z]{1,7})\\.${END}`,
);
const STOP = new RegExp(`^s\\.${OWNER}\\.(reports|statements|alerts|pages)\\.${END}`);

export function linkKey(secret: string): LinkKey {
  return { id: createHash('sha256').update(`id of ${secret}`).digest('base64url').slice(0, 6), secret };
}

function signature({ secret }: LinkKey, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}

function ownerText({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `g.${group}` : `m.${merchantCode}`;
}

function claimText(claim: LinkClaim): string {
  const recipient = Buffer.from(claim.recipient, 'hex').toString('base64url');
  if (claim.kind === 'stop') return `s.${ownerText(claim.owner)}.${claim.mails}.${recipient}`;
  const { owner, period, revision } = claim.place;
  const mailed = Math.floor(claim.mailedAt / 1_000).toString(36);
  return `f.${ownerText(owner)}.${period}.${revision}.${claim.format}.${mailed}.${recipient}`;
}

/**
 * A claim as the last part of a link: letters, digits, `.`, `-` and `_`. Signed with HMAC-SHA-256, not encrypted: it names a
 * merchant's code and a page, and no person.
 */
export function signedToken(key: LinkKey, claim: LinkClaim): string {
  const body = `${claimText(claim)}.${key.id}`;
  return `${body}.${signature(key, body)}`;
}

/** What a token says, whoever signed it, with its recipient, the key's id and the signature. */
function unproven(text: string): { claim: LinkClaim; signed: string[] } | undefined {
  const file = FILE.exec(text);
  const [, whose = '', name = '', ...rest] = file ?? STOP.exec(text) ?? [];
  const owner = whose === 'g' ? { group: name } : { merchantCode: name };
  if (file === null) {
    const [word, ...signed] = rest;
    const mails = STOPPABLE.find((known) => known === word);
    return mails && { claim: { kind: 'stop', owner, mails, recipient: '' }, signed };
  }
  const [period = '', revision, given, mailed = '', ...signed] = rest;
  const format = FILE_FORMATS.find((known) => known === given);
  if (format === undefined || periodKind(period) === undefined) return undefined;
  const place = { owner, period, revision: Number(revision) };
  const mailedAt = Number.parseInt(mailed, 36) * 1_000;
  return { claim: { kind: 'file', place, format, mailedAt, recipient: '' }, signed };
}

/**
 * What a token says, `undefined` for every text that is not exactly a token signed with a key that counts. Takes the same
 * time for every wrong signature.
 * @param keyOf the key with an id, when it still counts
 */
export async function readToken(
  text: string,
  keyOf: (id: string) => Promise<LinkKey | undefined>,
): Promise<LinkClaim | undefined> {
  if (text.length > LONGEST_TOKEN) return undefined;
  const found = unproven(text);
  if (found === undefined) return undefined;
  const [recipient = '', id = '', signed = ''] = found.signed;
  const key = await keyOf(id);
  if (key === undefined) return undefined;
  // The texts are compared: several texts of Base64 can stand for the same bytes.
  const wanted = signature(key, text.slice(0, -signed.length - 1));
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(wanted))) return undefined;
  return { ...found.claim, recipient: Buffer.from(recipient, 'base64url').toString('hex') };
}
