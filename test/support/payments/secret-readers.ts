import type { MerchantCredentials, SecretEntry, SecretReader } from '#service/authentication/credentials.ts';
import { credentialsOf, type SandboxMerchant } from '#sandbox/payments/index.ts';

/** An entry of a secret, without a previous one. */
export function entryOf(merchant: SandboxMerchant, change?: Partial<MerchantCredentials>): SecretEntry {
  return { current: { ...credentialsOf(merchant), ...change }, previous: undefined };
}

/** A secret in memory that notes how it was read. */
export class RecordedSecret implements SecretReader {
  /** `cached`, `fresh` and `before rotation`, in the order of reading. */
  readonly reads: string[] = [];
  /** What a cache still holds; left out, there is none. */
  cached: SecretEntry | undefined;
  stored: SecretEntry;
  beforeLastRotation: SecretEntry | undefined;
  /** Thrown by reads past the cache. */
  failure: Error | undefined;

  constructor(current: MerchantCredentials, previous?: MerchantCredentials) {
    this.stored = { current, previous };
  }

  current(fresh: boolean): Promise<SecretEntry> {
    this.reads.push(fresh ? 'fresh' : 'cached');
    if (fresh && this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(structuredClone(fresh ? this.stored : (this.cached ?? this.stored)));
  }

  beforeRotation(): Promise<SecretEntry | undefined> {
    this.reads.push('before rotation');
    return Promise.resolve(structuredClone(this.beforeLastRotation));
  }
}
