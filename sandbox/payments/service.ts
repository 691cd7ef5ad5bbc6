import type { Behaviour } from './http/behaviour.ts';
import type { SandboxCipher } from './http/cipher.ts';
import type { PaymentsData } from './day/data.ts';
import type { Listings } from './http/listings.ts';
import type { SandboxMerchant } from './day/merchant.ts';
import type { RecordStore } from './store.ts';
import type { Tokens } from './http/tokens.ts';

export interface Service {
  origin: string;
  perPage: number;
  merchants: readonly SandboxMerchant[];
  behaviour: Behaviour;
  data: PaymentsData;
  store: RecordStore;
  listings: Listings;
  tokens: Tokens;
  /** The merchant's current cipher: its own, or the one it was rotated to. */
  cipherOf(merchantCode: string): SandboxCipher;
}
