import type { TrinoLake } from '#sandbox/trino/index.ts';
import { daysStatements, sliceOf } from './history-lake.ts';

/** No note of the merge is written, so it does not matter when it was. */
const ANY_TIME = '2026-11-22T10:00:00Z';

async function runFirst(lake: TrinoLake, days: readonly string[], count: number): Promise<void> {
  for (const sql of daysStatements(sliceOf(days), ANY_TIME).slice(0, count)) await lake.run(sql);
}

/** Brings the rows of days into the history, and not yet their figures: as after a merge that died halfway. */
export async function mergeRowsOf(lake: TrinoLake, days: readonly string[]): Promise<void> {
  await runFirst(lake, days, 2);
}

/** Brings days into the history, as the state machine does. */
export async function mergeHistory(lake: TrinoLake, days: readonly string[]): Promise<void> {
  await runFirst(lake, days, 3);
}
