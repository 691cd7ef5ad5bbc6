import { merchantDay } from '#domain/storage/keys.ts';
import pLimit from 'p-limit';
import * as z from 'zod';
import { sealedRows } from '#snapshots/sealed-rows.ts';
import { byExpiry, FirstItems, itemOf } from '#domain/alerts/behind.ts';
import type { ExpiringItem } from '#domain/alerts/behind.ts';
import type { ExpiringInvoice } from '#domain/alerts/readings.ts';
import { addDays, dayIn } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { dataFile } from '#domain/revision/manifest.ts';
import { settingsOfNext } from '#domain/revision/page-settings.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { neededInvoiceSchema } from '#domain/records/invoice.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/** How many sealed days are read at once. */
const DAYS_AT_ONCE = 4;
/** How many days back a sealed day still shows that the merchant is active. */
const DAYS_OF_LIFE = 14;

const expirySchema = z.lazy(() => neededInvoiceSchema.unwrap().omit({ merchant_id: true }));

/** What one or more sealed days show of invoices that can still expire. */
export interface Expiring {
  invoices: readonly ExpiringInvoice[];
  /** The first few to expire of each day. */
  items: readonly ExpiringItem[];
}

/**
 * The unpaid invoices of one sealed day that have not expired, by the words of its page and in its currency. `undefined` when
 * the day is not sealed, or nobody said what its states mean. The same holds when the day is over but was sealed before its
 * end, because then it is only a part.
 */
async function unpaidOf(
  snapshots: SnapshotStore,
  settings: MerchantSettings,
  day: Day,
  today: Day,
): Promise<Expiring | undefined> {
  const manifest = await snapshots.newest(merchantDay(settings.merchantCode, day));
  if (manifest === undefined) return undefined;
  const { timeZone, redact, currency, invoiceStatuses: names } = settingsOfNext(manifest, settings);
  if (names === undefined) return undefined;
  if (day < today && soFarUntil(manifest, timeZone) !== null) return undefined;
  const unpaid: ExpiringInvoice[] = [];
  const first = new FirstItems<ExpiringItem>(byExpiry);
  const isReferenceShown = !redactedColumns(redact).has('reference_number');
  for await (const invoice of sealedRows(snapshots, dataFile(manifest, 'invoices', 'json'), expirySchema)) {
    const status = integerText(invoice.invoice_status);
    const isUnpaid = Object.hasOwn(names, status) && names[status] === 'not_paid';
    const expiresOn = dayIn(invoice['expires_at']);
    // Dates of the form YYYY-MM-DD compare as text.
    if (isUnpaid && expiresOn !== null && expiresOn >= today) {
      const { id, amount, reference_number: reference } = invoice;
      unpaid.push({ createdOn: day, expiresOn });
      const item = itemOf({ id, reference, amount, expiresOn, currency }, isReferenceShown);
      first.add({ ...item, expiresOn, createdOn: day });
    }
  }
  return { invoices: unpaid, items: first.items() };
}

/**
 * Whether no day is missing. Today is not over, yesterday's report may still come, and before the first
 * sealed day there was nothing to report.
 *
 * @param days what each day holds, today first, `undefined` for a day that is not sealed
 */
function isWhole(days: readonly (Expiring | undefined)[]): boolean {
  const first = days.findLastIndex((unpaid) => unpaid !== undefined);
  return first !== -1 && days.slice(2, first).every((unpaid) => unpaid !== undefined);
}

/**
 * The unpaid invoices that can still expire, of the given number of sealed days up to today. They are as they
 * were when their day was last sealed.
 *
 * @returns `null` when none of those days is sealed or a day between them is missing: a part would look as if
 * all is well
 */
export async function readExpiring(
  snapshots: SnapshotStore,
  settings: MerchantSettings,
  today: Day,
  daysBack: number,
): Promise<Expiring | null> {
  const slots = pLimit(DAYS_AT_ONCE);
  const days = Array.from({ length: daysBack + 1 }, (_, back) => addDays(today, -back));
  const read = await Promise.all(days.map((day) => slots(() => unpaidOf(snapshots, settings, day, today))));
  if (!isWhole(read)) return null;
  return {
    invoices: read.flatMap((day) => day?.invoices ?? []),
    items: read.flatMap((day) => day?.items ?? []),
  };
}

/**
 * When the newest whole sealed day of the last 14 days was last pulled and sealed. An unfinished day does not
 * count.
 *
 * @returns milliseconds UTC, `null` when none of them is sealed
 */
export async function readLastSealed(
  snapshots: SnapshotStore,
  { merchantCode, timeZone }: Pick<MerchantSettings, 'merchantCode' | 'timeZone'>,
  today: Day,
): Promise<number | null> {
  for (let back = 0; back <= DAYS_OF_LIFE; back += 1) {
    const manifest = await snapshots.newest(merchantDay(merchantCode, addDays(today, -back)));
    if (manifest !== undefined && soFarUntil(manifest, timeZone) === null) {
      return Date.parse(manifest.pulledAt);
    }
  }
  return null;
}
