import * as z from 'zod';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { boundedJson } from '#domain/json/bounded-json.ts';
import { findRepeatedNames, shownStep } from '#domain/json/repeated-names.ts';
import { firstIssue } from '#domain/json/schema-issue.ts';
import { cipherSettingsSchema } from '../envelope/cipher.ts';

/** The secret cannot be used; names the secret and the member, never a value. */
export class SecretError extends DaybookError {
  override readonly name = 'SecretError';
}

const headerText = z.lazy(() => z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks'));

const entryMembers = {
  accessCode: headerText,
  cipher: cipherSettingsSchema,
  username: z.lazy(() => z.string().min(1).optional()),
  password: z.lazy(() => z.string().min(1).optional()),
  accessToken: z.lazy(() => headerText.optional()),
};

/** What of an entry was in force before. A member may be left out, and is never `undefined`: it would hide the current one. */
const previousMembers = {
  ...entryMembers,
  accessCode: z.lazy(() => headerText.exactOptional()),
  cipher: z.lazy(() => cipherSettingsSchema.exactOptional()),
};

export const entrySchema = z.lazy(() =>
  z.object({ ...entryMembers, previous: z.object(previousMembers).optional() }),
);

function canLogIn(entry: {
  username?: string | undefined;
  password?: string | undefined;
  accessToken?: string | undefined;
}) {
  return entry.accessToken !== undefined || (entry.username !== undefined && entry.password !== undefined);
}

/** What one merchant's requests are made with. Either a token, or a user name and password to get one. */
export type MerchantCredentials = Omit<z.infer<typeof entrySchema>, 'previous'>;

/** A merchant's entry of a secret: the credentials, and those that its own `previous` still names. */
export interface SecretEntry {
  current: MerchantCredentials;
  previous: MerchantCredentials | undefined;
}

/** Values of a secret, which Secrets Manager holds to 64 KiB. */
const MOST_VALUES = 100_000;

const secretSchema = z.lazy(() => z.object({ merchants: z.record(z.string(), z.unknown()) }));

/**
 * The first name that stands twice and may change this merchant's entry; of two keys, one would be taken without a word.
 * Other merchants' entries are their own affair.
 */
function repeatedIn(text: string, merchantCode: string): string | undefined {
  let found: string | undefined;
  findRepeatedNames(text, (path) => {
    const [first, code, ...inner] = path;
    const isOfAll = first === 'merchants' && code === undefined;
    if (!isOfAll && !(first === 'merchants' && code === merchantCode)) return true;
    const named = inner.map(shownStep).map((step) => `.${step}`);
    found = isOfAll ? 'merchants' : `merchants.${merchantCode}${named.join('')}`;
    return false;
  });
  return found;
}

/**
 * Reads one merchant's entry of a secret (docs/interfaces.md, 3 Secret). Other merchants' entries are not looked at.
 *
 * @param secretName stands in the error
 * @throws {SecretError} when the secret is no JSON, the merchant's entry is missing or malformed, or a name stands twice
 *   in it
 */
export function readSecretEntry(text: string, merchantCode: string, secretName: string): SecretEntry {
  const broken = (reason: string) => new SecretError(`secret ${secretName}: ${reason}`);
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw broken(read.reason);
  const secret = secretSchema.safeParse(read.json);
  if (!secret.success) throw broken('has no member "merchants"');
  const { merchants } = secret.data;
  const repeated = read.repeats ? repeatedIn(text, merchantCode) : undefined;
  if (repeated !== undefined) throw broken(`${repeated}: stands there twice`);
  const raw = Object.hasOwn(merchants, merchantCode) ? merchants[merchantCode] : undefined;
  if (raw === undefined) throw broken(`has no merchant ${merchantCode}`);
  const entry = entrySchema.safeParse(raw);
  if (!entry.success) {
    const { path, reason } = firstIssue(entry.error);
    throw broken(`merchants.${merchantCode}${path === '(root)' ? '' : `.${path}`}: ${reason}`);
  }
  const { previous, ...current } = entry.data;
  if (!canLogIn(current)) {
    throw broken(`merchants.${merchantCode}: needs an accessToken, or a username and a password`);
  }
  return { current, previous: previous === undefined ? undefined : underlaid(current, previous) };
}

/** What was in force before: the members that `previous` names, and the entry's own for the rest. */
function underlaid(
  current: MerchantCredentials,
  previous: Partial<MerchantCredentials>,
): MerchantCredentials {
  // A token wins over a login, so the one that took the login's place would keep it from being tried.
  if (canLogIn(previous)) return { ...current, accessToken: undefined, ...previous };
  return { ...current, ...previous };
}

/** Reads the secret of a merchant; `stage` and `fresh` as Secrets Manager and its cache have them. */
export interface SecretReader {
  /** @param fresh past any cache @throws {SecretError} */
  current(fresh: boolean): Promise<SecretEntry>;
  /** The version before the last rotation, `undefined` where there is none. */
  beforeRotation(): Promise<SecretEntry | undefined>;
}

async function* candidatesOf(
  reader: SecretReader,
): AsyncGenerator<MerchantCredentials | undefined, undefined> {
  const fresh = await reader.current(true);
  yield fresh.current;
  yield fresh.previous;
  yield (await reader.beforeRotation())?.current;
}

/**
 * The credentials in use. When the service cannot read us, or we it, or it refuses the login, the next ones are
 * tried in a fixed order: the secret read past the cache, the entry's own `previous`, the secret's version before the
 * last rotation. Each is tried once; after the last the first error stands.
 */
export class CredentialChain {
  readonly #reader: SecretReader;
  #current: MerchantCredentials | undefined;
  readonly #tried = new Set<string>();
  /** What is left to try; nothing is read before the first failure, and nothing twice. */
  readonly #candidates: AsyncIterator<MerchantCredentials | undefined, undefined>;
  /** What came after each that failed. */
  readonly #following = new Map<MerchantCredentials, Promise<MerchantCredentials | undefined>>();

  constructor(reader: SecretReader) {
    this.#reader = reader;
    this.#candidates = candidatesOf(reader);
  }

  async current(): Promise<MerchantCredentials> {
    if (this.#current === undefined) {
      const { current } = await this.#reader.current(false);
      this.#current ??= current;
      this.#tried.add(JSON.stringify(this.#current));
    }
    return this.#current;
  }

  /**
   * The credentials to try after `failed`, or `undefined` when none are left. All requests that failed with the same
   * credentials get the same answer.
   */
  async after(failed: MerchantCredentials): Promise<MerchantCredentials | undefined> {
    if (this.#current !== failed) return this.#current;
    const known = this.#following.get(failed);
    if (known !== undefined) return known;
    const next = this.#untried();
    this.#following.set(failed, next);
    return next;
  }

  async #untried(): Promise<MerchantCredentials | undefined> {
    for (;;) {
      const next = await this.#candidates.next();
      if (next.done === true) return undefined;
      const candidate = next.value;
      if (candidate === undefined) continue;
      const identity = JSON.stringify(candidate);
      if (this.#tried.has(identity)) continue;
      this.#tried.add(identity);
      this.#current = candidate;
      return candidate;
    }
  }
}
