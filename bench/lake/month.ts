import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { HISTORY_DAYS } from '#records/figures/history.ts';
import type { S3Store } from '#sandbox/aws/index.ts';
import { invoiceEvent, refundEvent } from '#sandbox/payments/day/evolve.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import { sealPage } from '#support/pages/generated-lake.ts';
import type { PageRecords } from '#support/pages/generated-lake.ts';
import type { DaySize } from '../fleet/sizes.ts';
import { createTable, optimize } from '#lake/sql/statements/tables.ts';
import { mergeDays, mergeRecords } from '#lake/sql/statements/merge.ts';
import { noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { viewStatement } from '#lake/sql/statements/views.ts';
import { DAYS_HISTORY, HISTORY_TABLES, INVOICES_HISTORY, REFUNDS_HISTORY } from '#lake/sql/history-tables.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { fleetSizes } from '../fleet/sizes.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { monthQuestions } from './questions.ts';

export const BUCKET = 'daybook-lake';
/** Of sizes and corrections. */
const SEED = 'daybook';
/** The last day of the lake, and the day on which the engine's clock stands. */
export const LAST_DAY: Day = addDays('2026-11-30', 0);
export const TODAY: Day = addDays(LAST_DAY, 1);
export const FIRST_DAY: Day = addDays(LAST_DAY, -365);
/** The registry's default: the days before the reported one that each run reads again. */
export const LOOKBACK_DAYS = [1, 3, 7];

interface Page {
  /** The merchant's place in the fleet. */
  merchant: number;
  day: Day;
  revision: number;
}

/** What one daily run seals: the pages of its day, and corrections of the lookback days. */
interface DailyRun {
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

/** What the numbers of a page mean. Without them no row has a state, and the engine would not read what is asked for by state. */
const WORDS = {
  currency: 'KWD',
  timeZone: 'Asia/Kuwait',
  invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
  refundStatuses: { 0: 'pending', 1: 'approved', 2: 'rejected' },
  charges: ['admin_charge'],
} satisfies Partial<Manifest>;

/**
 * Writes the objects of a revision as a report leaves them: both JSON files and the manifest. It leaves out the CSV files, which no
 * question of the bench reads.
 */
async function writePage(s3: S3Store, page: Page, size: DaySize): Promise<WrittenPage> {
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
    ...WORDS,
  });
  return written;
}

/** Every file is still there. */
const DATA_FROM = '2025-01-01';

function sliceOf(days: readonly Day[]) {
  const inOrder = days.toSorted();
  return {
    days: inOrder,
    from: inOrder[0] ?? '',
    to: inOrder.at(-1) ?? '',
  };
}

/** The merge of these days, in the order of the function `lake`. No mail is sent in the bench. */
async function merge({ run }: MeasuredLake, days: readonly Day[]): Promise<void> {
  const slice = sliceOf(days);
  await run(mergeRecords('invoices', slice));
  await run(mergeRecords('refunds', slice));
  await run(mergeDays({ ...slice, dataFrom: DATA_FROM }));
  await run(noteDaysMerged({ ...slice, mergedAt: `${slice.to}T23:59:59.000Z` }));
}

async function optimizeMonths({ run }: MeasuredLake, days: readonly Day[]): Promise<void> {
  const month = `${days.toSorted()[0]?.slice(0, 7) ?? ''}-01`;
  for (const table of [INVOICES_HISTORY, REFUNDS_HISTORY, DAYS_HISTORY]) {
    await run(optimize(table, 'trino', month));
  }
}

/** Makes the tables of the history. */
export async function createHistory({ run, database }: MeasuredLake): Promise<void> {
  for (const table of HISTORY_TABLES) {
    await run(createTable(table, { database, location: `s3://${BUCKET}/lake/${table.name}/` }, 'trino'));
  }
}

/** Points the views for people at the history of these days. */
async function showMerged({ run }: MeasuredLake, days: readonly Day[]): Promise<void> {
  const { from, to } = sliceOf(days);
  const merged = `${from} to ${to}`;
  for (const view of ALL_VIEWS) {
    await run(viewStatement(view, { merged_days: merged, merged_mail_days: merged }));
  }
}

interface Written {
  pages: number;
  revisions: number;
  rows: number;
  /** Bytes of the JSON files, and of the manifests. */
  json: number;
  manifests: number;
}

const AT_ONCE = 8;

async function writeRun(
  { aws }: MeasuredLake,
  { pages }: DailyRun,
  sizes: readonly DaySize[],
  written: Written,
): Promise<void> {
  const left = pages.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const page of left) {
        const size = sizes[page.merchant] ?? { invoices: 0, refunds: 0 };
        const { json, manifest, rows } = await writePage(aws.s3, page, size);
        written.pages += page.revision === 1 ? 1 : 0;
        written.revisions += 1;
        written.rows += page.revision === 1 ? rows : 0;
        written.json += json;
        written.manifests += manifest;
      }
    }),
  );
}

/** As many days as the function `lake` merges at once. */
const SLICE = 5;

export interface LivedMonth {
  written: Written;
  /** Objects that the month's question opens after the last daily merge, and after its OPTIMIZE. */
  opened: { merged: number; optimised: number };
}

/** Writes a month and loads it as a new stage does, but for the last day: its pages and corrections come in a daily merge. */
export async function liveMonth(
  lake: MeasuredLake,
  { days, merchants, say }: { days: readonly Day[]; merchants: number; say: (line: string) => void },
): Promise<LivedMonth> {
  const sizes = fleetSizes(merchants, SEED);
  const written: Written = { pages: 0, revisions: 0, rows: 0, json: 0, manifests: 0 };
  const [sums] = monthQuestions(days);
  const runs = dailyRuns(days, merchants);
  const last = runs.pop();
  if (sums === undefined || last === undefined) throw new Error('there is no day');
  for (const run of runs) await writeRun(lake, run, sizes, written);
  const before = runs.map(({ day }) => day);
  for (let from = 0; from < before.length; from += SLICE) await merge(lake, before.slice(from, from + SLICE));
  if (before.length > 0) await optimizeMonths(lake, before);
  say(`  ${before.length} days loaded`);
  const objects = async () => (await lake.run(sums.sql.history)).objects;
  await writeRun(lake, last, sizes, written);
  await merge(lake, changedDays(last));
  const merged = await objects();
  await optimizeMonths(lake, changedDays(last));
  const optimised = await objects();
  say(`  ${last.day} merged: ${merged} objects, ${optimised} after OPTIMIZE`);
  await showMerged(lake, days);
  return { written, opened: { merged, optimised } };
}
