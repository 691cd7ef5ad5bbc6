import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { Day } from '#domain/day/business-day.ts';
import { daysOf } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { statementSchema } from '#domain/statement/statement.ts';
import { storedGroupPageSchema } from '#domain/statement/stored-group-page.ts';
import { ownerPart, periodPrefix } from '#domain/storage/keys.ts';
import { lookAtPages } from '#functions/delivery-watch/look-at-pages.ts';
import { GroupHeads } from '#functions/delivery-watch/group-heads.ts';
import type { Delivery } from '#functions/delivery-watch/delivery.ts';
import { LedgerStore } from '#mailing/ledger-store.ts';
import { PageStore, SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { newestStatements } from './newest-statements.ts';
import type { NewestStatement } from './newest-statements.ts';
import { statementStatus } from './statement-status.ts';
import type { Lacking, StatementStatus } from './statement-status.ts';

/** How statements are read. */
export interface StatementsReading {
  s3: S3Client;
  bucket: string;
  /** Milliseconds UTC. */
  now: number;
  /** Milliseconds after the deadline of a statement after which it must be there. */
  margin: number;
  atOnce: number;
  onUnreadable: (message: string) => void;
}

const NOTHING: Lacking = { missing: [], unbalanced: [] };

/** Says what a statement lacks. Every listing is made once, however many statements need it. */
class LackingReader {
  readonly #reading: StatementsReading;
  readonly #sealed: SealedPages;
  readonly #days = new Map<Day, Promise<Set<string>>>();
  readonly #statements = new Map<Period, Promise<Map<string, number>>>();

  constructor(reading: StatementsReading) {
    this.#reading = reading;
    this.#sealed = new SealedPages(reading.s3, reading.bucket);
  }

  #merchants(day: Day): Promise<Set<string>> {
    const found = this.#days.get(day) ?? this.#sealed.merchantsOf(day);
    this.#days.set(day, found);
    return found;
  }

  #revisions(period: Period): Promise<Map<string, number>> {
    const found = this.#statements.get(period) ?? this.#sealed.newestRevisions(periodPrefix(period));
    this.#statements.set(period, found);
    return found;
  }

  async of(statement: NewestStatement, delivery: Delivery): Promise<Lacking> {
    const { revision, isGood } = delivery;
    if (revision === undefined) return { missing: await this.#notSealed(statement), unbalanced: [] };
    return isGood ? NOTHING : this.#saidBy(statement, revision);
  }

  /** Days of a merchant, or merchants of a group, that a statement would wait for. */
  async #notSealed({ expected, kind, reportFrom }: NewestStatement): Promise<string[]> {
    const { owner, members, period, from, to } = expected;
    if (members !== null && kind === 'day') {
      const sealed = await this.#merchants(period);
      return members.filter((code) => !sealed.has(code));
    }
    if (members !== null) {
      const revisions = await this.#revisions(period);
      return members.filter((merchantCode) => !revisions.has(ownerPart({ merchantCode })));
    }
    const days = daysOf({ from, to }).filter((day) => day >= reportFrom);
    const sealed = await Promise.all(days.map((day) => this.#merchants(day)));
    return days.filter((_, index) => sealed[index]?.has(owner.merchantCode ?? '') !== true);
  }

  /** What a provisional page itself says. */
  async #saidBy({ expected: { owner, period } }: NewestStatement, revision: number): Promise<Lacking> {
    const { s3, bucket, onUnreadable } = this.#reading;
    const place = { owner, period, revision };
    try {
      if (owner.group === undefined) {
        const page = await new PageStore(s3, bucket, statementSchema).revision(place);
        return { missing: page?.missing ?? [], unbalanced: page?.unbalanced ?? [] };
      }
      const page = await new PageStore(s3, bucket, storedGroupPageSchema).revision(place);
      const provisional = page?.merchants.filter(({ final }) => !final) ?? [];
      return {
        missing: page?.missing.map(({ merchantCode }) => merchantCode) ?? [],
        unbalanced: provisional.map(({ merchantCode }) => merchantCode),
      };
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      onUnreadable(error.message);
      return NOTHING;
    }
  }
}

/** What became of the newest statement of each kind, of every merchant and group that gets them. It only reads. */
export async function readStatements(
  registry: Registry,
  reading: StatementsReading,
): Promise<StatementStatus[]> {
  const { s3, bucket, now, atOnce, onUnreadable } = reading;
  const newest = newestStatements(registry, now);
  const stores = {
    sealedPages: new SealedPages(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
  const looked = await lookAtPages(
    stores,
    newest.map(({ expected }) => expected),
    { now, atOnce, onUnreadable: ({ message }) => onUnreadable(message) },
    ({ delivery }) => delivery,
  );
  const nameOf = ({ owner, period }: Pick<Delivery, 'owner' | 'period'>) => `${ownerPart(owner)} ${period}`;
  const deliveries = new Map(looked.map((delivery) => [nameOf(delivery), delivery]));
  const reader = new LackingReader(reading);
  const statuses = await pLimit(atOnce).map(newest, async (statement) => {
    const delivery = deliveries.get(nameOf(statement.expected));
    if (delivery === undefined) return [];
    const lacking = await reader.of(statement, delivery);
    return [statementStatus(statement, delivery, lacking, reading)];
  });
  return statuses.flat();
}
