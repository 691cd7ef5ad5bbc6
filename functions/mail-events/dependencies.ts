import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import { addressHash } from '#domain/storage/keys.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import { bareAddress } from '#mailing/message/bare-address.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3SuppressionList } from '#mailing/s3-suppression-list.ts';
import type { SuppressionStore } from '#mailing/suppression-list.ts';
import type { Environment } from '#runtime/environment.ts';

export interface Dependencies extends FunctionDependencies {
  ledgers: LedgerStore;
  suppressionList: SuppressionStore;
  /** Hash of the address that Daybook sends from. */
  sender: string;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'mail-events');
  const bucket = environment.DATA_BUCKET;
  return {
    ...shared,
    ledgers: new S3LedgerStore(s3, bucket),
    suppressionList: new S3SuppressionList(s3, bucket),
    sender: addressHash(bareAddress(environment.MAIL_FROM)),
  };
}
