import type { Day } from '#records/day/business-day.ts';
import { fileOf, newestSealed, objectKey } from '#lib/lake/sealed-files.ts';

/** The ways to ask a question. */
export const WAYS = ['json', 'history', 'all'] as const;
export type Way = (typeof WAYS)[number];

/** A question that an analyst asks, in each way. All give the same rows. */
export interface Question {
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

/** The objects of one merchant alone, through the tables by merchant. */
function yearFromJson(merchantCode: string, days: string): string {
  const own = `merchant = '${merchantCode}' AND ${days}`;
  return `WITH sealed AS (
  SELECT day, ${fileOf('invoices', 'json')} AS file FROM ${newestSealed(`merchant_days WHERE ${own}`)}
), pulled AS (
  SELECT day, invoice_status, amount, ${objectKey('merchant_invoices')} AS file FROM merchant_invoices WHERE ${own}
)
SELECT substr(r.day, 1, 7) AS month, r.invoice_status, count(*) AS invoices, sum(CAST(r.amount AS decimal(38,3))) AS amount
FROM pulled AS r JOIN sealed AS s ON r.day = s.day AND r.file = s.file
GROUP BY 1, 2`;
}

/** One merchant's invoices by month and status. */
export function yearQuestion(merchantCode: string, days: readonly Day[]): Question {
  const range = `day BETWEEN '${days[0] ?? ''}' AND '${days.at(-1) ?? ''}'`;
  const sql = (table: string) =>
    `SELECT substr(day, 1, 7) AS month, invoice_status, count(*) AS invoices, sum(amount) AS amount FROM ${table} WHERE merchant_code = '${merchantCode}' AND ${range} GROUP BY 1, 2`;
  return {
    name: "one merchant's year",
    sql: {
      json: yearFromJson(merchantCode, range),
      history: sql('invoices_history'),
      all: sql('all_invoices'),
    },
  };
}
