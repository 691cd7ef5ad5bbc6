import { merchantDay } from '#records/storage/keys.ts';
import pLimit from 'p-limit';
import * as z from 'zod';
import { sealedRows } from '#page/sealed-rows.ts';
import { byExpiry, FirstItems, itemOf, type ExpiringItem } from '../rules/behind.ts';
import { againstUsual, type ExpiringInvoice } from '../rules/measures.ts';
import { addDays, dayIn, type Day } from '#records/day/business-day.ts';
import { likeDays } from '#records/day/occasions.ts';
import { firstReadingOf } from '#records/figures/history.ts';
import { likeOf, moneyOfDays, type ComparedDay } from '#records/figures/like-with-like.ts';
import { paidByQuarter } from '#records/figures/paid-by-quarter.ts';
import { formatAmount } from '#records/money/money.ts';
import { dataFile, soFarUntil, type Manifest } from '#records/revision/manifest.ts';
import { settingsOfNext, type PageMeaning } from '#page/page-settings.ts';
import { integerText } from '#records/json/exact-json.ts';
import { neededInvoiceSchema } from '#records/rows/contract-records.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import type { DayStore } from '#page/day-store.ts';

const DAYS_AT_ONCE = 4;
/** Days back that a sealed day shows that the merchant is active. */
const DAYS_OF_LIFE = 14;

const expirySchema = z.lazy(() => neededInvoiceSchema.unwrap().omit({ merchant_id: true }));

/** What one or more sealed days show of invoices that can still expire. */
interface Expiring {
  invoices: readonly ExpiringInvoice[];
  items: readonly ExpiringItem[];
}

/**
 * Unpaid invoices that have not expired, by the words of their page and in its currency. `undefined` when the
 * day is not sealed, only in part, or nobody said what its states mean.
 */
async function unpaidOf(
  snapshots: DayStore,
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
 * Today is not over, yesterday's report may still come, and there was nothing before the first sealed day.
 * @param days today first, `undefined` for one that is not sealed
 */
function isWhole(days: readonly (Expiring | undefined)[]): boolean {
  const first = days.findLastIndex((unpaid) => unpaid !== undefined);
  return first !== -1 && days.slice(2, first).every((unpaid) => unpaid !== undefined);
}

/**
 * Unpaid invoices that can still expire, as when their days were sealed. `null` when none is sealed, or one
 * between is missing: a part would look well.
 */
export async function readExpiring(
  snapshots: DayStore,
  settings: MerchantSettings,
  today: Day,
  daysBack: number,
): Promise<Expiring | null> {
  const days = Array.from({ length: daysBack + 1 }, (_, back) => addDays(today, -back));
  const read = await pLimit(DAYS_AT_ONCE).map(days, (day) => unpaidOf(snapshots, settings, day, today));
  if (!isWhole(read)) return null;
  return {
    invoices: read.flatMap((day) => day?.invoices ?? []),
    items: read.flatMap((day) => day?.items ?? []),
  };
}

/** The newest sealed whole day of 14; `undefined` without one. */
export async function newestWholeDay(
  snapshots: DayStore,
  { merchantCode, timeZone }: Pick<MerchantSettings, 'merchantCode' | 'timeZone'>,
  today: Day,
): Promise<Manifest | undefined> {
  for (let back = 0; back <= DAYS_OF_LIFE; back += 1) {
    const manifest = await snapshots.newest(merchantDay(merchantCode, addDays(today, -back)));
    if (manifest !== undefined && soFarUntil(manifest, timeZone) === null) return manifest;
  }
  return undefined;
}

/** What came in on a sealed day against the days that it is like, first readings against first readings. */
export function againstUsualDay(page: (ComparedDay & PageMeaning) | undefined, settings: MerchantSettings) {
  if (page === undefined) return { why: 'no sealed day' };
  const { currency, timeZone } = settingsOfNext(page, settings);
  const { day, revision, history } = page;
  const first = firstReadingOf(page);
  const like = first && likeOf({ day, revision, history, first, ...first }, { timeZone, currency });
  const others = like?.days.map(({ reading }) => reading) ?? [];
  const money = first?.balanced === true ? moneyOfDays(first, others) : null;
  if (money === null) return { why: 'a sealed day that cannot be compared' };
  const sum = money.others.reduce((all, each) => all + each, 0n);
  return againstUsual({ day, by: null, currency }, money.value, { sum, days: money.others.length });
}

/**
 * What was paid on the same weekday of the four weeks before of that day's invoices, by the newest rows: a payment
 * keeps its time. Days that are not sealed, out of balance, of another currency or with a payment without a time are
 * left out. A day such as Eid has no usual.
 */
export async function readUsualByQuarter(snapshots: DayStore, settings: MerchantSettings, day: Day) {
  const like = likeDays(day, settings.timeZone);
  const days = like.isUsual ? like.days : [];
  const read = await pLimit(DAYS_AT_ONCE).map(days, async (one) => {
    const manifest = await snapshots.newest(merchantDay(settings.merchantCode, one));
    if (manifest?.balanced !== true || soFarUntil(manifest, settings.timeZone) !== null) return null;
    const { timeZone, currency, invoiceStatuses } = settingsOfNext(manifest, settings);
    if (invoiceStatuses === undefined || currency !== settings.currency) return null;
    const paid = paidByQuarter(one, Date.parse(manifest.pulledAt), timeZone, invoiceStatuses);
    const file = dataFile(manifest, 'invoices', 'json');
    for await (const invoice of sealedRows(snapshots, file, expirySchema)) paid.add(invoice);
    return paid.before();
  });
  const known = read.filter((one) => one !== null);
  const sumAt = (quarter: number) => known.reduce((sum, one) => sum + (one[quarter] ?? 0n), 0n);
  return { days: known.length, before: known[0]?.map((_, quarter) => formatAmount(sumAt(quarter))) ?? [] };
}
