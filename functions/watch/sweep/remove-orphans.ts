import pLimit from 'p-limit';
import type { Day } from '#records/day/business-day.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import {
  dataFileInKey,
  dataPrefix,
  dayInKey,
  dayPrefix,
  merchantDay,
  merchantInKey,
  revisionInKey,
} from '#records/storage/keys.ts';
import { FORMATS, TABLES } from '#records/revision/manifest.ts';
import { orphansAmong } from './stored-objects.ts';
import type { ListedObject } from './stored-objects.ts';
import type { Dependencies, SweepRun } from './dependencies.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
/** Days that runs still pull by themselves, and the two days that files must be old. */
const RECENT = 25;
/** Older days were pulled by hand. Each has its turn once in this many hours. */
const OLDER = 401;

/**
 * One of 25 recent days and of 401 older ones an hour: neither shares a divisor with the hours between
 * sweeps, so each day has its turn whatever the schedule.
 * @param now milliseconds UTC
 */
export function daysInTurn(present: readonly Day[], now: number): Day[] {
  const turn = Math.floor(now / HOUR);
  const firstRecent = addDays(dayAt(now, 'UTC'), 2 - RECENT);
  return present.filter((day) => {
    const turns = day >= firstRecent ? RECENT : OLDER;
    return Math.floor(Date.parse(day) / DAY) % turns === turn % turns;
  });
}

/** Milliseconds. A pull writes its files minutes before its seal. */
const OLD = 2 * 24 * 60 * 60 * 1_000;
const CONCURRENCY = 40;

const PREFIXES = TABLES.flatMap((table) => FORMATS.map((format) => dataPrefix(table, format)));

/** Removes orphans of the days whose turn it is. Returns how many. @param now milliseconds UTC */
export async function removeOrphans(run: SweepRun, now: number): Promise<number> {
  const folders = await Promise.all(PREFIXES.map((prefix) => run.objects.foldersUnder(prefix)));
  const present = new Set(folders.flat().flatMap((folder) => dayInKey(folder) ?? []));
  let removed = 0;
  for (const day of daysInTurn([...present], now)) removed += await removeOrphansOf(run, day, now - OLD);
  return removed;
}

async function removeOrphansOf(run: SweepRun, day: Day, before: number): Promise<number> {
  const { objects, failures, telemetry } = run;
  // Before manifests: a run that seals in between has files too young to be removed.
  const listed = await Promise.all(PREFIXES.map((prefix) => objects.under(`${prefix}day=${day}/`)));
  const files = Map.groupBy(listed.flat(), ({ key }) => dataFileInKey(key)?.merchantCode);
  const manifests = Map.groupBy(await objects.under(dayPrefix(day)), ({ key }) => merchantInKey(key));
  const limit = pLimit(CONCURRENCY);
  const removed = await limit.map([...files], async ([merchantCode, own]) => {
    if (merchantCode === undefined || !own.some(({ lastModified }) => lastModified < before)) return 0;
    const named = await namedFiles(run, day, merchantCode, manifests.get(merchantCode) ?? []);
    if (named === undefined) return 0;
    const orphans = orphansAmong(own, named, before);
    let gone = 0;
    for (const key of orphans) {
      await failures.during(async () => {
        await objects.remove(key);
        gone += 1;
      });
    }
    if (gone > 0) {
      telemetry.logger.info('files without a seal removed', {
        merchantCode,
        day,
        orphans: gone,
      });
    }
    return gone;
  });
  return removed.reduce((sum, count) => sum + count, 0);
}

/** `undefined` when a manifest cannot be read. */
async function namedFiles(
  { snapshots, telemetry }: Dependencies,
  day: Day,
  merchantCode: string,
  manifests: readonly ListedObject[],
): Promise<Set<string> | undefined> {
  const named = new Set<string>();
  try {
    for (const { key } of manifests) {
      const revision = revisionInKey(key);
      const manifest =
        revision === undefined
          ? undefined
          : await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
      // An object here cannot be read, so it is not known which files it names.
      if (manifest === undefined) throw new Error('an object among the manifests is not a manifest');
      for (const file of manifest.files) named.add(file.key);
    }
    return named;
  } catch (error) {
    telemetry.logger.warn('files are left alone: a manifest cannot be read', {
      merchantCode,
      day,
    });
    telemetry.logError(error);
    return undefined;
  }
}
