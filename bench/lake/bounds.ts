import type { Row } from '../rows/row.ts';
import { megabytes, seconds } from '../rows/row.ts';
import type { MeasuredQuestion } from './measured-questions.ts';
import { objectsOfMonth } from './objects-opened.ts';
import type { Way } from './questions.ts';
import type { Results } from './results.ts';
import { LOOKBACK_DAYS } from './world.ts';

/** The stage that figures are computed for; buckets of the partitioning. */
export const LARGE_STAGE = { merchants: 10_000, buckets: 16 };
/** The CPU of a sum over a month from the JSON files, divided by that from the history. The bound is for stages of this size or larger. */
const MONTH = { atLeast: 25 };
const LARGE = { merchants: 300, days: 30 };
/** With fewer pages than this, the fixed cost of a statement hides what it reads. */
const FEW_PAGES = 600;
/** Objects that a month's question over {@link LARGE_STAGE} may open. */
const MOST_OBJECTS = 2_000;
const SCALED = Math.ceil(MOST_OBJECTS / (LARGE_STAGE.merchants / LARGE.merchants));

/** Bytes of a month of invoices in Parquet, for ten thousand merchants of the same sizes. */
export function monthOfParquet({ history, settings }: Results): number {
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
  const { settings, questions, year, merges } = results;
  const isLarge = settings.merchants >= LARGE.merchants && settings.days >= LARGE.days;
  const notSlower = settings.merchants * settings.days < FEW_PAGES ? undefined : { atLeast: 1 };
  const boundOf = (name: string) => (name !== 'one day' && isLarge ? MONTH : notSlower);
  const opened = Math.max(...merges.map(({ objects, optimised }) => optimised ?? objects));
  const between = Math.max(...merges.map(({ objects }) => objects));
  const most = objectsOfMonth({
    merchants: LARGE_STAGE.merchants,
    buckets: LARGE_STAGE.buckets,
    merges: settings.optimize,
    lookback: LOOKBACK_DAYS.length,
    bytes: monthOfParquet(results),
  });
  return [
    ...questions.flatMap((question) => OTHERS.map((way) => cpuRow(question, way, boundOf(question.name)))),
    ...(year === undefined ? [] : OTHERS.map((way) => cpuRow(year.question, way, { atLeast: 1 }))),
    {
      measured: `objects that the month's question opens, ${settings.merchants} merchants`,
      ratio: between,
      bound: { atMost: SCALED },
      detail: `between a merge and its OPTIMIZE; ${opened} after it; counted by the S3 sandbox`,
    },
    {
      measured: `… ${LARGE_STAGE.merchants} merchants, computed`,
      ratio: most,
      bound: { atMost: MOST_OBJECTS },
      detail: `${LARGE_STAGE.buckets} buckets, ${settings.optimize} merges since OPTIMIZE, ${megabytes(monthOfParquet(results))} of Parquet`,
    },
  ];
}
