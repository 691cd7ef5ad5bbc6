import type { Day } from '#records/day/business-day.ts';
import { createTable, optimize } from '#lake/sql/statements/tables.ts';
import { mergeDays, mergeRecords } from '#lake/sql/statements/merge.ts';
import { noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { viewStatement } from '#lake/sql/statements/views.ts';
import { DAYS_HISTORY, HISTORY_TABLES, INVOICES_HISTORY, REFUNDS_HISTORY } from '#lake/sql/history-tables.ts';
import { ALL_DAYS, ALL_INVOICES, ALL_REFUNDS } from '#lake/sql/views/all.ts';
import { fleetSizes } from '../fleet/sizes.ts';
import type { DaySize } from '../fleet/sizes.ts';
import type { MeasuredLake, Taken } from './measured-lake.ts';
import { BUCKET, changedDays, dailyRuns, writePage } from './pages.ts';
import type { DailyRun } from './pages.ts';
import { monthQuestions } from './questions.ts';

/** A statement with a name for the tables. */
interface NamedStatement {
  name: string;
  sql: string;
}

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
export function mergeStatements(days: readonly Day[]): NamedStatement[] {
  const slice = sliceOf(days);
  return [
    { name: 'invoices', sql: mergeRecords('invoices', slice) },
    { name: 'refunds', sql: mergeRecords('refunds', slice) },
    { name: 'days', sql: mergeDays({ ...slice, dataFrom: DATA_FROM }) },
    { name: 'note', sql: noteDaysMerged({ ...slice, mergedAt: `${slice.to}T23:59:59.000Z` }) },
  ];
}

/** OPTIMIZE of the months of these days. */
export function optimizeStatements(days: readonly Day[]): NamedStatement[] {
  const month = `${days.toSorted()[0]?.slice(0, 7) ?? ''}-01`;
  return [INVOICES_HISTORY, REFUNDS_HISTORY, DAYS_HISTORY].map((table) => ({
    name: `optimize ${table.name.replace('_history', '')}`,
    sql: optimize(table, 'trino', month),
  }));
}

/** Makes the tables of the history. */
export async function createHistory({ run, database }: MeasuredLake): Promise<void> {
  for (const table of HISTORY_TABLES) {
    await run(createTable(table, { database, location: `s3://${BUCKET}/lake/${table.name}/` }, 'trino'));
  }
}

/** Points the views for people at the history of these days. */
export async function showMerged({ run }: MeasuredLake, days: readonly Day[]): Promise<void> {
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

/** One daily merge. */
export interface MeasuredMerge {
  day: Day;
  /** Days of the slice. */
  days: number;
  /** By statement, in their order. */
  statements: { name: string; taken: Omit<Taken, 'taskCpu'> }[];
  /** Objects that the month's question opens afterwards, and after OPTIMIZE. */
  objects: number;
  optimised: number;
}

const AT_ONCE = 8;

/** Writes the pages of a run. */
export async function writeRun(
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

export function nothingWritten(): Written {
  return { pages: 0, revisions: 0, rows: 0, json: 0, manifests: 0 };
}

async function runNamed(lake: MeasuredLake, statements: readonly { name: string; sql: string }[]) {
  const done: MeasuredMerge['statements'] = [];
  for (const { name, sql } of statements) {
    const { answer: _, taskCpu: __, ...taken } = await lake.run(sql);
    done.push({ name, taken });
  }
  return done;
}

interface MonthOptions {
  days: readonly Day[];
  merchants: number;
  seed: string;
  /** The last days, whose merges come one by one. */
  daily: number;
  progress: (line: string) => void;
}

/** As many days as the function `lake` merges at once. */
const SLICE = 5;

/** Writes the runs of the first days, then loads them as a new stage does it. */
async function loadAtOnce(
  lake: MeasuredLake,
  runs: readonly DailyRun[],
  sizes: readonly DaySize[],
  written: Written,
): Promise<void> {
  for (const run of runs) await writeRun(lake, run, sizes, written);
  const days = runs.map(({ day }) => day);
  for (let from = 0; from < days.length; from += SLICE) {
    await runNamed(lake, mergeStatements(days.slice(from, from + SLICE)));
  }
  if (days.length > 0) await runNamed(lake, optimizeStatements(days));
}

/** Writes and merges a month. The first days are loaded at once. Then the pages and corrections of each day are sealed and merged. */
export async function liveMonth(
  lake: MeasuredLake,
  { days, merchants, seed, daily, progress }: MonthOptions,
): Promise<{ written: Written; merges: MeasuredMerge[] }> {
  const sizes = fleetSizes(merchants, seed);
  const written = nothingWritten();
  const merges: MeasuredMerge[] = [];
  const [sums] = monthQuestions(days);
  if (sums === undefined) throw new Error('no question about the month');
  const opened = async () => (await lake.run(sums.sql.history)).objects;
  const runs = dailyRuns(days, merchants, seed);
  const before = runs.slice(0, Math.max(0, runs.length - daily));
  await loadAtOnce(lake, before, sizes, written);
  if (before.length > 0) progress(`  ${before.length} days loaded`);
  for (const run of runs.slice(before.length)) {
    await writeRun(lake, run, sizes, written);
    const changed = changedDays(run);
    const statements = await runNamed(lake, mergeStatements(changed));
    const objects = await opened();
    statements.push(...(await runNamed(lake, optimizeStatements(changed))));
    merges.push({
      day: run.day,
      days: changed.length,
      statements,
      objects,
      optimised: await opened(),
    });
    const seconds = statements.reduce((sum, { taken }) => sum + taken.wall, 0) / 1_000;
    progress(`  ${run.day}: ${changed.length} days merged in ${seconds.toFixed(1)} s, ${objects} objects`);
  }
  await showMerged(lake, days);
  return { written, merges };
}
