import { SealContestedError } from '#domain/errors/seal-contested-error.ts';
import type { Period } from '#domain/period/period.ts';
import type { StatementOwner } from '#domain/storage/statement-keys.ts';
import type { PageStore } from '#snapshots/page-store.ts';

/** Each attempt reads all pages again. */
const MOST_ATTEMPTS = 3;

/** The page that is stored now. `unchanged`: it was there before, with the same content. */
export interface SealedPage<Page> {
  page: Page;
  unchanged: boolean;
}

interface NumberedPage {
  revision: number;
  digest: string;
}

/**
 * Seals a page under the number after the newest one, or finds that the newest one has the same content. The newest page
 * is read before what the new one is made of. So when its number was taken in the meantime by other content, ours may be
 * older, and all is read again.
 *
 * @param make makes the next page; gives the newest one itself when that stays
 * @throws {SealContestedError} when other runs took the number at each of three attempts
 */
export async function sealNext<Page extends NumberedPage>(
  pages: PageStore<Page>,
  { owner, period, store }: { owner: StatementOwner; period: Period; store: boolean },
  make: (newest: Page | undefined) => Promise<Page>,
): Promise<SealedPage<Page>> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const newest = await pages.newest(owner, period);
    const page = await make(newest);
    if (newest === page) return { page, unchanged: true };
    if (!store) return { page, unchanged: false };
    const standing = await pages.seal({ owner, period, revision: page.revision }, page);
    if (standing === page) return { page, unchanged: false };
    if (standing.digest === page.digest) return { page: standing, unchanged: true };
  }
  const name = owner.merchantCode === undefined ? `group ${owner.group}` : `merchant ${owner.merchantCode}`;
  throw new SealContestedError(
    `${name}, period ${period}: other runs took the number ${MOST_ATTEMPTS} times`,
  );
}
