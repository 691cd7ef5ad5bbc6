import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { EnvironmentError } from '#registry/environment.ts';
import { memoized } from '#registry/once.ts';
import { systemClock } from '#runtime/clock.ts';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { linkKey } from './token.ts';
import type { LinkKey } from './token.ts';

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

/** The key of links. The secret's previous version still counts: links live on when the key is changed once. */
export class LinkKeys {
  readonly #client = createSecretsManagerClient();
  readonly #secret: string;
  readonly #now: () => number;
  #read: { keys: Promise<readonly [LinkKey, ...LinkKey[]]>; at: number } | undefined;

  /** @param secret name or ARN; @param now milliseconds UTC */
  constructor(secret: string, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  /** The key for new links. @throws {LinkKeyError} when there is none */
  async current(): Promise<LinkKey> {
    return (await this.#keys(CACHE_TIME))[0];
  }

  /** The key with this id, if links signed with it still work. */
  async withId(id: string): Promise<LinkKey | undefined> {
    const known = (await this.#keys(CACHE_TIME)).find((key) => key.id === id);
    return known ?? (await this.#keys(LOOK_AGAIN)).find((key) => key.id === id);
  }

  #keys(oldest: number) {
    if (this.#read !== undefined && this.#now() - this.#read.at < oldest) return this.#read.keys;
    const read = { keys: this.#present(), at: this.#now() };
    this.#read = read;
    read.keys.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return read.keys;
  }

  async #present(): Promise<[LinkKey, ...LinkKey[]]> {
    const versions = ['AWSCURRENT', 'AWSPREVIOUS'].map((stage) => this.#version(stage));
    const [current, previous = ''] = await Promise.all(versions);
    if (current === undefined) throw new LinkKeyError(`secret ${this.#secret}: does not exist`);
    if (current.length < SHORTEST) throw new LinkKeyError(`secret ${this.#secret}: has under 32 characters`);
    // A previous one that was too short must not stand in the way of the next.
    return [linkKey(current), ...(previous.length < SHORTEST ? [] : [linkKey(previous)])];
  }

  async #version(VersionStage: string): Promise<string | undefined> {
    try {
      const command = new GetSecretValueCommand({ SecretId: this.#secret, VersionStage });
      return (await this.#client.send(command)).SecretString ?? '';
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}

const known = new Map<string, LinkKeys>();

/** Read once for all mails of the process. @throws {EnvironmentError} when the function is told of no secret */
export function linkKeysOf(secret: string | undefined): LinkKeys {
  if (secret === undefined) throw new EnvironmentError('environment variable LINKS_SECRET is missing');
  return memoized(known, secret, () => new LinkKeys(secret, () => systemClock.now()));
}
