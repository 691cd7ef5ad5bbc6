import { addDays } from '#records/day/business-day.ts';
import { periodDays, type PeriodDays } from '#records/period/period.ts';
import type { NamedDays } from '#plan/statements/period-decision.ts';
import type { Listing, StatementListings, StoredRevision } from '#plan/statements/due-statements.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';

interface StoredStatement extends StoredRevision {
  period: string;
  named: NamedDays;
}

function nameOf({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group ${group}` : `merchant ${merchantCode}`;
}

/** The listings of a bucket, in memory. */
export class ListedBucket implements Pick<StatementListings, keyof StatementListings> {
  readonly sealedDays: (StoredRevision & { day: string })[] = [];
  readonly sealed: StoredStatement[] = [];
  readonly mailed: (StoredRevision & { period: string })[] = [];
  /** What was asked for, such as `days 2026-11-20`. */
  asked: string[] = [];

  sealDay(merchantCode: string, day: string, storedAt: number, revision = 1): void {
    this.sealedDays.push({ owner: { merchantCode }, day, revision, storedAt });
  }

  /** Seals days at six in Kuwait on the day after. */
  sealDays(merchantCode: string, days: readonly string[]): void {
    for (const day of days) this.sealDay(merchantCode, day, Date.parse(`${addDays(day, 1)}T03:00:00Z`));
  }

  /** Seals a statement or page of the first revisions of these days, and mails it. */
  issue(owner: PageOwner, period: string, at: string, days: readonly string[] = []): void {
    const named = days.map((day) => ({ day, revision: 1 }));
    this.seal(owner, period, Date.parse(at), named);
    this.mail(owner, period, Date.parse(at));
  }

  /** Seals the next revision of a statement or page. @param of its first and last day */
  seal(
    owner: PageOwner,
    period: string,
    storedAt: number,
    days: NamedDays['days'] = [],
    of: PeriodDays = periodDays(period, 'sunday'),
  ): number {
    const revision = (this.newest(owner, period)?.revision ?? 0) + 1;
    this.sealed.push({ owner, period, revision, storedAt, named: { ...of, days } });
    return revision;
  }

  /** Writes the ledger of the newest revision. */
  mail(owner: PageOwner, period: string, storedAt: number): void {
    const revision = this.newest(owner, period)?.revision ?? 0;
    this.mailed.push({ owner, period, revision, storedAt });
  }

  newest(owner: PageOwner, period: string): StoredStatement | undefined {
    const name = nameOf(owner);
    return this.sealed.findLast((one) => one.period === period && nameOf(one.owner) === name);
  }

  statements(period: string): Listing {
    return this.#list(`statements ${period}`, this.sealed, (one) => one.period === period);
  }

  ledgers(period: string): Listing {
    return this.#list(`ledgers ${period}`, this.mailed, (one) => one.period === period);
  }

  days(day: string): Listing {
    return this.#list(`days ${day}`, this.sealedDays, (one) => one.day === day);
  }

  async *changedDays(sealedOn: string): AsyncIterable<readonly string[]> {
    this.asked.push(`changes ${sealedOn}`);
    await Promise.resolve();
    const found = this.sealedDays.filter(
      ({ storedAt }) => new Date(storedAt).toISOString().slice(0, 10) === sealedOn,
    );
    yield found.map(({ day }) => day);
  }

  daysOfStatement({ owner, period, revision }: PagePlace): Promise<NamedDays | undefined> {
    this.asked.push(`read ${nameOf(owner)} ${period} ${revision}`);
    const found = this.sealed.find(
      (one) => nameOf(one.owner) === nameOf(owner) && one.period === period && one.revision === revision,
    );
    return Promise.resolve(found?.named);
  }

  /** Two objects are a page. */
  async *#list<One extends StoredRevision>(
    what: string,
    all: readonly One[],
    isOf: (one: One) => boolean,
  ): Listing {
    this.asked.push(what);
    const found = all.filter(isOf);
    for (let index = 0; index < found.length; index += 2) {
      await Promise.resolve();
      yield found.slice(index, index + 2);
    }
  }
}
