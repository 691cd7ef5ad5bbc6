import { buildFunctionDependencies } from '../function-dependencies.ts';
import type { FunctionDependencies } from '../function-dependencies.ts';
import { addressHash } from '#records/storage/keys.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { LedgerStore } from '../ledger-store.ts';
import { MailStops } from '../mail-stops.ts';
import type { Environment } from '#registry/environment.ts';

export interface Dependencies extends FunctionDependencies {
  ledgers: LedgerStore;
  suppressionList: MailStops;
  /** Hash of the address that Daybook sends from. */
  sender: string;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'mail-events');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    ledgers: new LedgerStore(s3, bucket),
    suppressionList: new MailStops(s3, bucket),
    sender: addressHash(bareAddress(environment.mail.from)),
  };
}
