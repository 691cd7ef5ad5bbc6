import { pagePrefix, revisionFile } from './keys.ts';
import type { PageId, PagePlace } from './keys.ts';

/* What is kept of closing a statement, beside its revisions. Apart from the other keys: a report needs none of them. */

/** Says which revision of a statement is closed. */
export function closedKey(page: PageId): string {
  return `${pagePrefix(page)}closed.json`;
}

/** The record that a closed revision was reopened, by whom and why. */
export function reopenedKey({ revision, ...page }: PagePlace): string {
  return `${pagePrefix(page)}reopened-${revisionFile(revision)}`;
}

const CLOSED = /^merchant=([A-Za-z0-9-]{1,64})\/closed\.json$/;

/** The merchant whose statement it closes, `undefined` for every other key. @param prefix as of {@link revisionUnder} */
export function closedUnder(prefix: string, key: string): string | undefined {
  return CLOSED.exec(key.slice(prefix.length))?.[1];
}
