import type { Day } from '#records/day/business-day.ts';
import { createTable, optimize } from '#lake/sql/statements/tables.ts';
import { mergeDays, mergeRecords } from '#lake/sql/statements/merge.ts';
import { noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { viewStatement } from '#lake/sql/statements/views.ts';
import { DAYS_HISTORY, HISTORY_TABLES, INVOICES_HISTORY, REFUNDS_HISTORY } from '#lake/sql/history-tables.ts';
import { ALL_DAYS, ALL_INVOICES, ALL_REFUNDS } from '#lake/sql/views/all.ts';
import { fleetSizes } from '../fleet/sizes.ts';
import type { DaySize } from '../fleet/sizes.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { BUCKET, SEED, changedDays, dailyRuns, writePage } from './pages.ts';
import type { DailyRun } from './pages.ts';
import { monthQuestions } from './questions.ts';

/** Every file is still there. */
const DATA_FROM = '2025-01-01';

function sliceOf(days: readonly Day[]) {
  const inOrder = days.toSorted();
  return {
    days: inOrder.map((day) => `'${day}'`).join(','),
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

/** OPTIMIZE of the months of these days. */
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
  for (const view of [ALL_INVOICES, ALL_REFUNDS, ALL_DAYS]) {
    await run(viewStatement(view, { merged: `day BETWEEN '${from}' AND '${to}'` }));
  }
}

/** What is in the objects. */
export interface Written {
  pages: number;
  revisions: number;
  rows: number;
  /** Bytes of the JSON files, and of the manifests. */
  json: number;
  manifests: number;
}

const AT_ONCE = 8;

/** Writes the pages of a run. */
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

/** A month in the lake. */
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
