import { closedUnder } from '#records/revision/closed-statement.ts';
import * as z from 'zod';
import { daySchema, addDays, dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Period } from '#records/period/period.ts';
import {
  changesPrefix,
  dayPrefix,
  pageKey,
  periodLedgerPrefix,
  periodPrefix,
  revisionUnder,
  sealedDayOfMarker,
  ownerPart,
} from '#records/storage/keys.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { whenSpoilt } from '#runtime/s3-objects.ts';
import pLimit from 'p-limit';
import { possibleDays } from '#records/period/period.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { StatementMessage } from '#runtime/queue-message.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import { memoized } from '#registry/once.ts';
import type { StatementsEvent } from '../plan-event.ts';
import { openPeriods, ownersOf } from './open-periods.ts';
import type { OpenPeriod } from './open-periods.ts';
import { Calendar, PeriodDecision } from './period-decision.ts';
import type { NamedDays, Newest, Revisions, Tick } from './period-decision.ts';

/** `storedAt` is milliseconds UTC. */
export interface StoredRevision {
  owner: PageOwner;
  /** 0: it says that a statement was closed. */
  revision: number;
  storedAt: number;
}

export type Listing = AsyncIterable<readonly StoredRevision[]>;

/** The only part of a statement that is compared. */
const namedDaysSchema = z.lazy(() =>
  z.object({
    from: daySchema,
    to: daySchema,
    days: z.array(z.object({ day: daySchema, revision: z.int().min(1) })).max(31),
  }),
);

/** What `plan` looks at in the data bucket to see which statements are due. A request lists a thousand objects. */
export class StatementListings extends BucketStore {
  /** The sealed statements and groups' pages of a period. */
  statements(period: Period): Listing {
    return this.#list(periodPrefix(period));
  }

  ledgers(period: Period): Listing {
    return this.#list(periodLedgerPrefix(period));
  }

  days(day: Day): Listing {
    return this.#list(dayPrefix(day));
  }

  /** Days of which a revision was sealed on a date (UTC), or was about to be. A day may be on several pages. */
  async *changedDays(sealedOn: Day): AsyncIterable<readonly Day[]> {
    for await (const objects of this.listObjects(changesPrefix(sealedOn))) {
      yield objects.flatMap(({ Key = '' }) => sealedDayOfMarker(Key) ?? []);
    }
  }

  /**
   * The days of a sealed statement, and which of them it adds up; `undefined` when it is gone.
   * @throws {StoredObjectError} when it cannot be read
   */
  async daysOfStatement(place: PagePlace): Promise<NamedDays | undefined> {
    const read = await this.readObject(pageKey(place), namedDaysSchema);
    return read?.value;
  }

  async *#list(prefix: string): Listing {
    for await (const objects of this.listObjects(prefix)) {
      yield objects.flatMap(({ Key = '', LastModified }): StoredRevision[] => {
        const found = closedUnder(prefix, Key) ?? revisionUnder(prefix, Key);
        if (LastModified === undefined || found === undefined) return [];
        return [{ ...found, storedAt: LastModified.getTime() }];
      });
    }
  }
}

/** The newest revision of each owner, by its part of a key, and when its statement was closed last. */
export async function newestOf(listing: Listing): Promise<Map<string, Newest>> {
  const [found, closed] = [new Map<string, Newest>(), new Map<string, number>()];
  for await (const page of listing) {
    for (const { owner, revision, storedAt } of page) {
      const part = ownerPart(owner);
      if (revision === 0) closed.set(part, storedAt);
      else if (revision > (found.get(part)?.revision ?? 0)) found.set(part, { revision, storedAt });
    }
  }
  for (const [part, newest] of found) newest.closedAt = closed.get(part);
  return found;
}

const HOUR = 60 * 60 * 1_000;
/** Milliseconds. A schedule comes at least once in it, and the next one makes up for a tick that fails. */
const DAILY_LOOK = HOUR;
/** A person who asks gets everything that is due, at any time of the day. */
const LOOK_BY_HAND = 24 * HOUR;

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

interface Ports {
  statements: Pick<StatementListings, keyof StatementListings>;
  clock: Pick<Clock, 'now'>;
  telemetry: Pick<Telemetry, 'logError'>;
}

/**
 * Finds what is due without a memory: whatever a tick or run leaves undone, a later look finds, within a
 * month for old periods. Every listing is made once, however many periods need it. A late event of the
 * schedule decides for its scheduled time.
 */
export async function dueStatements(
  { statements: listings, clock, telemetry }: Ports,
  registry: Registry,
  merchants: readonly MerchantSettings[],
  event: Pick<StatementsEvent, 'scheduledTime' | 'byHand' | 'send' | 'merchants'>,
): Promise<PlannedStatements> {
  const { scheduledTime = null, byHand, send, merchants: named } = event;
  const now = scheduledTime === null ? clock.now() : Date.parse(scheduledTime);
  const tick: Tick = { now, scheduledTime, send: send !== false, lookedAt: clock.now() };
  const owners = ownersOf(registry, merchants);
  const byPart = new Map<string, MerchantSettings | GroupSettings>([
    ...merchants.map((one) => [ownerPart({ merchantCode: one.merchantCode }), one] as const),
    ...owners.groups.map(({ settings }) => [ownerPart({ group: settings.name }), settings] as const),
  ]);
  const list = pLimit(LISTINGS_AT_ONCE);
  const read = pLimit(READS_AT_ONCE);
  const calendar = new Calendar();
  const listedDays = new Map<Day, Promise<Revisions>>();

  const newest = (listing: () => Listing): Promise<Revisions> =>
    list(async () => {
      const found = [...(await newestOf(listing()))].flatMap(([part, newest]) => {
        const known = byPart.get(part);
        return known === undefined ? [] : [[known, newest] as const];
      });
      return new Map(found);
    });

  /** Leaves out old periods of which no day has changed, unless a person asks: that lists every day of them. */
  async function changed(open: readonly OpenPeriod[]): Promise<readonly OpenPeriod[]> {
    if (byHand || open.every(({ isRecent }) => isRecent)) return open;
    const days = new Set<Day>();
    const noted = Array.from({ length: CHANGES_BACK + 1 }, (_, back) => addDays(dayAt(now, 'UTC'), -back));
    await list.map(noted, async (date) => {
      for await (const page of listings.changedDays(date)) for (const day of page) days.add(day);
    });
    return open.filter(
      ({ isRecent, period }) => isRecent || possibleDays(period).some((day) => days.has(day)),
    );
  }

  /** An unreadable statement is due, so that the function says what is wrong with it. */
  async function namedDays(merchantCode: string, period: string, revision: number) {
    const read = listings.daysOfStatement({ owner: { merchantCode }, period, revision });
    return (await read.catch(whenSpoilt((error) => telemetry.logError(error)))) ?? undefined;
  }

  async function planned(open: OpenPeriod): Promise<PlannedStatements> {
    const { period } = open;
    const [sealed, ledgers] = await Promise.all([
      newest(() => listings.statements(period)),
      newest(() => listings.ledgers(period)),
    ]);
    const decision = new PeriodDecision(open, sealed, ledgers, tick, calendar);
    const days = decision.daysToList().map(async (day) => {
      return [day, await memoized(listedDays, day, () => newest(() => listings.days(day)))] as const;
    });
    decision.days = new Map(await Promise.all(days));
    const { statements, pages, toCompare, looked } = decision.due(merchants);
    const compared = await read.map(toCompare, async ({ merchant, revision }) => {
      const named: NamedDays | undefined = await namedDays(merchant.merchantCode, period, revision);
      return decision.hasChanged(merchant, named) ? [decision.item(merchant, named)] : [];
    });
    return { items: [...statements, ...compared.flat(), ...pages], looked };
  }

  // A page shows all merchants of its group, so it does not go with some of them.
  const time = { now, since: now - (byHand ? LOOK_BY_HAND : DAILY_LOOK) };
  const open = await changed(openPeriods(owners, time, named === undefined));
  const found = await Promise.all(open.map(planned));
  return {
    items: found.flatMap(({ items }) => items),
    looked: found.reduce((sum, { looked }) => sum + looked, 0),
  };
}
