import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { readSecretEntry, secretEntries, SecretError } from './credentials.ts';
import type { SecretEntry, SecretReader } from './credentials.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { kept, memoized } from '#registry/once.ts';

/** Secrets Manager failed or throttled, after the SDK's own retries. A later run may read the secret. */
class SecretsManagerError extends DaybookError {
  override readonly name = 'SecretsManagerError';
}

/** The secret itself, or the right to read it, is wrong. */
const LASTING = new Set([
  'AccessDeniedException',
  'DecryptionFailure',
  'InvalidParameterException',
  'InvalidRequestException',
  'ValidationException',
]);

/** Milliseconds. A rotation is found sooner, by reading past the cache. */
const CACHE_TIME = 60 * 60_000;
/** Milliseconds after which an entry that is missing or malformed may have been mended. */
const MENDED_AFTER = 5 * 60_000;

type EntriesByCode = (merchantCode: string) => SecretEntry;

/** Keeps secrets for an hour, so that many merchants of one secret cost one read. */
export class SecretCache {
  readonly #client: SecretsManagerClient;
  readonly #now: () => number;
  readonly #values = new Map<string, (oldest: number) => Promise<EntriesByCode>>();

  constructor(client: SecretsManagerClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  reader(secretName: string, merchantCode: string): SecretReader {
    return {
      current: async (fresh) => {
        const entryOf = await this.#current(secretName, fresh ? 0 : CACHE_TIME);
        try {
          return entryOf(merchantCode);
        } catch {
          return (await this.#current(secretName, MENDED_AFTER))(merchantCode);
        }
      },
      beforeRotation: async () => {
        const text = await this.#read(secretName, 'AWSPREVIOUS');
        return text === undefined ? undefined : readSecretEntry(text, merchantCode, secretName);
      },
    };
  }

  /** @param oldest milliseconds since it was read */
  #current(secretName: string, oldest: number): Promise<EntriesByCode> {
    const read = async () => {
      const text = await this.#read(secretName, 'AWSCURRENT');
      if (text === undefined) throw new SecretError(`secret ${secretName}: does not exist`);
      return secretEntries(text, secretName);
    };
    return memoized(this.#values, secretName, () => kept(read, this.#now))(oldest);
  }

  /** `undefined` when there is no such version. */
  async #read(secretName: string, stage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<string | undefined> {
    try {
      const { SecretString } = await this.#client.send(
        new GetSecretValueCommand({ SecretId: secretName, VersionStage: stage }),
      );
      if (SecretString === undefined) throw new SecretError(`secret ${secretName}: has no text`);
      return SecretString;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      if (error instanceof SecretsManagerServiceException) {
        const told = `secret ${secretName}: cannot be read (${error.name})`;
        throw LASTING.has(error.name) ? new SecretError(told) : new SecretsManagerError(told);
      }
      throw error;
    }
  }
}
