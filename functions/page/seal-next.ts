import { SealContestedError } from '#records/errors/daybook-error.ts';
import { pageInWords } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PageStore, PlacedPage } from './page-store.ts';

export const MOST_ATTEMPTS = 3;

/** `unchanged`: it was there before, with the same content. */
export interface SealedPage<Page> {
  page: Page;
  unchanged: boolean;
}

export interface PageToSeal<Page extends PlacedPage> {
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
