import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import { periodSchema } from '#records/period/period.ts';
import { pagePrefix, revisionFile, type PageId, type PagePlace } from '#records/storage/keys.ts';

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

/** Who reopened a closed revision, and why. It is kept beside its revisions. */
export const reopenedSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    period: periodSchema,
    revision: z.int().min(1),
    at: z.iso.datetime(),
    by: z.string(),
    why: z.string(),
  }),
);
export type ReopenedStatement = z.infer<typeof reopenedSchema>;

export function closedKey(page: PageId): string {
  return `${pagePrefix(page)}closed.json`;
}

export function reopenedKey({ revision, ...page }: PagePlace): string {
  return `${pagePrefix(page)}reopened-${revisionFile(revision)}`;
}

const CLOSED = /^merchant=([A-Za-z0-9-]{1,64})\/closed\.json$/;

/** As of {@link revisionUnder}, with the revision 0: it says that the merchant's statement was closed. */
export function closedUnder(prefix: string, key: string): Omit<PagePlace, 'period'> | undefined {
  const merchantCode = CLOSED.exec(key.slice(prefix.length))?.[1];
  return merchantCode === undefined ? undefined : { owner: { merchantCode }, revision: 0 };
}
