import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { EnvironmentError } from '#registry/environment.ts';
import { kept, memoized } from '#registry/once.ts';
import { systemClock } from '#runtime/clock.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { linkKey, type LinkKey } from './token.ts';

/** The secret with the key of links is missing or empty. It names the secret, never its value. */
export class LinkKeyError extends DaybookError {
  override readonly name = 'LinkKeyError';
}

/** Milliseconds. A new key is found sooner by its id. */
const CACHE_TIME = 60 * 60_000;
/** Milliseconds. However many tokens name an unknown key, the secret is read again this seldom. */
const LOOK_AGAIN = 60_000;
/** Characters. A shorter secret signs nothing. */
const SHORTEST = 32;

type Keys = readonly [current: LinkKey, ...previous: LinkKey[]];

/**
 * The key that links are signed with. The secret's previous version still counts, so that the links of mails live on when the
 * key is changed once.
 * @param secret name or ARN; @param now milliseconds UTC
 */
export function keysInSecret(secret: string, now: () => number) {
  const client = createSecretsManagerClient();
  const version = async (VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<string | undefined> => {
    try {
      const command = new GetSecretValueCommand({ SecretId: secret, VersionStage });
      return (await client.send(command)).SecretString ?? '';
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
  const keys = kept(async (): Promise<Keys> => {
    const [current, previous = ''] = await Promise.all([version('AWSCURRENT'), version('AWSPREVIOUS')]);
    if (current === undefined) throw new LinkKeyError(`secret ${secret}: does not exist`);
    if (current.length < SHORTEST) throw new LinkKeyError(`secret ${secret}: has under 32 characters`);
    // A previous one that was too short must not stand in the way of the next.
    return [linkKey(current), ...(previous.length < SHORTEST ? [] : [linkKey(previous)])];
  }, now);
  return {
    /** The key for new links. @throws {LinkKeyError} when there is none */
    current: async (): Promise<LinkKey> => (await keys(CACHE_TIME))[0],
    /** The key with this id, if links signed with it still work. */
    withId: async (id: string): Promise<LinkKey | undefined> => {
      const known = (await keys(CACHE_TIME)).find((key) => key.id === id);
      return known ?? (await keys(LOOK_AGAIN)).find((key) => key.id === id);
    },
  };
}

const known = new Map<string, ReturnType<typeof keysInSecret>>();

/**
 * The keys in a secret, read once for all mails of the process.
 * @param secret name or ARN
 * @throws {EnvironmentError} when the function is told of none
 */
export function linkKeysOf(secret: string | undefined) {
  if (secret === undefined) throw new EnvironmentError('environment variable LINKS_SECRET is missing');
  return memoized(known, secret, () => keysInSecret(secret, () => systemClock.now()));
}
