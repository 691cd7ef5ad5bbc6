import pLimit from 'p-limit';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { dayRecords } from './day-records.ts';
import { deliveryOf, unreadableDelivery } from './delivery.ts';
import type { DayRecords, Delivery } from './delivery.ts';
import { dayOfRemoved, namedReports, reportsOfRemoved } from './expected-reports.ts';
import type { DueDay, ExpectedReport } from './expected-reports.ts';
import type { RecordStores } from './record-stores.ts';
import { dayPrefix, ownerPart } from '#domain/storage/keys.ts';
import type { SealedPages } from '#page/page-store.ts';

/** A merchant with a sealed day in this many days is expected to have the next one. */
const DAYS_REMEMBERED = 14;

async function merchantsSealedLately(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  last: Day,
): Promise<Set<string>> {
  const days = Array.from({ length: DAYS_REMEMBERED }, (_, back) => addDays(last, -back));
  const merchants = await Promise.all(days.map((day) => sealedPages.merchantsOf(day)));
  return new Set(merchants.flatMap((codes) => [...codes]));
}

/** The reports that are expected: of all merchants in the registry, and of those that left it lately. */
export async function expectedReports(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  registry: Registry,
  dueDay: DueDay,
): Promise<ExpectedReport[]> {
  const sealedLately = await merchantsSealedLately(sealedPages, dayOfRemoved(registry, dueDay));
  return [...namedReports(registry, dueDay), ...reportsOfRemoved(registry, sealedLately, dueDay)];
}

/** A report with what is stored of it, and what became of it. */
export interface LookedReport {
  report: ExpectedReport;
  /** The newest sealed revision, of the whole day or not. `undefined` when nothing is sealed. */
  revision: number | undefined;
  /** `undefined` when an object cannot be read. */
  records: DayRecords | undefined;
  delivery: Delivery;
}

/** How reports are looked at. */
export interface LookOptions {
  /** What {@link newestRevisionsOf} gave for these reports. */
  revisions: ReadonlyMap<Day, ReadonlyMap<string, number>>;
  /** Milliseconds UTC. */
  now: number;
  /** How many reports are looked at together. One request of each is under way at a time. */
  atOnce: number;
  /** Is called with the reason when the records of a report cannot be read. */
  onUnreadable: (error: Error) => void;
}

/** The newest sealed revision of every merchant as `ownerPart` names it, by day, for the days of the reports. */
export async function newestRevisionsOf(
  sealedPages: Pick<SealedPages, 'newestRevisions'>,
  reports: readonly ExpectedReport[],
): Promise<Map<Day, Map<string, number>>> {
  const days = [...new Set(reports.map(({ day }) => day))];
  return new Map(
    await Promise.all(
      days.map(async (day) => [day, await sealedPages.newestRevisions(dayPrefix(day))] as const),
    ),
  );
}

/**
 * Looks at every report: reads its records, and decides what became of it.
 *
 * @param of what is kept of each. The records of ten thousand reports need much memory
 * @returns in the order of the reports
 */
export async function lookAtReports<Kept>(
  stores: RecordStores,
  reports: readonly ExpectedReport[],
  { revisions, now, atOnce, onUnreadable }: LookOptions,
  of: (looked: LookedReport) => Kept,
): Promise<Kept[]> {
  return pLimit(atOnce).map(reports, async (report) => {
    const revision = revisions.get(report.day)?.get(ownerPart(report));
    try {
      const records = await dayRecords(stores, report, revision);
      return of({ report, revision, records, delivery: deliveryOf(report, records, now) });
    } catch (error) {
      // A merchant's unreadable object must not hide the other merchants.
      if (!isUnreadableObject(error)) throw error;
      onUnreadable(error);
      return of({ report, revision, records: undefined, delivery: unreadableDelivery(report) });
    }
  });
}
