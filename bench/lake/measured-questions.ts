import { median } from 'simple-statistics';
import type { Measured, MeasuredLake, Taken } from './measured-lake.ts';
import { WAYS } from './questions.ts';
import type { Question, Way } from './questions.ts';

/** A question, and what it took in each way. */
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
  const middle = (amount: (taken: Measured) => number) => median(all.map(amount));
  const { answer, objects, metadata, gets, lists, puts, bytes } = first;
  return {
    text: textOf(first),
    rows: answer.rows.length,
    taken: {
      cpu: middle(({ cpu }) => cpu),
      taskCpu: middle(({ taskCpu }) => taskCpu),
      wall: middle(({ wall }) => wall),
      objects,
      metadata,
      gets,
      lists,
      puts,
      bytes,
    },
  };
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
