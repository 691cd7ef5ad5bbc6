import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { _Object, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { daySchema } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Period } from '#domain/period/period.ts';
import {
  changesPrefix,
  dayPrefix,
  pageKey,
  periodLedgerPrefix,
  periodPrefix,
  revisionUnder,
  sealedDayOfMarker,
} from '#domain/storage/keys.ts';
import type { PagePlace } from '#domain/storage/keys.ts';
import { readObject } from '#aws/s3-objects.ts';
import type { StoredRevision } from './newest-revisions.ts';
import type { Listing, NamedDays, StatementListings } from './statement-listings.ts';

const namedDaysSchema = z.lazy(() =>
  z.object({
    from: daySchema,
    to: daySchema,
    days: z.array(z.object({ day: daySchema, revision: z.int().min(1) })).max(31),
  }),
);

export class S3StatementListings implements StatementListings {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  statements(period: Period): Listing {
    return this.#list(periodPrefix(period));
  }

  ledgers(period: Period): Listing {
    return this.#list(periodLedgerPrefix(period));
  }

  days(day: Day): Listing {
    return this.#list(dayPrefix(day));
  }

  async *changedDays(sealedOn: Day): AsyncIterable<readonly Day[]> {
    for await (const objects of this.#objects(changesPrefix(sealedOn))) {
      yield objects.flatMap(({ Key = '' }) => sealedDayOfMarker(Key) ?? []);
    }
  }

  async daysOfStatement(place: PagePlace): Promise<NamedDays | undefined> {
    const read = await readObject(this.#s3, this.#bucket, pageKey(place), namedDaysSchema);
    return read?.value;
  }

  async *#list(prefix: string): Listing {
    for await (const objects of this.#objects(prefix)) {
      yield objects.flatMap(({ Key = '', LastModified }): StoredRevision[] => {
        const found = revisionUnder(prefix, Key);
        if (found === undefined || LastModified === undefined) return [];
        return [{ owner: found.owner, revision: found.revision, storedAt: LastModified.getTime() }];
      });
    }
  }

  async *#objects(prefix: string): AsyncIterable<readonly _Object[]> {
    const pages = paginateListObjectsV2({ client: this.#s3 }, { Bucket: this.#bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) yield Contents;
  }
}
