import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { HISTORY_DAYS } from '#records/figures/history.ts';
import type { S3Store } from '#sandbox/aws/index.ts';
import { invoiceEvent, refundEvent } from '#sandbox/payments/day/evolve.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import { sealPage } from '#support/pages/generated-lake.ts';
import type { PageRecords } from '#support/pages/generated-lake.ts';
import type { DaySize } from '../fleet/sizes.ts';

/** The data bucket. */
export const BUCKET = 'daybook-lake';
/** Of sizes and corrections. */
export const SEED = 'daybook';
/** The last day of the lake, and the day on which the engine's clock stands. */
export const LAST_DAY: Day = addDays('2026-11-30', 0);
export const TODAY: Day = addDays(LAST_DAY, 1);
/** The first day of the tables. */
export const FIRST_DAY: Day = addDays(LAST_DAY, -365);
/** The registry's default: the days before the reported one that each run reads again. */
export const LOOKBACK_DAYS = [1, 3, 7];

/** A revision that one daily run seals. */
interface Page {
  /** The merchant's place in the fleet. */
  merchant: number;
  day: Day;
  revision: number;
}

/** What one daily run seals: the pages of its day, and corrections of the lookback days. */
export interface DailyRun {
  /** The reported day. The run is on the morning after it. */
  day: Day;
  pages: Page[];
}

/** How many of a hundred pages are corrected 1, 3 and 7 days later. Most changes come soon. */
const CORRECTED = [6, 3, 1];

/** The days that a run changes, newest first. */
export function changedDays({ pages }: DailyRun): Day[] {
  return [...new Set(pages.map(({ day }) => day))].toSorted().reverse();
}

/** The runs of these days. One page in ten gets a correction, on one of the lookback days. */
export function dailyRuns(days: readonly Day[], merchants: number): DailyRun[] {
  const runs = new Map<Day, DailyRun>(days.map((day) => [day, { day, pages: [] }]));
  for (const day of days) {
    for (let merchant = 0; merchant < merchants; merchant += 1) {
      runs.get(day)?.pages.push({ merchant, day, revision: 1 });
      const place = seededRandom(`correction ${SEED} ${day} ${merchant}`).below(100);
      const later = LOOKBACK_DAYS[CORRECTED.findIndex((_, index) => place < sumUntil(index))];
      if (later === undefined) continue;
      // A correction after the last run is not there yet.
      runs.get(addDays(day, later))?.pages.push({ merchant, day, revision: 2 });
    }
  }
  return [...runs.values()];
}

function sumUntil(index: number): number {
  return CORRECTED.slice(0, index + 1).reduce((sum, share) => sum + share, 0);
}

const IDS_A_DAY = 200_000;
const REFUND_IDS = 100_000;

/** Bytes of the objects that a page has written. */
interface WrittenPage {
  json: number;
  manifest: number;
  rows: number;
}

/** The records of a page. Its second revision has what happened to them in the days after. */
function recordsOf({ merchant, day, revision }: Page, size: DaySize): PageRecords {
  const { merchantCode, merchantId = 0, name } = sandboxMerchant(merchant);
  const since = Math.round((Date.parse(day) - Date.parse('2025-01-01')) / 86_400_000);
  const target = { merchantCode, merchantId, merchantName: name, day };
  const firstId = since * IDS_A_DAY;
  const invoices = [...seededInvoices({ ...target, firstId }, size)];
  const refunds = [...seededRefunds({ ...target, firstId: firstId + REFUND_IDS }, size)];
  if (revision === 1) return { invoices, refunds };
  const random = seededRandom(`later ${merchantCode} ${day}`);
  return {
    invoices: invoices.map((invoice) => ({ ...invoice, ...invoiceEvent(random, day, invoice) })),
    refunds: refunds.map((refund) => ({ ...refund, ...refundEvent(random, day, refund) })),
  };
}

/** The earlier days in a manifest. No question asks for them, but the engine reads their bytes, too. */
function historyBefore(day: Day, { invoices, refunds }: DaySize) {
  const figures = {
    balanced: true,
    counts: { total: invoices, paid: invoices, notPaid: 0, cancelled: 0, other: 0 },
    amounts: { paid: `${invoices}.000`, notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    refunds: { count: refunds, total: `${refunds}.000` },
  };
  const first = { ...figures, received: { count: invoices, sum: `${invoices}.000` } };
  return Array.from({ length: HISTORY_DAYS }, (_, back) => ({
    day: addDays(day, -1 - back),
    revision: 1,
    ...figures,
    first,
  }));
}

/**
 * Writes the objects of a revision as a report leaves them: both JSON files and the manifest. It leaves out the CSV files, which no
 * question of the bench reads.
 */
export async function writePage(s3: S3Store, page: Page, size: DaySize): Promise<WrittenPage> {
  const { merchant, day, revision } = page;
  const { merchantCode, merchantId } = sandboxMerchant(merchant);
  const records = recordsOf(page, size);
  const written = { json: 0, manifest: 0, rows: records.invoices.length + records.refunds.length };
  const put = async (key: string, body: string | Uint8Array) => {
    written[key.startsWith('days/') ? 'manifest' : 'json'] += Buffer.byteLength(body);
    await s3.write(BUCKET, key, body);
  };
  const pulledAt = `${addDays(day, revision)}T03:00:00Z`;
  await sealPage(put, { merchantCode, day, revision, pulledAt }, records, {
    merchantId: String(merchantId),
    history: historyBefore(day, size),
  });
  return written;
}
