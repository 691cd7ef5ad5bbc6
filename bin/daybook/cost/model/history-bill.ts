import { storage } from './cost.ts';
import type { CostLine } from './cost.ts';
import { PRICES } from './prices.ts';

/** What the history of a stage is made of. */
export interface HistoryUse {
  merchants: number;
  /** Days of a merchant that a daily merge reads: the reported day and the lookback days. */
  daysEach: number;
  /** Stored bytes of a merchant's day: JSON and CSV files of one revision. */
  bytesADay: number;
  /** How long rows are kept, days. */
  kept: number;
}

/*
 * Measured by `npm run bench:lake` (docs/scale.md, "The history"). A merge reads each manifest of a changed day four times, each JSON file and
 * each ledger once.
 */
const MANIFEST = { reads: 4, bytes: 8_500 };
const RECORDS = { reads: 2 };
const LEDGER = { reads: 1, bytes: 1_500 };
/** Revisions of a page. One in ten is corrected. */
const REVISIONS = 1.1;
/** The JSON files' part of a day's bytes; the rest is CSV. */
export const JSON_SHARE = 0.6;
/** Bytes of Parquet for a byte of the JSON files: 0.59 in the bench, 0.66 with real rows. */
const PARQUET_SHARE = 0.66;
/** Keys in an answer of ListObjectsV2. */
const LISTED = 1_000;

/** Looks of the state machine in a day, and those of them that replace the views: reports come in, and old days are corrected. */
const LOOKS = { all: 24, changed: 6 };
/** A day's executions that replace the views: these looks, and both looks of the merge. */
const REPLACING = LOOKS.changed + 2;
/**
 * State transitions of a look and of a daily merge that replace no view, with one slice of days and one of mail, and what it adds to replace
 * the views.
 */
export const TRANSITIONS = { look: 19, merge: 46, views: 9 };
/**
 * Statements that read: dates and look, and in a merge also the second look, six of the slices and four of OPTIMIZE. After the views are
 * replaced, one asks which look began last.
 */
export const STATEMENTS = { look: 2, merge: 13, views: 1 };
/** Objects that statements write: data, deletes, metadata, answers. */
const WRITES = { look: 12, merge: 450, views: 11 };
/** What a daily merge does for the copy of a group: three tables, a look, and three statements for the months that changed. */
export const GROUP = { transitions: 9, statements: 4, writes: 110 };
/** Parts by merchant of a month's files. */
const BUCKETS = 16;
/** Markers that functions write: every ten minutes, each environment writes one for each day and kind. */
const MARKERS = 1_000;

const DAYS_A_MONTH = 30;
/**
 * Months that a daily run reads, in the mean: half of this one, and all of the last one in its first week. MERGE reads all columns of them, too,
 * even if it removes few rows.
 */
const OPTIMISED = 0.5 + 7 / DAYS_A_MONTH;
/** Days that replaced files stay: three in snapshots, up to seven until VACUUM, one as an old version. */
const REPLACED = 3 + 7 / 2 + 1;

/** What the daily merge reads, and what the history keeps. Bytes. */
export interface HistoryBytes {
  /** Of the daily merge: manifests, JSON files and ledgers, and the Parquet of the months. */
  merged: number;
  /** Of the OPTIMIZE after it. */
  optimised: number;
  /** Parquet of one day of all merchants. */
  parquetADay: number;
}

/** The bytes of a daily run. */
export function historyBytes({ merchants, daysEach, bytesADay }: HistoryUse): HistoryBytes {
  const json = bytesADay * JSON_SHARE;
  const page = MANIFEST.reads * MANIFEST.bytes + json + LEDGER.reads * LEDGER.bytes;
  const parquetADay = merchants * json * PARQUET_SHARE;
  const optimised = parquetADay * DAYS_A_MONTH * OPTIMISED;
  return { merged: merchants * daysEach * REVISIONS * page + optimised, optimised, parquetADay };
}

/** Athena's charge for statements. @param bytes that they scan together @param least of them scan nearly nothing */
export function scanned(bytes: number, least = 0): number {
  return (bytes + least * PRICES.athenaLeastBytes) * PRICES.athenaByte;
}

/** Objects that the daily merge reads. */
export function mergedObjects({ merchants, daysEach }: Pick<HistoryUse, 'merchants' | 'daysEach'>): number {
  return merchants * daysEach * REVISIONS * (MANIFEST.reads + RECORDS.reads + LEDGER.reads);
}

/** The requests to S3 of a day: those of Athena, and of the functions that write markers. */
export function historyRequests(use: HistoryUse): { writes: number; reads: number } {
  const reads = mergedObjects(use);
  const lists = reads / LISTED + use.daysEach * (MANIFEST.reads + RECORDS.reads + LEDGER.reads);
  const writes = LOOKS.all * WRITES.look + WRITES.merge + LOOKS.changed * WRITES.views + MARKERS;
  return { writes: lists + writes, reads };
}

/** The bill of the history for one day. It does not include copies for groups of analysts ({@link groupBill}), and no questions. */
export function historyBill(use: HistoryUse): CostLine[] {
  const { merged, optimised, parquetADay } = historyBytes(use);
  const { writes, reads } = historyRequests(use);
  const transitions = LOOKS.all * TRANSITIONS.look + TRANSITIONS.merge + REPLACING * TRANSITIONS.views;
  return [
    {
      what: 'History: Athena',
      dollars: scanned(
        merged + optimised,
        LOOKS.all * STATEMENTS.look + STATEMENTS.merge + REPLACING * STATEMENTS.views,
      ),
    },
    {
      what: 'History: S3 requests',
      dollars: reads * PRICES.s3Read + writes * PRICES.s3Write,
    },
    {
      what: 'History: S3 storage',
      dollars: storage(parquetADay, use.kept) + storage(optimised, REPLACED),
    },
    { what: 'History: Step Functions', dollars: transitions * PRICES.stateTransition },
  ];
}

/**
 * What the copy of one group of analysts adds in a day. The statements read the last months of the group's copy, and those parts of the
 * history that have a merchant of the group.
 *
 * @param use of the whole stage; @param merchants of the group
 */
export function groupBill(use: HistoryUse, merchants: number): CostLine[] {
  const copy = historyBytes({ ...use, merchants });
  const read = historyBytes(use).optimised * (1 - (1 - 1 / BUCKETS) ** merchants);
  return [
    { what: 'Group: Athena', dollars: scanned(read + copy.optimised, GROUP.statements) },
    { what: 'Group: S3 requests', dollars: GROUP.writes * PRICES.s3Write },
    { what: 'Group: S3 storage', dollars: storage(copy.parquetADay, use.kept) },
    { what: 'Group: Step Functions', dollars: GROUP.transitions * PRICES.stateTransition },
  ];
}
