import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { periodKind } from '#records/period/period.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';
import { STOPPABLE, type ReadersStop } from '#records/storage/readers-stop.ts';
import { EnvironmentError } from '#registry/environment.ts';
import { kept, memoized } from '#registry/once.ts';
import { systemClock } from '#runtime/clock.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';

const FILE_FORMATS = ['csv', 'xlsx', 'pdf'] as const;

/** What a link is for: to stop mails, or the file of a page, as it was mailed to a reader. */
export type LinkClaim =
  | ({ kind: 'stop' } & ReadersStop)
  | {
      kind: 'file';
      place: PagePlace;
      format: (typeof FILE_FORMATS)[number];
      /** Of the reader's address (`addressHash`). */
      hash: string;
      /** Milliseconds UTC; a token keeps whole seconds. */
      mailedAt: number;
    };

/** Characters of the longest token. */
export const LONGEST_TOKEN = 199;

/** Six characters that tell one key from another, and say nothing of it. */
function idOf(key: string): string {
  return createHash('sha256').update(`id of ${key}`).digest('base64url').slice(0, 6);
}

function signature(key: string, body: string): string {
  return createHmac('sha256', key).update(body).digest('base64url');
}

function ownerText({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `g.${group}` : `m.${merchantCode}`;
}

function claimText(claim: LinkClaim): string {
  const hash = Buffer.from(claim.hash, 'hex').toString('base64url');
  if (claim.kind === 'stop') return `s.${ownerText(claim.of.owner)}.${claim.of.mails}.${hash}`;
  const { owner, period, revision } = claim.place;
  const mailed = Math.floor(claim.mailedAt / 1_000).toString(36);
  return `f.${ownerText(owner)}.${period}.${revision}.${claim.format}.${mailed}.${hash}`;
}

/**
 * A claim as the last part of a link: letters, digits, `.`, `-` and `_`. Signed with HMAC-SHA-256, not encrypted: it names a
 * merchant's code and a page, and no person.
 */
export function signedToken(key: string, claim: LinkClaim): string {
  const body = `${claimText(claim)}.${idOf(key)}`;
  return `${body}.${signature(key, body)}`;
}

/** What was signed, the key's id in it, and the signature. */
const TOKEN = /^([\w.-]+\.([\w-]{6}))\.([\w-]{43})$/;

/**
 * What a token says, `undefined` for every text that is not exactly a token signed with a key that counts. Takes the same
 * time for every wrong signature, and reads only what was signed.
 * @param keyOf the key with an id, when it still counts
 */
export async function readToken(
  text: string,
  keyOf: (id: string) => Promise<string | undefined>,
): Promise<LinkClaim | undefined> {
  if (text.length > LONGEST_TOKEN) return undefined;
  const [, body = '', id, signed = ''] = TOKEN.exec(text) ?? [];
  const key = id === undefined ? undefined : await keyOf(id);
  if (key === undefined) return undefined;
  // The texts are compared: several texts of Base64 can stand for the same bytes.
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(signature(key, body)))) return undefined;
  return claimIn(body);
}

/** As {@link claimText} writes it. No part has a dot in it. */
function claimIn(body: string): LinkClaim | undefined {
  const [kind, whose, name = '', ...rest] = body.split('.').slice(0, -1);
  const owner = whose === 'g' ? { group: name } : { merchantCode: name };
  const hash = Buffer.from(rest.at(-1) ?? '', 'base64url').toString('hex');
  if (kind === 's') {
    const mails = STOPPABLE.find((known) => known === rest[0]);
    return mails && { kind: 'stop', of: { owner, mails }, hash };
  }
  if (kind !== 'f') return undefined;
  const [period = '', revision, ending, mailed = ''] = rest;
  const format = FILE_FORMATS.find((known) => known === ending);
  if (format === undefined || periodKind(period) === undefined) return undefined;
  const place = { owner, period, revision: Number(revision) };
  return { kind: 'file', place, format, hash, mailedAt: Number.parseInt(mailed, 36) * 1_000 };
}

/** The secret with the key of links is missing or empty. It names the secret, never its value. */
class LinkKeyError extends DaybookError {
  override readonly name = 'LinkKeyError';
}

/** Milliseconds. A new key is found sooner by its id. */
const CACHE_TIME = 60 * 60_000;
/** Milliseconds. However many tokens name an unknown key, the secret is read again this seldom. */
const LOOK_AGAIN = 60_000;
/** Characters. A shorter secret signs nothing. */
const SHORTEST = 32;

function tokensOf(secret: string, now: () => number) {
  // One for the process: each client has connections of its own.
  const client = createSecretsManagerClient();
  const version = async (VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS') => {
    try {
      const command = new GetSecretValueCommand({ SecretId: secret, VersionStage });
      return (await client.send(command)).SecretString ?? '';
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
  // The present key, and the one before it: the links of mails live on when the key is changed once.
  const keys = kept(async (): Promise<[string, ...string[]]> => {
    const [current, previous = ''] = await Promise.all([version('AWSCURRENT'), version('AWSPREVIOUS')]);
    if (current === undefined) throw new LinkKeyError(`secret ${secret}: does not exist`);
    if (current.length < SHORTEST) throw new LinkKeyError(`secret ${secret}: has under 32 characters`);
    // A previous one that was too short must not stand in the way of the next.
    return [current, ...(previous.length < SHORTEST ? [] : [previous])];
  }, now);
  const keyOf = async (id: string, oldest: number) => (await keys(oldest)).find((key) => idOf(key) === id);
  return {
    /** Makes the tokens of new links. @throws {LinkKeyError} when there is no key */
    signer: async () => {
      const [key] = await keys(CACHE_TIME);
      return (claim: LinkClaim) => signedToken(key, claim);
    },
    /** As {@link readToken}. */
    read: (text: string) =>
      readToken(text, async (id) => (await keyOf(id, CACHE_TIME)) ?? keyOf(id, LOOK_AGAIN)),
  };
}

const known = new Map<string, ReturnType<typeof tokensOf>>();

/**
 * Signs and reads tokens with the key in a secret, which is read once for all mails of the process.
 * @param secret name or ARN; @param now milliseconds UTC, of the first call for this secret
 * @throws {EnvironmentError} when the function is told of no secret
 */
export function linkTokens(secret: string | undefined, now = () => systemClock.now()) {
  if (secret === undefined) throw new EnvironmentError('environment variable LINKS_SECRET is missing');
  return memoized(known, secret, () => tokensOf(secret, now));
}
