import { GetObjectCommand, PutObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { chooseRegistry, goodCopyOf, registryCopy } from './registry-choice.ts';
import type { RegistryCopy } from './registry-choice.ts';
import { lastGoodKey } from '#records/storage/keys.ts';
import { LARGEST_REGISTRY, boundedText } from '#records/storage/object-bounds.ts';
import { codesInEntries } from './registry.ts';
import { RegistryError } from './registry-errors.ts';
import type { Registry } from './registry.ts';

interface StoredCopy extends RegistryCopy {
  text: string | undefined;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** One object. It is requested every time, but sent and parsed only when its ETag has changed. */
class CachedCopy {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly key: string;
  #known: StoredCopy | undefined;

  constructor(s3: S3Client, bucket: string, key: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.key = key;
  }

  async read(): Promise<StoredCopy> {
    this.#known = await this.#readAnew(this.#known);
    return this.#known;
  }

  async #readAnew(known: StoredCopy | undefined): Promise<StoredCopy> {
    const version = known?.version ?? null;
    const condition = version === null ? {} : { IfNoneMatch: version };
    try {
      const { Body, ETag } = await this.#s3.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: this.key, ...condition }),
      );
      const text = await boundedText(Body, this.key, LARGEST_REGISTRY);
      if (text === undefined) {
        const content = new RegistryError(
          `the registry ${this.key} is larger than ${LARGEST_REGISTRY} bytes`,
        );
        return { key: this.key, version: ETag ?? null, content, text };
      }
      return { ...registryCopy(this.key, ETag ?? null, text), text };
    } catch (error) {
      const status = statusOf(error);
      if (status === 304 && known !== undefined) return known;
      if (status === 404) return { ...registryCopy(this.key, null, undefined), text: undefined };
      throw error;
    }
  }
}

/** It serves everybody when the registry is unreadable, so it is checked before it is written. */
function wouldServe(text: string, lastGood: StoredCopy, current: StoredCopy): boolean {
  const written = registryCopy(lastGood.key, null, text);
  if (written.content instanceof RegistryError || current.content instanceof RegistryError) return false;
  const { alarm } = chooseRegistry(written, lastGood);
  return alarm === null && hasSameCodes(written.content, current.content);
}

function hasSameCodes(one: Registry, other: Registry): boolean {
  return codesInEntries(one).symmetricDifference(codesInEntries(other)).size === 0;
}

/** Both copies as they were read, and the registry to use. */
interface Loaded {
  current: StoredCopy;
  lastGood: StoredCopy;
  chosen: { registry: Registry; alarm: string | null };
}

/** The registry in the data bucket, with the last good copy under `config/last-good/`. */
export class RegistrySource {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #current: CachedCopy;
  readonly #lastGood: CachedCopy;
  #loaded: Loaded | undefined;
  /** Whether this function also writes the last good copy. Then it looks at the copy each time. */
  #keepsCopy = false;

  /** @param key the registry's own, `REGISTRY_KEY` */
  constructor(s3: S3Client, bucket: string, key: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#current = new CachedCopy(s3, bucket, key);
    this.#lastGood = new CachedCopy(s3, bucket, lastGoodKey(key));
  }

  /**
   * The registry to use now.
   * @returns the same `registry` object until something changes in S3
   * @throws {RegistryError} when the registry is missing or unusable, and there is no last good copy
   */
  async load(): Promise<{ registry: Registry; alarm: string | null }> {
    const known = this.#loaded;
    if (known?.chosen.alarm === null && !this.#keepsCopy) {
      // While the registry is good and unchanged, the last good copy does not matter. That is so in nearly every run.
      const current = await this.#current.read();
      return current === known.current ? known.chosen : this.#choose(current, await this.#lastGood.read());
    }
    return this.#choose(...(await Promise.all([this.#current.read(), this.#lastGood.read()])));
  }

  #choose(current: StoredCopy, lastGood: StoredCopy): Loaded['chosen'] {
    if (this.#loaded?.current !== current || this.#loaded.lastGood !== lastGood) {
      this.#loaded = { current, lastGood, chosen: chooseRegistry(current, lastGood) };
    }
    return this.#loaded.chosen;
  }

  /**
   * Stores the registry that was just loaded as the last good copy, unless the copy is the same or is itself
   * in use. It writes only the text that was loaded, without its unusable entries. It does not overwrite a
   * copy that is newer than the load.
   * @returns false when the last good copy has to stay, because the new one could not replace what was loaded
   */
  async accept(): Promise<boolean> {
    this.#keepsCopy = true;
    if (this.#loaded === undefined) return true;
    const { current, lastGood, chosen } = this.#loaded;
    if (chosen.alarm !== null || current.text === undefined || current.text === lastGood.text) return true;
    const text = goodCopyOf(current, lastGood, current.text);
    if (text === lastGood.text) return true;
    if (text === undefined || !wouldServe(text, lastGood, current)) return false;
    try {
      await this.#s3.send(
        new PutObjectCommand({
          Bucket: this.#bucket,
          Key: lastGood.key,
          Body: text,
          ContentType: 'application/json',
          ...(lastGood.version === null ? { IfNoneMatch: '*' } : { IfMatch: lastGood.version }),
        }),
      );
    } catch (error) {
      // Another run wrote the copy, or somebody removed it. The next load looks again.
      const status = statusOf(error);
      if (status !== 412 && status !== 409 && status !== 404) throw error;
    }
    return true;
  }
}
