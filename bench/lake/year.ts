import type { Day } from '#records/day/business-day.ts';
import { fleetSizes } from '../fleet/sizes.ts';
import { merchantCodeOf } from '../world.ts';
import { mergeStatements, optimizeStatements, showMerged, nothingWritten, writeRun } from './month.ts';
import type { Written } from './month.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { measureQuestion, yearQuestion } from './questions.ts';
import type { MeasuredQuestion } from './questions.ts';
import { dailyRuns } from './pages.ts';

/** A day's most invoices. With so few merchants, one large merchant would have most rows of the year. */
const MOST_INVOICES = 60;
/** Days of one merge. The first load of a stage takes five. */
const SLICE = 30;

export interface MeasuredYear {
  merchants: number;
  days: number;
  written: Written;
  question: MeasuredQuestion;
}

export interface YearOptions {
  days: readonly Day[];
  merchants: number;
  seed: string;
  progress: (line: string) => void;
}

/** A year of fewer merchants, loaded at once, and the question about one of them. */
export async function measureYear(
  lake: MeasuredLake,
  { days, merchants, seed, progress }: YearOptions,
): Promise<MeasuredYear> {
  const sizes = fleetSizes(merchants, seed).map(({ invoices, refunds }) => ({
    invoices: Math.min(invoices, MOST_INVOICES),
    refunds: Math.min(refunds, 2),
  }));
  const written = nothingWritten();
  for (const run of dailyRuns(days, merchants, seed)) await writeRun(lake, run, sizes, written);
  progress(`  ${written.revisions} revisions written`);
  for (let from = 0; from < days.length; from += SLICE) {
    for (const { sql } of mergeStatements(days.slice(from, from + SLICE))) await lake.run(sql);
  }
  for (const { sql } of optimizeStatements(days)) await lake.run(sql);
  await showMerged(lake, days);
  progress(`  ${days.length} days merged`);
  // A merchant of usual size: the median of the fleet.
  const bySize = [...sizes.keys()].toSorted((a, b) => (sizes[a]?.invoices ?? 0) - (sizes[b]?.invoices ?? 0));
  const merchantCode = merchantCodeOf(bySize[Math.floor(bySize.length / 2)] ?? 0);
  const question = await measureQuestion(lake, yearQuestion(merchantCode, days));
  return { merchants, days: days.length, written, question };
}
