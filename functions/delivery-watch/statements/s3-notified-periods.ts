import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Period } from '#domain/period/period.ts';
import { NOTIFIED_PERIODS, notifiedPeriodKey, periodOfNotified } from '#domain/storage/statement-keys.ts';
import { S3NotifiedRecords } from '../s3-notified-records.ts';
import { nothingNotifiedOf, notifiedPeriodSchema } from './notified-period.ts';
import type { NotifiedPeriod } from './notified-period.ts';
import type { NotifiedPeriods } from './notified-periods.ts';

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
