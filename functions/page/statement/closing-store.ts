import type { PageId, PagePlace } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { closedKey, closedSchema, reopenedKey, reopenedSchema } from '#records/revision/closed-statement.ts';
import type { ClosedStatement, ReopenedStatement } from '#records/revision/closed-statement.ts';

/** What is kept of closing a merchant's statements, beside their revisions. */
export class ClosingStore extends BucketStore {
  /** Which revision was closed last, perhaps one that was reopened since. @throws {StoredObjectError} */
  async closed(page: PageId) {
    const key = closedKey(page);
    const read = await this.readObject(key, closedSchema);
    const { merchantCode = page.owner.merchantCode, period = page.period } = read?.value ?? {};
    if (merchantCode === page.owner.merchantCode && period === page.period) return read;
    throw new StoredObjectError(key, 'belongs to another key');
  }

  /** In place of that version. The sealed page itself says that it is closed: this says it to listings. */
  async record(page: PageId, closed: ClosedStatement, version: string | undefined): Promise<void> {
    await this.writeObject(closedKey(page), closed, version);
  }

  /** `undefined` when that revision was never reopened. @throws {StoredObjectError} */
  async reopened(place: PagePlace): Promise<ReopenedStatement | undefined> {
    return (await this.readObject(reopenedKey(place), reopenedSchema))?.value;
  }

  /** `false` when that revision was reopened before. */
  async reopen(place: PagePlace, record: ReopenedStatement): Promise<boolean> {
    return (await this.writeObject(reopenedKey(place), record)) !== undefined;
  }
}
