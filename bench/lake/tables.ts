import { PRICES } from '#bin/daybook/cost/model/prices.ts';
import { JSON_SHARE, historyBill, scanned } from '#bin/daybook/cost/model/history-bill.ts';
import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import type { Table } from '../fleet/table.ts';
import { LARGE_STAGE, monthOfParquet } from './bounds.ts';
import type { MeasuredQuestion } from './measured-questions.ts';
import { TARGET_FILE, objectsOfMonth } from './objects-opened.ts';
import { WAYS } from './questions.ts';
import type { Results } from './results.ts';
import { LOOKBACK_DAYS } from './world.ts';

const numbers = new Intl.NumberFormat('en-US');
const MEGABYTE = 1_000_000;

function count(value: number): string {
  return numbers.format(Math.round(value));
}

function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  if (value >= 600) return `${(value / 60).toFixed(0)} min`;
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE;
  return `${value < 10 ? value.toFixed(1) : count(value)} MB`;
}

function dollars(value: number): string {
  return value.toFixed(4);
}

const WAY_NAMES = { json: 'JSON', history: 'history', all: '`all_*`' };

/** What each question took, way by way. */
export function questionTable({ questions, year, written, history, settings }: Results): Table {
  const all: MeasuredQuestion[] = [...questions, ...(year === undefined ? [] : [year.question])];
  const parquet = history.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: 'Questions',
    head: ['question', 'asked of', 'CPU', '… of tasks', 'objects', '… metadata', 'LIST', 'read'],
    rows: all.flatMap(({ name, taken }) =>
      WAYS.map((way) => [
        name,
        WAY_NAMES[way],
        seconds(taken[way].cpu),
        seconds(taken[way].taskCpu),
        count(taken[way].objects),
        count(taken[way].metadata),
        count(taken[way].lists),
        megabytes(taken[way].bytes),
      ]),
    ),
    notes: [
      `${settings.merchants} merchants × ${settings.days} days: ${count(written.pages)} pages, ${count(written.revisions)} revisions, ${count(written.rows)} rows; JSON files ${megabytes(written.json)}, manifests ${megabytes(written.manifests)}, Parquet ${megabytes(parquet)}.`,
      ...(year === undefined
        ? []
        : [
            `The year: ${year.merchants} merchants × ${year.days} days, ${count(year.written.rows)} rows, at most 60 invoices a day. The question to the JSON files uses the tables by merchant.`,
          ]),
    ],
  };
}

/** What the statements of the daily merges took, in the mean. */
export function mergeTable({ merges, settings }: Results): Table {
  const whole = merges.filter(({ days }) => days === 1 + LOOKBACK_DAYS.length);
  const some = whole.length > 0 ? whole : merges;
  const names = some[0]?.statements.map(({ name }) => name) ?? [];
  const row = (name: string) => {
    const all = some.flatMap(({ statements }) => statements.filter((statement) => statement.name === name));
    const mean = (amount: (taken: (typeof all)[number]['taken']) => number) =>
      all.reduce((sum, { taken }) => sum + amount(taken), 0) / Math.max(1, all.length);
    return [
      name,
      seconds(mean(({ cpu }) => cpu)),
      count(mean(({ gets }) => gets)),
      count(mean(({ lists }) => lists)),
      count(mean(({ puts }) => puts)),
      megabytes(mean(({ bytes }) => bytes)),
    ];
  };
  return {
    title: 'A daily merge',
    head: ['statement', 'CPU', 'GET, HEAD', 'LIST', 'PUT', 'read'],
    rows: names.map(row),
    notes: [
      `The mean of ${some.length} merges of ${some[0]?.days ?? 0} days, ${settings.merchants} merchants each. No mail.`,
    ],
  };
}

/** The month's question for ten thousand merchants, and what the history costs. All computed from this run. */
export function costTables(results: Results): Table[] {
  const { questions, settings, written, history } = results;
  const [sums] = questions;
  if (sums === undefined) return [];
  const { json, history: fromHistory } = sums.taken;
  const scale = LARGE_STAGE.merchants / settings.merchants;
  const month = 30 / settings.days;
  const objects = objectsOfMonth({
    merchants: LARGE_STAGE.merchants,
    buckets: LARGE_STAGE.buckets,
    merges: settings.optimize,
    lookback: LOOKBACK_DAYS.length,
    bytes: monthOfParquet(results),
  });
  const jsonObjects = json.objects * scale * month;
  const asked = [
    ['JSON', jsonObjects, json.bytes * scale * month, json.cpu * scale * month, json.lists * scale * month],
    ['history', objects, fromHistory.bytes * scale * month, fromHistory.cpu * scale * month, 0],
  ] as const;
  const parquet = history.find(({ table }) => table === 'invoices_history')?.bytes ?? 0;
  const bytesADay = written.json / written.revisions / JSON_SHARE;
  const sizes = [1_000, LARGE_STAGE.merchants].map((merchants) =>
    historyBill({ merchants, daysEach: 1 + LOOKBACK_DAYS.length, bytesADay, kept: 400 }),
  );
  return [
    {
      title: `The month's sum per merchant, ${count(LARGE_STAGE.merchants)} merchants (computed)`,
      head: ['asked of', 'objects', 'scanned', 'CPU', 'USD for GET and LIST', 'USD for Athena'],
      rows: asked.map(([way, opened, bytes, cpu, lists]) => [
        way,
        count(opened),
        megabytes(bytes),
        seconds(cpu),
        dollars(opened * PRICES.s3Read + lists * PRICES.s3Write),
        dollars(scanned(Math.max(bytes, PRICES.athenaLeastBytes))),
      ]),
      notes: [
        `Objects, bytes and CPU of this run × ${scale.toFixed(1)}; objects of the history by buckets and files of ${megabytes(TARGET_FILE)} at most (Parquet of the month: ${megabytes(parquet * scale * month)}).`,
      ],
    },
    {
      title: 'What the history costs a day, USD',
      head: ['merchants', '1,000', count(LARGE_STAGE.merchants)],
      rows: [
        ...(sizes[0] ?? []).map(({ what, dollars: cost }, index) => [
          what.replace('History: ', ''),
          dollars(cost),
          dollars(sizes[1]?.[index]?.dollars ?? 0),
        ]),
        ['together', ...sizes.map((lines) => dollars(totalOf(lines)))],
      ],
      notes: [
        `List prices of ${PRICES.asOf}, ${PRICES.region}; 3 lookback days, kept 400 days, sizes of this run.`,
      ],
    },
  ];
}
