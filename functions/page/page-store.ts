import type { S3Client } from '@aws-sdk/client-s3';
import { S3ChangeMarkers, BucketStore } from '#runtime/bucket-store.ts';
import { addDays, type Day } from '#records/day/business-day.ts';
import { periodKind, type Period } from '#records/period/period.ts';
import {
  dayPrefix,
  isMerchantDay,
  merchantInKey,
  ownerPart,
  pageInKey,
  pageKey,
  pagePrefix,
  periodPrefix,
  pageInWords,
} from '#records/storage/keys.ts';
import type { PageId, PagePlace } from '#records/storage/keys.ts';
import { StoredObjectError, whenSpoilt } from '#runtime/s3-objects.ts';
import { SealContestedError } from '#records/errors/daybook-error.ts';
import type { Clock } from '#runtime/clock.ts';
import type * as z from 'zod';

/** Which object a sealed page is. */
export interface PlacedPage {
  merchantCode?: string | undefined;
  group?: string | undefined;
  day?: Day | undefined;
  /** Of any page but a merchant's day. */
  period?: Period | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
  revision: number;
  previous: string | null;
}

/** Weeks of a group's merchants may begin on different days. */
const LONGEST_PERIOD = 62;

/** The number of the page that follows the newest one, and the key of that one. */
export function numberAfter(id: PageId, newest: Pick<PlacedPage, 'revision'> | undefined) {
  const { revision = 0 } = newest ?? {};
  return { revision: revision + 1, previous: revision === 0 ? null : pageKey({ ...id, revision }) };
}

/** The member that says another key. A page copied there would bring another merchant's figures into a mail. */
export function misplacedMember(page: PlacedPage, place: PagePlace): string | undefined {
  const { owner, period, revision } = place;
  if (page.merchantCode !== owner.merchantCode) return 'merchantCode';
  if (page.group !== owner.group) return 'group';
  if ((page.day ?? page.period) !== period) return page.day === undefined ? 'period' : 'day';
  if (page.revision !== revision) return 'revision';
  const { from = period, to = from } = page;
  if (to < from || to > addDays(from, LONGEST_PERIOD)) return 'to';
  const { previous } = numberAfter(place, { revision: revision - 1 });
  return page.previous === previous ? undefined : 'previous';
}

/** Sealed revisions of one kind of page (docs/interfaces.md, 5 Keys in the data bucket). */
export class PageStore<Page extends PlacedPage> extends BucketStore {
  readonly #schema: z.ZodType<Page>;
  readonly #changes = new S3ChangeMarkers(this.s3, this.bucket);

  constructor(s3: S3Client, bucket: string, schema: z.ZodType<Page>) {
    super(s3, bucket);
    this.#schema = schema;
  }

  async newestNumber(page: PageId): Promise<number | undefined> {
    const found = await new SealedPages(this.s3, this.bucket).newestRevisions(pagePrefix(page));
    return found.get(ownerPart(page.owner));
  }

  /** `undefined` when there is none. @throws as {@link PageStore.revision} */
  async newest(page: PageId): Promise<Page | undefined> {
    const revision = await this.newestNumber(page);
    return revision === undefined ? undefined : this.revision({ ...page, revision });
  }

  /** `undefined` when the number is free. @throws {StoredObjectError} when it is not what Daybook writes there */
  async revision(place: PagePlace): Promise<Page | undefined> {
    const key = pageKey(place);
    const page = (await this.readObject(key, this.#schema))?.value;
    const misplaced = page && misplacedMember(page, place);
    if (misplaced !== undefined) throw new StoredObjectError(key, `belongs to another key: ${misplaced}`);
    return page;
  }

  /**
   * So that the seal that follows need not wait for the note. Never fails: the seal notes it again.
   * @param now of this call, milliseconds UTC
   */
  async announce(page: PageId, now: number): Promise<void> {
    if (isMerchantDay(page)) await this.#changes.announce('days', page.period, now);
  }

  /**
   * If its number is free, after noting the change of a day. Returns the page stored there now.
   * @param now of this call, milliseconds UTC
   */
  async seal(place: PagePlace, page: Page, now: number): Promise<Page> {
    const key = pageKey(place);
    if (isMerchantDay(place)) await this.#changes.note('days', place.period, now);
    if ((await this.writeObject(key, page)) !== undefined) return page;
    const standing = await this.revision(place);
    if (standing === undefined) throw new StoredObjectError(key, 'existed and is gone');
    return standing;
  }
}

/** Which pages are sealed, from listings alone: a request lists a thousand revisions. */
export class SealedPages extends BucketStore {
  /** By owner as `ownerPart` names it. @param prefix of `dayPrefix` or `periodPrefix` */
  async newestRevisions(prefix: string): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for await (const objects of this.listObjects(prefix)) {
      for (const { Key = '' } of objects) {
        const named = pageInKey(Key);
        if (named === undefined) continue;
        const owner = ownerPart(named.owner);
        newest.set(owner, Math.max(named.revision, newest.get(owner) ?? 0));
      }
    }
    return newest;
  }

  async merchantsOf(period: Period): Promise<Set<string>> {
    const merchants = new Set<string>();
    const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
    for await (const folder of this.listFolders(prefix)) {
      const merchantCode = merchantInKey(folder);
      if (merchantCode !== undefined) merchants.add(merchantCode);
    }
    return merchants;
  }
}

/**
 * What is read, or `undefined` when it is gone or spoilt: it must not hold up a page that can be made without
 * it. A failure of S3 is thrown: a later run reads it.
 */
export async function unlessSpoilt<Page>(read: () => Promise<Page | undefined>): Promise<Page | undefined> {
  return read().catch(whenSpoilt(() => undefined));
}

export const MOST_ATTEMPTS = 3;

/** `unchanged`: it was there before, with the same content. */
export interface SealedPage<Page> {
  page: Page;
  unchanged: boolean;
}

interface PageToSeal<Page extends PlacedPage> {
  id: PageId;
  pages: Pick<PageStore<Page>, 'newest' | 'seal'>;
  /** `false` for a dry run. */
  store: boolean;
  clock: Pick<Clock, 'now'>;
  /** Reads the newest revision, before what the next page is made of is read. Left out: from the store. */
  newest?: (attempt: number) => Promise<Page | undefined>;
  /** The newest itself when that stays; `undefined` when what was read cannot be used and is read again. */
  make: (newest: Page | undefined, attempt: number) => Promise<Page | undefined>;
  /** Whether another run's page has the same content. Left out: by the digests. */
  isSame?: (standing: Page, made: Page) => boolean;
}

/**
 * Seals a page under the next number, or finds it unchanged. When the number was taken by other content, ours
 * may be older: everything is read again.
 * @throws {SealContestedError} when another run took the number during the last of three attempts
 */
export async function sealNext<Page extends PlacedPage & { digest: string }>({
  id,
  pages,
  store,
  clock,
  newest: readNewest = () => pages.newest(id),
  make,
  isSame = (standing, made) => standing.digest === made.digest,
}: PageToSeal<Page>): Promise<SealedPage<Page>> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const newest = await readNewest(attempt);
    const made = await make(newest, attempt);
    if (made === undefined) continue;
    if (made === newest) return { page: made, unchanged: true };
    if (!store) return { page: made, unchanged: false };
    const standing = await pages.seal({ ...id, revision: made.revision }, made, clock.now());
    // The answer to a write that was tried again may say that the number is taken, by ourselves.
    if (JSON.stringify(standing) === JSON.stringify(made)) return { page: standing, unchanged: false };
    if (isSame(standing, made)) return { page: standing, unchanged: true };
  }
  throw new SealContestedError(
    `${pageInWords(id)}: another run sealed other content during the last of ${MOST_ATTEMPTS} attempts`,
  );
}
