import { afterAll, beforeAll, expect, it as test } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { FollowedMerchant } from '#support/follow/followed-merchant.ts';
import { HAS_DUCKDB, askDuckdb } from '#support/lake/duckdb.ts';
import { CODE, DaybookWorld } from '#support/world/daybook-world.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';

/*
 * Every figure that a reader sees in a mail is an answer of the lake. DuckDB has Athena's views; test/lake holds both engines to
 * the same answers.
 */

const it = HAS_DUCKDB ? test : test.skip;
const FIRST = '2026-08-01';
const DAYS = Array.from({ length: 92 }, (_, index) => addDays(FIRST, index));
const MONTHS = ['2026-08', '2026-09', '2026-10'];
const random = seededRandom('mails whose figures are asked for');
const ASKED = Array.from({ length: 20 }, () => random.pick(DAYS));

let world: DaybookWorld;
beforeAll(async () => {
  world = await DaybookWorld.start({ defaults: { charges: ['admin_charge'], lookbackDays: [] } });
  const merchant = new FollowedMerchant(world, 'figures of mails');
  await merchant.beginAt(FIRST);
  for (const day of DAYS) {
    merchant.makeDay(day, 5);
    merchant.makeRefund(day);
    await merchant.morning(day);
  }
}, 600_000);
afterAll(() => world.close());

const AMOUNT = String.raw`(\d[\d,]*\.\d{3})`;
/** A count beside its amount, in either order. */
const PAIRS = [
  new RegExp(String.raw`${AMOUNT} / [+-]?(?<count>\d+)(?![\d.,])`, 'g'),
  new RegExp(String.raw`(?<![\d.,])(?<count>\d+) (?:· (?:[+-]?[\d.]+ · )?|\()${AMOUNT}`, 'g'),
];

interface Figures {
  amounts: string[];
  pairs: { count: string; amount: string }[];
}

/** The figures in a mail's text, without sign. */
function figuresIn(text: string): Figures {
  const plain = (amount = '') => amount.replaceAll(',', '');
  return {
    amounts: [...text.matchAll(new RegExp(AMOUNT, 'g'))].map(([amount]) => plain(amount)),
    pairs: PAIRS.flatMap((pair) =>
      [...text.matchAll(pair)].map((found) => ({
        count: found.groups?.['count'] ?? '',
        amount: plain(found[1]?.includes('.') === true ? found[1] : found[2]),
      })),
    ),
  };
}

/** What a mail says of other readings: of days before, and of its own day before a change. */
function withoutComparisons(text: string): string {
  return text
    .replaceAll(/Average of [^\n]*? KWD\./g, '')
    .replaceAll(/^Correction: .*$/gm, '')
    .replaceAll(/[\d,.]+ → /g, '')
    .replace(/Since the last report\n-+\n(?: .*\n)+/, '');
}

/** All values of an answer's row, also those in its JSON. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  const text = String(value);
  if (/^[[{]/.test(text)) return valuesOf(JSON.parse(text));
  return [text.replace(/^-/, '')];
}

interface ReadMail {
  /** Its day or month. */
  of: string;
  text: string;
  questions: string[];
}

/** Holds each figure of the mails to the answers to their questions. */
async function expectEach(mails: readonly ReadMail[]): Promise<void> {
  const named = mails.flatMap(({ of, questions }) =>
    questions.map((sql, place) => [`${of} ${place}`, sql] as const),
  );
  const answers = await askDuckdb(world.folder, '2026-11-01', Object.fromEntries(named));
  let found = 0;
  for (const { of, text, questions } of mails) {
    const rows = questions
      .flatMap((_, place) => answers[`${of} ${place}`] ?? [])
      .map((row) => new Set(valuesOf(row)));
    const inRow = (...values: string[]) => rows.some((row) => values.every((value) => row.has(value)));
    const { amounts, pairs } = figuresIn(text);
    expect(amounts.length, of).toBeGreaterThan(3);
    const unknown = amounts.filter((amount) => !inRow(amount));
    const apart = pairs.filter(({ count, amount }) => !inRow(count, amount));
    expect({ unknown, apart }, of).toEqual({ unknown: [], apart: [] });
    found += amounts.length + pairs.length;
  }
  expect(found).toBeGreaterThan(100);
}

it('every figure in the mails of 20 random days is in an answer to one question', async () => {
  const mails: ReadMail[] = [];
  for (const day of ASKED) {
    await world.report({ day, resend: true });
    const { text } = await world.lastMail();
    const questions = [
      `SELECT * FROM all_days WHERE day = '${day}'`,
      `SELECT query_type, count(*), sum(amount) FROM all_invoices WHERE day = '${day}' GROUP BY 1`,
      `SELECT method, count(*), sum(amount) FROM payments WHERE received_date = DATE '${day}' GROUP BY 1`,
      `SELECT state, count(*), sum(amount) FROM all_refunds WHERE refund_at = DATE '${day}' GROUP BY 1`,
      'SELECT id, amount FROM all_invoices',
    ];
    mails.push({ of: day, text: withoutComparisons(text), questions });
  }
  await expectEach(mails);
}, 300_000);

it('every figure in the statements of three months is in an answer to one question', async () => {
  const mails: ReadMail[] = [];
  for (const period of MONTHS) {
    await world.statement({ merchantCode: CODE, period });
    const { text } = await world.lastMail();
    const [year, part] = period.split('-');
    const its = `year = '${year}' AND part = '${part}'`;
    const week = '(extract(day FROM business_date) - 1) // 7';
    const questions = [
      `SELECT * FROM latest_statements WHERE ${its}`,
      `SELECT * FROM statement_days WHERE ${its}`,
      `SELECT sum(received), sum(refunded), sum(charges), sum(net), sum(payments) FROM statement_days WHERE ${its} GROUP BY ${week}`,
      `SELECT method, count(*), sum(amount) FROM payments WHERE strftime(received_date, '%Y-%m') = '${period}' GROUP BY 1`,
      `SELECT state, count(*), sum(amount) FROM all_refunds WHERE strftime(refund_at, '%Y-%m') = '${period}' GROUP BY 1`,
    ];
    mails.push({ of: period, text, questions });
  }
  await expectEach(mails);
}, 300_000);
