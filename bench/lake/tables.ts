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

/** The month's question for ten thousand merchants, computed from this run. */
export function largeTables(results: Results): Table[] {
  const { questions, settings, history } = results;
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
  const asked = [
    ['JSON', json.objects * scale * month, json.lists * scale * month, json],
    ['history', objects, 0, fromHistory],
  ] as const;
  const parquet = history.find(({ table }) => table === 'invoices_history')?.bytes ?? 0;
  return [
    {
      title: `The month's sum per merchant, ${count(LARGE_STAGE.merchants)} merchants (computed)`,
      head: ['asked of', 'objects', 'LIST', 'scanned', 'CPU'],
      rows: asked.map(([way, opened, lists, { bytes, cpu }]) => [
        way,
        count(opened),
        count(lists),
        megabytes(bytes * scale * month),
        seconds(cpu * scale * month),
      ]),
      notes: [
        `Objects, bytes and CPU of this run × ${scale.toFixed(1)}; objects of the history by buckets and files of ${megabytes(TARGET_FILE)} at most (Parquet of the month: ${megabytes(parquet * scale * month)}).`,
      ],
    },
  ];
}
