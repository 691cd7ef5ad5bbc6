import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { Period } from '#domain/period/period.ts';
import type { StatementOwner, StatementPlace } from '#domain/storage/statement-keys.ts';
import type { PageStore } from '#snapshots/page-store.ts';

/**
 * An earlier revision, `undefined` when it is gone or spoilt. A spoilt page must not hold up the mails of all later
 * revisions. A failure of S3 is thrown: a later run reads the page.
 */
export function readablePage<Page>(pages: PageStore<Page>, place: StatementPlace): Promise<Page | undefined> {
  return unlessSpoilt(() => pages.revision(place));
}

/** The newest revision of another period, `undefined` when there is none or it is spoilt. */
export function newestReadable<Page>(
  pages: Pick<PageStore<Page>, 'newest'>,
  owner: StatementOwner,
  period: Period,
): Promise<Page | undefined> {
  return unlessSpoilt(() => pages.newest(owner, period));
}

async function unlessSpoilt<Page>(read: () => Promise<Page | undefined>): Promise<Page | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    return undefined;
  }
}
