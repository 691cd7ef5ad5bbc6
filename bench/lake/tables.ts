import { megabytes, seconds } from '../table.ts';
import type { Table, Row } from '../table.ts';
import { WAYS } from './questions.ts';
import type { MeasuredQuestion, Way } from './questions.ts';
import type { Results } from './measure-lake.ts';
import { LOOKBACK_DAYS } from './month.ts';

const numbers = new Intl.NumberFormat('en-US');

function count(value: number): string {
  return numbers.format(Math.round(value));
}

const WAY_NAMES = { json: 'JSON', history: 'history', all: '`all_*`' };

/** What each question took, way by way. */
export function questionTable({ questions, written, history, settings }: Results): Table {
  const parquet = history.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: 'Questions',
    head: ['question', 'asked of', 'CPU', 'objects', 'read'],
    rows: questions.flatMap(({ name, taken }) =>
      WAYS.map((way) => [
        name,
        WAY_NAMES[way],
        seconds(taken[way].cpu),
        count(taken[way].objects),
        megabytes(taken[way].bytes),
      ]),
    ),
    notes: [
      `${settings.merchants} merchants × ${settings.days} days: ${count(written.pages)} pages, ${count(written.revisions)} revisions, ${count(written.rows)} rows; JSON files ${megabytes(written.json)}, manifests ${megabytes(written.manifests)}, Parquet ${megabytes(parquet)}.`,
    ],
  };
}

/** What each named query took, and how many objects it opens in a stage of 10,000 merchants with the same days. */
export function queryTable({ queries, settings }: Results): Table {
  const times = LARGE_STAGE.merchants / settings.merchants;
  return {
    title: 'Named queries',
    head: [
      'query',
      'CPU',
      'objects',
      'of pages',
      `objects, ${count(LARGE_STAGE.merchants)} merchants`,
      'read',
    ],
    rows: queries.map(({ name, taken }) => [
      name,
      seconds(taken.cpu),
      count(taken.objects),
      count(taken.ofPages),
      count(taken.objects - taken.ofPages + times * taken.ofPages),
      megabytes(taken.bytes),
    ]),
    notes: [
      'There are no statements, no mail and no registry here. Objects of the history do not grow with the merchants.',
    ],
  };
}

interface MonthOfFiles {
  merchants: number;
  /** Of the partitioning. */
  buckets: number;
  /** Daily merges since the month was last optimised. */
  merges: number;
  /** Days that each daily merge changes besides its own. */
  lookback: number;
  /** Bytes of the month in Parquet. */
  bytes: number;
}

/** The engine's target for a data file: Athena's default. Bytes. */
const TARGET_FILE = 512_000_000;
/** The table's metadata, the list of manifests and the manifests of a month. */
const METADATA = 4;

/**
 * The most objects that a question about one month opens. OPTIMIZE leaves whole files in each bucket. A daily merge adds a data file to
 * each bucket, and a file of deletes for each data file with rows of a corrected page: the file of a lookback day that was merged since
 * OPTIMIZE, or what OPTIMIZE left.
 */
export function objectsOfMonth({ merchants, buckets, merges, lookback, bytes }: MonthOfFiles): number {
  const used = Math.min(buckets, merchants);
  const optimised = Math.max(1, Math.ceil(bytes / buckets / TARGET_FILE));
  let perBucket = optimised;
  for (let merge = 1; merge <= merges; merge += 1) {
    perBucket += 1 + optimised + Math.min(lookback, merge) - 1;
  }
  return used * perBucket + METADATA + 2 * merges;
}

/** The stage that figures are computed for; buckets of the partitioning. */
const LARGE_STAGE = { merchants: 10_000, buckets: 16 };
/** The CPU of a sum over a month from the JSON files, divided by that from the history. The bound is for stages of this size or larger. */
const MONTH = { atLeast: 25 };
const LARGE = { merchants: 300, days: 30 };
/** With fewer pages than this, the fixed cost of a statement hides what it reads. */
const FEW_PAGES = 600;
/** Objects that a month's question over {@link LARGE_STAGE} may open. */
const MOST_OBJECTS = 2_000;
const SCALED = Math.ceil(MOST_OBJECTS / (LARGE_STAGE.merchants / LARGE.merchants));

/** Bytes of a month of invoices in Parquet, for ten thousand merchants of the same sizes. */
function monthOfParquet({ history, settings }: Results): number {
  const { bytes = 0 } = history.find(({ table }) => table === 'invoices_history') ?? {};
  return (bytes / settings.merchants / settings.days) * LARGE_STAGE.merchants * 30;
}

const OTHERS: readonly Exclude<Way, 'json'>[] = ['history', 'all'];
const THROUGH = { history: 'the history', all: 'all_*' };

function cpuRow({ name, taken }: MeasuredQuestion, way: (typeof OTHERS)[number], bound: Row['bound']): Row {
  return {
    measured: `${name}: CPU of the JSON files ÷ CPU of ${THROUGH[way]}`,
    ratio: taken.json.cpu / Math.max(1, taken[way].cpu),
    bound,
    detail: `${seconds(taken.json.cpu)} and ${seconds(taken[way].cpu)}; ${taken.json.objects} and ${taken[way].objects} objects`,
  };
}

/** Each promise of the history, as a ratio or a count of this run. */
export function boundRows(results: Results): Row[] {
  const { settings, questions, opened } = results;
  const isLarge = settings.merchants >= LARGE.merchants && settings.days >= LARGE.days;
  const notSlower = settings.merchants * settings.days < FEW_PAGES ? undefined : { atLeast: 1 };
  const boundOf = (name: string) => (name !== 'one day' && isLarge ? MONTH : notSlower);
  const most = objectsOfMonth({
    merchants: LARGE_STAGE.merchants,
    buckets: LARGE_STAGE.buckets,
    merges: 1,
    lookback: LOOKBACK_DAYS.length,
    bytes: monthOfParquet(results),
  });
  return [
    ...questions.flatMap((question) => OTHERS.map((way) => cpuRow(question, way, boundOf(question.name)))),
    {
      measured: `objects that the month's question opens, ${settings.merchants} merchants`,
      ratio: opened.merged,
      bound: { atMost: SCALED },
      detail: `between a merge and its OPTIMIZE; ${opened.optimised} after it; counted by the S3 sandbox`,
    },
    {
      measured: `… ${LARGE_STAGE.merchants} merchants, computed`,
      ratio: most,
      bound: { atMost: MOST_OBJECTS },
      detail: `${LARGE_STAGE.buckets} buckets, a merge since OPTIMIZE, ${megabytes(monthOfParquet(results))} of Parquet`,
    },
  ];
}
