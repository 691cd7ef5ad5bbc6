import type { AlertStateStore } from '#alerting/alert-state-store.ts';
import { S3AlertStateStore } from '#alerting/s3-alert-state-store.ts';
import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#runtime/environment.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { Failures } from './failures.ts';
import type { StoredObjects } from './stored-objects.ts';
import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ListedObject } from './orphans.ts';

class S3Listing implements StoredObjects {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async under(prefix: string): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    const input = { Bucket: this.#bucket, Prefix: prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      for (const { Key, LastModified } of Contents) {
        if (Key === undefined || LastModified === undefined) continue;
        objects.push({ key: Key, lastModified: LastModified.getTime() });
      }
    }
    return objects;
  }

  async foldersUnder(prefix: string): Promise<string[]> {
    const folders: string[] = [];
    const input = { Bucket: this.#bucket, Prefix: prefix, Delimiter: '/' };
    for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      folders.push(...CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix])));
    }
    return folders;
  }

  async remove(key: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }
}

export interface Dependencies extends FunctionDependencies {
  objects: StoredObjects;
  snapshots: Pick<SnapshotStore, 'revision'>;
  ledgers: LedgerStore;
  alertStates: Pick<AlertStateStore, 'read'>;
  registry: RegistrySource;
  /** From the end of a run's time until its mail is settled. */
  unsettledAfterMinutes: number;
}

export interface SweepRun extends Dependencies {
  failures: Failures;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'sweep');
  const bucket = environment.DATA_BUCKET;
  return {
    ...shared,
    objects: new S3Listing(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    ledgers: new S3LedgerStore(s3, bucket),
    alertStates: new S3AlertStateStore(s3, bucket),
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    unsettledAfterMinutes: environment.SWEEP_UNSETTLED_AFTER_MINUTES,
  };
}
