import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Period } from '#domain/period/period.ts';
import {
  merchantsPrefix,
  statementInKey,
  statementKey,
  statementPrefix,
} from '#domain/storage/statement-keys.ts';
import type { StatementOwner, StatementPlace } from '#domain/storage/statement-keys.ts';
import { createObject, readObject, readText, StoredObjectError } from '#aws/s3-objects.ts';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { PageStore } from './page-store.ts';

/** The members that say which object a page is. */
interface PlacedPage {
  merchantCode?: string | undefined;
  group?: string | undefined;
  period: Period;
  from: Day;
  to: Day;
  revision: number;
  previous: string | null;
}

/** The most days from the first to the last one of a page: weeks of a group's merchants may begin on different days. */
const LONGEST_PERIOD = 62;

/**
 * The first member of a page that does not belong to the key it was read from, `undefined` when all do. A page copied to
 * another key would bring another merchant's figures into a mail.
 */
function misplacedMember(page: PlacedPage, { owner, period, revision }: StatementPlace): string | undefined {
  if (page.merchantCode !== owner.merchantCode) return 'merchantCode';
  if (page.group !== owner.group) return 'group';
  if (page.period !== period) return 'period';
  if (page.revision !== revision) return 'revision';
  if (page.to < page.from || page.to > addDays(page.from, LONGEST_PERIOD)) return 'to';
  const previous = revision === 1 ? null : statementKey({ owner, period, revision: revision - 1 });
  return page.previous === previous ? undefined : 'previous';
}

/** `PageStore` over the data bucket (docs/interfaces.md, 5 Keys in the data bucket). */
export class S3PageStore<Page extends PlacedPage> implements PageStore<Page> {
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #schema: z.ZodType<Page>;

  constructor(s3: S3Client, bucket: string, schema: z.ZodType<Page>) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#schema = schema;
  }

  async newest(owner: StatementOwner, period: Period): Promise<Page | undefined> {
    // Most periods have no page yet, or one. A request that reads costs a twelfth of one that lists.
    let first: Page | undefined;
    try {
      first = await this.revision({ owner, period, revision: 1 });
      if (first === undefined) return undefined;
    } catch (error) {
      // A spoilt first page does not stop a later one.
      if (!isUnreadableObject(error) || !(await this.#isTaken({ owner, period, revision: 2 }))) throw error;
    }
    // Numbers have no gaps.
    if (first !== undefined && !(await this.#isTaken({ owner, period, revision: 2 }))) return first;
    let newest = 1;
    for await (const { revision } of this.#listed(statementPrefix(owner, period))) {
      newest = Math.max(newest, revision);
    }
    return newest === 1 ? first : this.revision({ owner, period, revision: newest });
  }

  async merchantRevisions(period: Period): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for await (const { owner, revision } of this.#listed(merchantsPrefix(period))) {
      const { merchantCode } = owner;
      if (merchantCode === undefined) continue;
      newest.set(merchantCode, Math.max(revision, newest.get(merchantCode) ?? 0));
    }
    return newest;
  }

  /** Whether there is a page with this number, readable or not. */
  async #isTaken(place: StatementPlace): Promise<boolean> {
    try {
      return (await readText(this.#s3, this.#bucket, statementKey(place))) !== undefined;
    } catch (error) {
      if (isUnreadableObject(error)) return true;
      throw error;
    }
  }

  /** The pages whose keys begin like this. */
  async *#listed(prefix: string): AsyncGenerator<StatementPlace> {
    const input = { Bucket: this.#bucket, Prefix: prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      for (const { Key = '' } of Contents) {
        const place = statementInKey(Key);
        if (place !== undefined) yield place;
      }
    }
  }

  async revision(place: StatementPlace): Promise<Page | undefined> {
    const key = statementKey(place);
    const page = (await readObject(this.#s3, this.#bucket, key, this.#schema))?.value;
    const misplaced = page && misplacedMember(page, place);
    if (misplaced !== undefined) throw new StoredObjectError(key, `belongs to another key: ${misplaced}`);
    return page;
  }

  async seal(place: StatementPlace, page: Page): Promise<Page> {
    const key = statementKey(place);
    if ((await createObject(this.#s3, this.#bucket, key, page)) !== undefined) return page;
    const standing = await this.revision(place);
    if (standing === undefined) throw new StoredObjectError(key, 'existed and is gone');
    return standing;
  }
}
