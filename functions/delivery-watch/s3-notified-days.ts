import type { S3Client } from '@aws-sdk/client-s3';
import { notifiedDayKey } from '#domain/storage/keys.ts';
import { nothingNotified, notifiedDaySchema } from './notified-day.ts';
import type { NotifiedDay } from './notified-day.ts';
import { S3NotifiedRecords } from './s3-notified-records.ts';

/** `NotifiedDays` over S3. */
export class S3NotifiedDays extends S3NotifiedRecords<NotifiedDay> {
  constructor(s3: S3Client, bucket: string, log: (error: unknown) => void) {
    const kind = {
      schema: notifiedDaySchema,
      keyOf: notifiedDayKey,
      nameOf: ({ day }: NotifiedDay) => day,
      nothing: nothingNotified,
    };
    super(s3, bucket, kind, log);
  }
}
