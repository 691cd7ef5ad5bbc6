import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import { periodSchema } from '#records/period/period.ts';
import { closedKey, reopenedKey } from '#records/storage/closing-keys.ts';
import type { PageId, PagePlace } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';

/** Which revision of a statement is closed, and what it names (docs/interfaces.md, 6 Objects). */
export const closedSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    period: periodSchema,
    from: daySchema,
    to: daySchema,
    revision: z.int().min(1),
    closedAt: z.iso.datetime(),
    /** The registry's `closeAfter`, such as `15d`. `null`: it was off when this was written. */
    rule: z.string().nullable(),
    /** With the digest of each page. `null`: the page was gone. */
    days: z.array(z.object({ day: daySchema, revision: z.int().min(1), digest: z.string().nullable() })),
    /** The closed periods that it adjusts. */
    adjusts: z.array(periodSchema),
  }),
);
export type ClosedStatement = z.infer<typeof closedSchema>;

/** Who reopened a closed revision, and why. It is kept. */
const reopenedSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    period: periodSchema,
    revision: z.int().min(1),
    at: z.iso.datetime(),
    by: z.string(),
    why: z.string(),
  }),
);
type ReopenedStatement = z.infer<typeof reopenedSchema>;

/** What is kept of closing a merchant's statements, beside their revisions. */
export class ClosingStore extends BucketStore {
  /** Says which revision was closed last, perhaps one that was reopened since. @throws {StoredObjectError} */
  async closed(page: PageId): Promise<ClosedStatement | undefined> {
    return (await this.#standing(page))?.value;
  }

  /** @throws {StoredObjectError} when it cannot be read */
  async reopened(place: PagePlace): Promise<ReopenedStatement | undefined> {
    return (await this.readObject(reopenedKey(place), reopenedSchema))?.value;
  }

  /** `false` when that revision was reopened before. */
  async reopen(place: PagePlace, record: ReopenedStatement): Promise<boolean> {
    return (await this.createObject(reopenedKey(place), record)) !== undefined;
  }

  /** Unless a revision as new is recorded. The sealed page itself says that it is closed: this says it to listings. */
  async record(closed: Omit<ClosedStatement, 'days'>, days: () => Promise<ClosedStatement['days']>) {
    const id = { owner: { merchantCode: closed.merchantCode }, period: closed.period };
    const standing = await this.#standing(id);
    if (standing !== undefined && standing.value.revision >= closed.revision) return;
    await this.writeObject(closedKey(id), { ...closed, days: await days() }, standing?.version);
  }

  async #standing(page: PageId) {
    const key = closedKey(page);
    const read = await this.readObject(key, closedSchema);
    const { merchantCode = page.owner.merchantCode, period = page.period } = read?.value ?? {};
    if (merchantCode === page.owner.merchantCode && period === page.period) return read;
    throw new StoredObjectError(key, 'belongs to another key');
  }
}
