import pLimit from 'p-limit';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { possibleDays } from '#records/period/period.ts';
import type { StatementMessage } from '#page/queue-message.ts';
import { PeriodDecision } from './period-decision.ts';
import type { Tick } from './period-decision.ts';
import type { LookTime } from './looked-periods.ts';
import { NewestRevisions } from './newest-revisions.ts';
import { openPeriods } from './open-periods.ts';
import type { OpenPeriod } from './open-periods.ts';
import type { MerchantsAndGroups } from './merchants-and-groups.ts';
import { DayReader } from './period-look.ts';
import type { PeriodLook } from './period-look.ts';
import type { Listing, NamedDays, StatementListings } from './statement-listings.ts';

/** The pages of a listing come one after another, so different listings run at the same time. */
const LISTINGS_AT_ONCE = 16;
/** More would not be faster: a statement has to be parsed, too. */
const READS_AT_ONCE = 32;

/** Days back that change markers are read: a look finds a change although a month of looks have failed. */
const CHANGES_BACK = 30;

export interface PlannedStatements {
  items: StatementMessage[];
  looked: number;
}

export interface StatementsRequest {
  owners: MerchantsAndGroups;
  withPages: boolean;
  /** Old periods although no change of their days is noted: that lists every day of them. */
  withUnchanged: boolean;
  time: LookTime;
  tick: Tick;
  /** Is called with the error of each statement that cannot be read. */
  onUnreadable: (error: Error) => void;
}

/** What is listed and read, as a bucket or a test has it. */
type Listings = Pick<StatementListings, keyof StatementListings>;

/** One look at the bucket. Every listing is made once, however many periods need it. */
class Look {
  readonly #listings: Listings;
  readonly #request: StatementsRequest;
  readonly #reader = new DayReader();
  readonly #list = pLimit(LISTINGS_AT_ONCE);
  readonly #read = pLimit(READS_AT_ONCE);
  readonly #days = new Map<Day, Promise<NewestRevisions>>();

  constructor(listings: Listings, request: StatementsRequest) {
    this.#listings = listings;
    this.#request = request;
  }

  #newest(list: () => Listing): Promise<NewestRevisions> {
    const { places } = this.#request.owners;
    return this.#list(async () => {
      const newest = new NewestRevisions(places);
      for await (const page of list()) newest.add(page);
      return newest;
    });
  }

  async #listDays(days: Iterable<Day>): Promise<PeriodLook['days']> {
    const listed = [...days].map(async (day) => {
      const listing = this.#days.get(day) ?? this.#newest(() => this.#listings.days(day));
      this.#days.set(day, listing);
      return [day, await listing] as const;
    });
    return new Map(await Promise.all(listed));
  }

  /** Leaves out old periods of which no day has changed: nothing of them can be due. */
  async changed(open: readonly OpenPeriod[]): Promise<OpenPeriod[]> {
    const { time, withUnchanged } = this.#request;
    if (withUnchanged || open.every(({ isRecent }) => isRecent)) return [...open];
    const today = new Date(time.now).toISOString().slice(0, 10);
    const dates = Array.from({ length: CHANGES_BACK + 1 }, (_, back) => addDays(today, -back));
    const days = new Set<Day>();
    const list = async (date: Day) => {
      for await (const page of this.#listings.changedDays(date)) for (const day of page) days.add(day);
    };
    await Promise.all(dates.map((date) => this.#list(() => list(date))));
    const hasChanged = ({ period }: OpenPeriod) => possibleDays(period).some((day) => days.has(day));
    return open.filter((one) => one.isRecent || hasChanged(one));
  }

  async period(open: OpenPeriod): Promise<PlannedStatements> {
    const { owners, tick } = this.#request;
    const { period } = open;
    const decision = new PeriodDecision(owners, open, tick, this.#reader);
    const [sealed, ledgers] = await Promise.all([
      this.#newest(() => this.#listings.statements(period)),
      this.#newest(() => this.#listings.ledgers(period)),
    ]);
    const days = await this.#listDays(decision.daysToList({ sealed, ledgers }));
    const { statements, pages, toCompare, looked } = decision.due({ sealed, ledgers, days });
    const changed = await Promise.all(
      toCompare.map(({ place, revision }) =>
        this.#read(async () => {
          const named = await this.#namedDays(period, place, revision);
          return decision.hasChanged(place, named, days) ? [decision.item(place, days, named)] : [];
        }),
      ),
    );
    return { items: [...statements, ...changed.flat(), ...pages], looked };
  }

  /** An unreadable statement is due, so that the function says what is wrong with it. */
  async #namedDays(period: string, place: number, revision: number): Promise<NamedDays | undefined> {
    const merchantCode = this.#request.owners.merchants[place]?.merchantCode ?? '';
    try {
      return await this.#listings.daysOfStatement({ owner: { merchantCode }, period, revision });
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      this.#request.onUnreadable(error);
      return undefined;
    }
  }
}

/**
 * Finds what is due without a memory: whatever a tick or run leaves undone, a later look finds, within a
 * month for old periods.
 */
export async function planStatements(
  listings: Listings,
  request: StatementsRequest,
): Promise<PlannedStatements> {
  const look = new Look(listings, request);
  const open = openPeriods(request.owners, request.time, request.withPages);
  const planned = await Promise.all((await look.changed(open)).map((period) => look.period(period)));
  return {
    items: planned.flatMap(({ items }) => items),
    looked: planned.reduce((sum, { looked }) => sum + looked, 0),
  };
}
