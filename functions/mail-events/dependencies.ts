import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { bareAddress } from '#domain/mail/bare-address.ts';
import { LedgerStore } from '#mailing/ledger-store.ts';
import { SuppressionList } from '#mailing/suppression-list.ts';
import type { Environment } from '#domain/settings/environment.ts';

export interface Dependencies extends FunctionDependencies {
  ledgers: LedgerStore;
  suppressionList: SuppressionList;
  /** Hash of the address that Daybook sends from. */
  sender: string;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'mail-events');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    ledgers: new LedgerStore(s3, bucket),
    suppressionList: new SuppressionList(s3, bucket),
    sender: addressHash(bareAddress(environment.mail.from)),
  };
}
