import * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { boundedJson } from '#records/json/own-json.ts';
import { findRepeatedNames, shownStep } from '#records/json/repeated-names.ts';
import { firstIssue } from '#records/json/schema-issue.ts';
import { cipherSettingsSchema } from '../envelope/cipher.ts';

/** The message names the secret and the member, never a value. */
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

/** A member is left out, never `undefined`, which would hide the current one. */
const previousMembers = {
  ...entryMembers,
  accessCode: z.lazy(() => headerText.exactOptional()),
  cipher: z.lazy(() => cipherSettingsSchema.exactOptional()),
};

export const entrySchema = z.lazy(() =>
  z.object({ ...entryMembers, previous: z.object(previousMembers).optional() }),
);

export function canLogIn(entry: {
  username?: string | undefined;
  password?: string | undefined;
  accessToken?: string | undefined;
}) {
  return entry.accessToken !== undefined || (entry.username !== undefined && entry.password !== undefined);
}

/** A token, or a user name and a password to get one (docs/contract.md, 5 Authentication). */
export type MerchantCredentials = Omit<z.infer<typeof entrySchema>, 'previous'>;

export interface SecretEntry {
  current: MerchantCredentials;
  previous: MerchantCredentials | undefined;
}

export const CANNOT_LOG_IN = 'needs an accessToken, or a username and a password';

export const MOST_VALUES = 100_000;

const secretSchema = z.lazy(() => z.object({ merchants: z.record(z.string(), z.unknown()) }));

/** The first name that appears twice and may change this merchant's entry: one would be used silently. */
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

interface ParsedSecret {
  merchants: Record<string, unknown>;
  repeats: boolean;
}

function parseSecret(text: string, broken: (reason: string) => SecretError): ParsedSecret {
  const read = boundedJson(text, MOST_VALUES);
  if ('reason' in read) throw broken(read.reason);
  const secret = secretSchema.safeParse(read.json);
  if (!secret.success) throw broken('has no member "merchants"');
  return { merchants: secret.data.merchants, repeats: read.repeats };
}

/** Reads entries of a secret that is parsed once for all of them: see {@link readSecretEntry}. */
export function secretEntries(text: string, secretName: string): (merchantCode: string) => SecretEntry {
  let parsed: ParsedSecret | undefined;
  return (merchantCode) => {
    const broken = (reason: string) => new SecretError(`secret ${secretName}: ${reason}`);
    parsed ??= parseSecret(text, broken);
    const repeated = parsed.repeats ? repeatedIn(text, merchantCode) : undefined;
    if (repeated !== undefined) throw broken(`${repeated}: appears twice`);
    return entryOf(parsed, merchantCode, broken);
  };
}

/**
 * One merchant's entry of a secret (docs/interfaces.md, 3 Secret). Others are not looked at.
 * @throws {SecretError} when the secret is no JSON, or the entry is missing, malformed or has a name twice
 */
export function readSecretEntry(text: string, merchantCode: string, secretName: string): SecretEntry {
  return secretEntries(text, secretName)(merchantCode);
}

function entryOf(
  { merchants }: ParsedSecret,
  merchantCode: string,
  broken: (reason: string) => SecretError,
): SecretEntry {
  const raw = Object.hasOwn(merchants, merchantCode) ? merchants[merchantCode] : undefined;
  if (raw === undefined) throw broken(`has no merchant ${merchantCode}`);
  const entry = entrySchema.safeParse(raw);
  if (!entry.success) {
    const { path, reason } = firstIssue(entry.error);
    throw broken(`merchants.${merchantCode}${path === '(root)' ? '' : `.${path}`}: ${reason}`);
  }
  const { previous, ...current } = entry.data;
  if (!canLogIn(current)) {
    throw broken(`merchants.${merchantCode}: ${CANNOT_LOG_IN}`);
  }
  return { current, previous: previous === undefined ? undefined : underlaid(current, previous) };
}

/** The members in `previous`, and the entry's current ones for the rest. */
function underlaid(
  current: MerchantCredentials,
  previous: Partial<MerchantCredentials>,
): MerchantCredentials {
  // A token is used before a login: the new token would keep the earlier login from being tried.
  if (canLogIn(previous)) return { ...current, accessToken: undefined, ...previous };
  return { ...current, ...previous };
}

export interface SecretReader {
  /** @param fresh reads past any cache @throws {SecretError} see {@link readSecretEntry} */
  current(fresh: boolean): Promise<SecretEntry>;
  /** The version before the last rotation, `undefined` when there is none. */
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
 * The credentials in use. When an answer does not decrypt, the service cannot read a request or refuses the
 * login, others are tried once each: the secret past the cache, its `previous`, its version before the last
 * rotation. After the last one, the first error is reported.
 */
export class CredentialChain {
  readonly #reader: SecretReader;
  #current: MerchantCredentials | undefined;
  readonly #tried = new Set<string>();
  /** The credentials left to try. Nothing is read before the first failure, and nothing twice. */
  readonly #candidates: AsyncIterator<MerchantCredentials | undefined, undefined>;
  readonly #following = new Map<MerchantCredentials, Promise<MerchantCredentials | undefined>>();

  constructor(reader: SecretReader) {
    this.#reader = reader;
    this.#candidates = candidatesOf(reader);
  }

  /** @throws {SecretError} when the secret cannot be used */
  async current(): Promise<MerchantCredentials> {
    if (this.#current === undefined) {
      const { current } = await this.#reader.current(false);
      this.#current ??= current;
      this.#tried.add(JSON.stringify(this.#current));
    }
    return this.#current;
  }

  /** `undefined` when none are left. Requests that failed with the same credentials get the same answer. */
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
