import { createHash } from 'node:crypto';
import { checkCipher, type SandboxCipher } from '../http/cipher.ts';
import { businessName } from './names.ts';
import { seededRandom } from './random.ts';

/** An account at the service. All of it is made up. */
export interface SandboxMerchant {
  merchantCode: string;
  name: string;
  accessCode: string;
  username: string;
  password: string;
  cipher: SandboxCipher;
  /** The service's own numeric id, the `merchant_id` of records. It differs from the code. */
  merchantId?: number;
}

/** The same index always gives the same merchant: 0 is 700001, 1 is 700002, …; every third has an Arabic name. */
export function sandboxMerchant(index: number): SandboxMerchant {
  const merchantCode = String(700_001 + index);
  const random = seededRandom(`merchant ${merchantCode}`);
  return {
    merchantCode,
    name: businessName(index),
    accessCode: [8, 4, 4, 4, 12].map((length) => random.characters(length).toLowerCase()).join('-'),
    username: `merchant-${merchantCode}@example.com`,
    password: random.characters(20),
    cipher: { algorithm: 'aes-256-cbc', key: random.characters(32), iv: random.characters(16) },
    merchantId: 1084 + index * 7,
  };
}

/** What a client of the merchant is given. */
export function credentialsOf({ accessCode, cipher, username, password }: SandboxMerchant) {
  return { accessCode, cipher, username, password };
}

/** The numeric id of a merchant. If none was given, it is made from the code. */
export function merchantIdOf(merchant: SandboxMerchant): number {
  if (merchant.merchantId !== undefined) return merchant.merchantId;
  return 100_000 + (createHash('sha256').update(merchant.merchantCode).digest().readUInt32BE(0) % 900_000);
}

/** Throws when two merchants have the same identifying value, or a cipher cannot work. */
export function checkMerchants(merchants: readonly SandboxMerchant[]): void {
  for (const merchant of merchants) checkCipher(merchant.cipher, `merchant ${merchant.merchantCode}`);
  for (const member of ['merchantCode', 'accessCode', 'username'] as const) {
    const values = new Set(merchants.map((merchant) => merchant[member]));
    if (values.size !== merchants.length) throw new RangeError(`two merchants share one ${member}`);
  }
}
