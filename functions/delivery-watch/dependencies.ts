import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#domain/settings/environment.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import { S3SealedDays } from '#snapshots/s3-sealed-days.ts';
import { S3SealedStatements } from '#snapshots/s3-sealed-statements.ts';
import type { SealedStatements } from '#snapshots/sealed-statements.ts';
import { S3NotifiedDays } from './s3-notified-days.ts';
import type { RecordStores } from './record-stores.ts';
import type { SealedDays } from '#snapshots/sealed-days.ts';
import type { NotifiedDays } from './notified-days.ts';
import type { GroupHeads } from './statements/group-heads.ts';
import type { NotifiedPeriods } from './statements/notified-periods.ts';
import { S3GroupHeads } from './statements/s3-group-heads.ts';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Period } from '#domain/period/period.ts';
import { NOTIFIED_PERIODS, notifiedPeriodKey, periodOfNotified } from '#domain/storage/statement-keys.ts';
import { S3NotifiedRecords } from './s3-notified-records.ts';
import { nothingNotifiedOf, notifiedPeriodSchema } from './statements/notified-period.ts';
import type { NotifiedPeriod } from './statements/notified-period.ts';

/** `NotifiedPeriods` over S3. */
export class S3NotifiedPeriods extends S3NotifiedRecords<NotifiedPeriod> implements NotifiedPeriods {
  readonly #list: () => ReturnType<typeof paginateListObjectsV2>;

  constructor(s3: S3Client, bucket: string, log: (error: unknown) => void) {
    const kind = {
      schema: notifiedPeriodSchema,
      keyOf: notifiedPeriodKey,
      nameOf: ({ period }: NotifiedPeriod) => period,
      nothing: nothingNotifiedOf,
    };
    super(s3, bucket, kind, log);
    this.#list = () => paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: NOTIFIED_PERIODS });
  }

  async periods(): Promise<Set<Period>> {
    const periods = new Set<Period>();
    for await (const { Contents = [] } of this.#list()) {
      for (const { Key = '' } of Contents) {
        const period = periodOfNotified(Key);
        if (period !== undefined) periods.add(period);
      }
    }
    return periods;
  }
}

/** What `delivery-watch` works with. */
export interface Dependencies extends FunctionDependencies, RecordStores {
  registry: RegistrySource;
  sealedDays: SealedDays;
  sealedStatements: SealedStatements;
  groupHeads: GroupHeads;
  notifiedDays: NotifiedDays;
  notifiedPeriods: NotifiedPeriods;
  /** Minutes after its `reportAt` by which a report must have arrived. */
  deadlineMinutes: number;
}

/** Connects the function to AWS. Called once per cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'delivery-watch');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    registry: new S3RegistrySource(s3, bucket, environment.registry.key),
    sealedDays: new S3SealedDays(s3, bucket),
    snapshots: new S3SnapshotStore(s3, bucket),
    sealedStatements: new S3SealedStatements(s3, bucket),
    groupHeads: new S3GroupHeads(s3, bucket),
    ledgers: new S3LedgerStore(s3, bucket),
    notifiedDays: new S3NotifiedDays(s3, bucket, (error) => shared.telemetry.logError(error)),
    notifiedPeriods: new S3NotifiedPeriods(s3, bucket, (error) => shared.telemetry.logError(error)),
    deadlineMinutes: environment.deadlines.deliveryMinutes,
  };
}
