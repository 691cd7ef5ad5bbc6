import type { S3Client } from '@aws-sdk/client-s3';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { Period } from '#domain/period/period.ts';
import { statementSchema } from '#domain/statement/statement.ts';
import { storedGroupPageSchema } from '#domain/statement/stored-group-page.ts';
import { pageLedgerKey } from '#domain/storage/keys.ts';
import type { PageOwner } from '#domain/storage/keys.ts';
import { mailOutcome, reasonOfMail } from '#functions/delivery-watch/delivery.ts';
import { mailThatCounts } from '#page/mail-that-counts.ts';
import { LedgerStore } from '#mailing/ledger-store.ts';
import { PageStore } from '#page/page-store.ts';
import type { PageFacts, StatementFacts } from './facts.ts';

/** The most revisions that are looked at, the newest ones. */
const MOST_REVISIONS = 20;

type ReadPage = Omit<PageFacts, 'ledger'>;

/** Reads the pages of one owner and period. */
interface Pages {
  newest(): Promise<ReadPage | undefined>;
  revision(revision: number): Promise<ReadPage | undefined>;
}

function merchantPages(s3: S3Client, bucket: string, owner: PageOwner, period: Period): Pages {
  const store = new PageStore(s3, bucket, statementSchema);
  const factsOf = (page: Awaited<ReturnType<typeof store.newest>>): ReadPage | undefined =>
    page && { ...page, added: new Map(page.days.map(({ day, revision }) => [day, revision])) };
  return {
    newest: async () => factsOf(await store.newest({ owner, period })),
    revision: async (revision) => factsOf(await store.revision({ owner, period, revision })),
  };
}

function groupPages(s3: S3Client, bucket: string, owner: PageOwner, period: Period): Pages {
  const store = new PageStore(s3, bucket, storedGroupPageSchema);
  const factsOf = (page: Awaited<ReturnType<typeof store.newest>>): ReadPage | undefined =>
    page && {
      ...page,
      missing: page.missing.map(({ merchantCode }) => merchantCode),
      unbalanced: page.merchants.filter(({ final }) => !final).map(({ merchantCode }) => merchantCode),
      added: new Map(page.merchants.map(({ merchantCode, revision }) => [merchantCode, revision])),
    };
  return {
    newest: async () => factsOf(await store.newest({ owner, period })),
    revision: async (revision) => factsOf(await store.revision({ owner, period, revision })),
  };
}

/**
 * The sealed revisions of a statement or page, with their mail.
 *
 * @param now milliseconds UTC
 * @throws {StoredObjectError} when one cannot be read
 */
export async function gatherPages(
  { s3, bucket, now }: { s3: S3Client; bucket: string; now: number },
  { owner, period, recipients }: Pick<StatementFacts, 'owner' | 'period' | 'recipients'>,
): Promise<Pick<StatementFacts, 'pages' | 'mail'>> {
  const read = owner.group === undefined ? merchantPages : groupPages;
  const stored = read(s3, bucket, owner, period);
  const ledgers = new LedgerStore(s3, bucket);
  const newest = await stored.newest();
  if (newest === undefined) return { pages: [], mail: null };
  const first = Math.max(1, newest.revision - MOST_REVISIONS + 1);
  const numbers = Array.from({ length: newest.revision - first + 1 }, (_, index) => first + index);
  const pages = await Promise.all(
    numbers.map(async (revision): Promise<PageFacts[]> => {
      const page = revision === newest.revision ? newest : await stored.revision(revision);
      if (page === undefined) return [];
      const ledger: Ledger | undefined = (await ledgers.read(pageLedgerKey({ owner, period, revision })))
        ?.ledger;
      return [{ ...page, ledger }];
    }),
  );
  const found = pages.flat();
  const ofNewest = found.at(-1)?.ledger;
  const isSoFar = () => Promise.resolve(false);
  const ledger = await mailThatCounts(
    ledgers,
    { owner, period, revision: newest.revision },
    ofNewest,
    isSoFar,
  );
  const standing = mailOutcome(ledger, { entry: 'usable', recipients }, now);
  return { pages: found, mail: { standing, reason: reasonOfMail(standing, ledger), ledger } };
}
