import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { _Object, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import {
  changesPrefix,
  dayPrefix,
  pageKey,
  periodLedgerPrefix,
  periodPrefix,
  revisionUnder,
  sealedDayOfMarker,
} from '#records/storage/keys.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';
import { readObject } from '#runtime/s3-objects.ts';

/** `storedAt` is milliseconds UTC. */
export interface StoredRevision {
  owner: PageOwner;
  revision: number;
  storedAt: number;
}

export type Listing = AsyncIterable<readonly StoredRevision[]>;

export interface NamedDays extends PeriodDays {
  days: readonly NamedDay[];
}

export interface NamedDay {
  day: Day;
  revision: number;
}

/** The only part of a statement that is compared. */
const namedDaysSchema = z.lazy(() =>
  z.object({
    from: daySchema,
    to: daySchema,
    days: z.array(z.object({ day: daySchema, revision: z.int().min(1) })).max(31),
  }),
);

/** What `plan` looks at in the data bucket to see which statements are due. A request lists a thousand objects. */
export class StatementListings {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** The sealed statements and groups' pages of a period. */
  statements(period: Period): Listing {
    return this.#list(periodPrefix(period));
  }

  /** The ledgers of their mails. */
  ledgers(period: Period): Listing {
    return this.#list(periodLedgerPrefix(period));
  }

  /** The sealed revisions of a day of all merchants. */
  days(day: Day): Listing {
    return this.#list(dayPrefix(day));
  }

  /**
   * The days of which a revision was sealed on a date (UTC), or was about to be. Each page may have a day that another one
   * has.
   */
  async *changedDays(sealedOn: Day): AsyncIterable<readonly Day[]> {
    for await (const objects of this.#objects(changesPrefix(sealedOn))) {
      yield objects.flatMap(({ Key = '' }) => sealedDayOfMarker(Key) ?? []);
    }
  }

  /**
   * The days of a sealed statement, and which of them it adds up; `undefined` when it is gone.
   *
   * @throws {StoredObjectError} when it cannot be read
   */
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
