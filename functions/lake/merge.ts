import * as z from 'zod';
import type { Clock } from '#runtime/clock.ts';
import { StatementFailedError } from './athena.ts';
import type { Athena } from './athena.ts';
import { createGroupTables, groupTables, lookAtGroup, mergeGroup } from './sql/groups.ts';
import type { LakeGroup } from './sql/groups.ts';
import { upgradeCopy } from './upgrade.ts';
import { mergeDays, mergeMail, mergeRecords } from './sql/statements/merge.ts';
import { note, noteDaysMerged } from './sql/statements/notes.ts';

/** After so many failed slices, a run merges no further one: the cause is not a bad file then. */
const MOST_FAILED = 10;

export const slicesSchema = z.lazy(() =>
  z.array(
    z.object({
      what: z.enum(['days', 'mail']),
      days: z.string().transform((days) => days.split(',')),
      from: z.string(),
      to: z.string(),
    }),
  ),
);
export type FoundSlice = z.infer<ReturnType<typeof slicesSchema.unwrap>>[number];

const windowsSchema = z.lazy(() => z.array(z.object({ from: z.string(), to: z.string() })));

/** Runs what may fail without stopping the rest. @returns the failure; @throws every other error */
export async function failureOf(work: () => Promise<unknown>): Promise<StatementFailedError[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof StatementFailedError) return [error];
    throw error;
  }
}

/** @param began when the merge of the slice began, ISO 8601; @param dataFrom see `mergeDays` */
async function mergeSlice(
  athena: Athena,
  { what, ...slice }: FoundSlice,
  began: string,
  dataFrom: string,
): Promise<void> {
  if (what === 'mail') {
    await athena.run('Merge the mail of the slice', mergeMail(slice));
    await athena.run('Note that the mail is merged', note('mail', began, slice.days));
    return;
  }
  // The order matters: a row of days_history says that the rows of its page are there.
  await athena.run('Merge the invoices of the slice', mergeRecords('invoices', slice));
  await athena.run('Merge the refunds of the slice', mergeRecords('refunds', slice));
  await athena.run('Merge the days of the slice', mergeDays(slice, dataFrom));
  await athena.run('Note that the days are merged', noteDaysMerged(slice, began));
}

/**
 * Merges the slices that a look gave. They come one after the other: two at once would fail each other's commits. A slice that fails does
 * not stop the others, and is noted in the history: the next look makes a slice of each of its days.
 * @param slices JSON text; @param dataFrom see `mergeDays`
 * @returns for each slice its failure, if it has one
 */
export async function* mergeSlices(
  athena: Athena,
  clock: Clock,
  slices: string,
  dataFrom: string,
): AsyncGenerator<StatementFailedError[]> {
  let failures = 0;
  for (const slice of slicesSchema.parse(JSON.parse(slices))) {
    if (failures >= MOST_FAILED) break;
    const began = new Date(clock.now()).toISOString();
    const failed = await failureOf(() => mergeSlice(athena, slice, began, dataFrom));
    failures += failed.length;
    if (failed.length > 0) {
      await athena.run('Note that the slice failed', note(`${slice.what} failed`, began, slice.days));
    }
    yield failed;
  }
}

interface Place {
  database: string;
  bucket: string;
}

export async function makeGroupTables(athena: Athena, group: LakeGroup, place: Place): Promise<void> {
  for (const sql of createGroupTables(place.database, group, `s3://${place.bucket}/`)) {
    await athena.run(`Make the tables of ${group.name}`, sql);
  }
}

/**
 * Brings a group's copy up to the history: makes its tables, finds the months that differ, and merges them. It reads `days_history` over all
 * time, so a new group and a run that was missed need nothing more.
 */
export async function copyForGroup(athena: Athena, group: LakeGroup, place: Place): Promise<void> {
  const { database } = place;
  const { name } = group;
  await makeGroupTables(athena, group, place);
  await upgradeCopy(athena, Object.values(groupTables(database, group)));
  const { windows = '[]' } = await athena.row(`Look at the copy of ${name}`, lookAtGroup(database, group));
  for (const window of windowsSchema.parse(JSON.parse(windows))) {
    for (const sql of mergeGroup(database, group, window)) {
      await athena.run(`Merge the rows of ${name}`, sql);
    }
  }
}
