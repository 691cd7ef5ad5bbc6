import { median } from 'simple-statistics';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Measured, MeasuredLake, Taken } from './measured-lake.ts';

export const WAYS = ['json', 'history', 'all'] as const;
export type Way = (typeof WAYS)[number];

interface Question {
  name: string;
  sql: Record<Way, string>;
}

type Subject = 'invoices' | 'refunds' | 'days';

function tableOf(subject: Subject, way: Way): string {
  const names = { json: `latest_${subject}`, history: `${subject}_history`, all: `all_${subject}` };
  return names[way];
}

function question(name: string, subject: Subject, sqlOf: (table: string) => string): Question {
  const sql = (way: Way) => sqlOf(tableOf(subject, way));
  return { name, sql: { json: sql('json'), history: sql('history'), all: sql('all') } };
}

/** The questions about a month. @param days of the month, oldest first */
export function monthQuestions(days: readonly Day[]): Question[] {
  const [first = ''] = days;
  const last = days.at(-1) ?? '';
  const middle = days[Math.floor(days.length / 2)] ?? '';
  const month = `day BETWEEN '${first}' AND '${last}'`;
  return [
    question(
      'sum per merchant',
      'invoices',
      (table) =>
        `SELECT merchant_code, count(*) AS invoices, sum(amount) AS amount FROM ${table} WHERE ${month} GROUP BY 1`,
    ),
    question(
      'counts per day',
      'days',
      (table) =>
        `SELECT day, count(*) AS merchants, sum(invoices) AS invoices, sum(paid) AS paid, sum(paid_amount) AS amount FROM ${table} WHERE ${month} GROUP BY 1`,
    ),
    question(
      'refunds per status',
      'refunds',
      (table) =>
        `SELECT merchant_code, status, count(*) AS refunds, sum(amount) AS amount FROM ${table} WHERE ${month} GROUP BY 1, 2`,
    ),
    question(
      'one day',
      'invoices',
      (table) =>
        `SELECT merchant_code, count(*) AS invoices, sum(amount) AS amount FROM ${table} WHERE day = '${middle}' GROUP BY 1`,
    ),
  ];
}

export interface MeasuredQuestion {
  name: string;
  rows: number;
  taken: Record<Way, Taken>;
}

/** A quick statement is asked several times. */
const QUICK = 3_000;
const TIMES = 5;

/** The rows as sorted text, because the engine gives them in any order. */
function textOf({ answer }: Measured): string {
  return answer.rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join('\n');
}

async function ask(lake: MeasuredLake, sql: string): Promise<{ taken: Taken; text: string; rows: number }> {
  const first = await lake.run(sql);
  const all = [first];
  // The first time, the engine also compiles the statement and loads classes. So the first run of a quick statement is not counted.
  if (first.cpu < QUICK) {
    all.length = 0;
    for (let turn = 0; turn < TIMES; turn += 1) all.push(await lake.run(sql));
  }
  const { answer, ...taken } = first;
  const cpu = median(all.map((each) => each.cpu));
  return { text: textOf(first), rows: answer.rows.length, taken: { ...taken, cpu } };
}

/** Asks a question in each way. @throws Error when the answers differ */
export async function measureQuestion(
  lake: MeasuredLake,
  { name, sql }: Question,
): Promise<MeasuredQuestion> {
  const answers = new Map<Way, Awaited<ReturnType<typeof ask>>>();
  for (const way of WAYS) answers.set(way, await ask(lake, sql[way]));
  const [json, history, all] = WAYS.map((way) => answers.get(way));
  if (json === undefined || history === undefined || all === undefined) throw new Error(`${name}: not asked`);
  if (json.rows === 0) throw new Error(`${name}: no rows`);
  if (history.text !== json.text)
    throw new Error(`${name}: the history's answer is not that of the JSON objects`);
  if (all.text !== json.text) throw new Error(`${name}: the view's answer is not that of the JSON objects`);
  return {
    name,
    rows: json.rows,
    taken: { json: json.taken, history: history.taken, all: all.taken },
  };
}

export interface MeasuredQuery {
  name: string;
  taken: Taken;
}

/** Asks each named query. */
export async function measureNamedQueries({ run }: MeasuredLake): Promise<MeasuredQuery[]> {
  const measured: MeasuredQuery[] = [];
  for (const { name, sql } of NAMED_QUERIES) {
    const { answer: _, ...taken } = await run(sql);
    measured.push({ name, taken });
  }
  return measured;
}
