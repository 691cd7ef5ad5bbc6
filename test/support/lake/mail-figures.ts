import { addDays } from '#records/day/business-day.ts';
import { fileOf, objectKey } from '#lake/sql/sealed-files.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { FollowedMerchant } from '#support/follow/followed-merchant.ts';
import { CODE, DaybookWorld } from '#support/world/daybook-world.ts';

/*
 * Every figure that a reader sees in a mail is an answer of the lake, on Athena's engine and on DuckDB. A question is asked once
 * for all mails: `mail` in an answer is the day or month that its row is about; a row without it is about any.
 */

export const FIRST = '2026-08-01';
/** What `current_date` says. */
export const TODAY = '2026-11-01';
const DAYS = Array.from({ length: 92 }, (_, index) => addDays(FIRST, index));
const MONTHS = ['2026-08', '2026-09', '2026-10'];
const random = seededRandom('mails whose figures are asked for');
const ASKED = Array.from({ length: 20 }, () => random.pick(DAYS));

interface ReadMail {
  /** Its day or month. */
  of: string;
  text: string;
}

interface MonthsOfMail {
  world: DaybookWorld;
  /** All mails of twenty random days: of the morning, of later changes, and the newest page sent again. */
  reports: ReadMail[];
  statements: ReadMail[];
}

/** Three months of a merchant, morning by morning. The world is closed after the file's tests. */
export async function monthsOfMail(): Promise<MonthsOfMail> {
  const world = await DaybookWorld.start({ defaults: { charges: ['admin_charge'], lookbackDays: [] } });
  afterAll(() => world.close());
  const merchant = new FollowedMerchant(world, 'figures of mails');
  await merchant.beginAt(FIRST);
  for (const day of DAYS) {
    merchant.makeDay(day, 5);
    merchant.makeRefund(day);
    await merchant.morning(day);
  }
  for (const day of new Set(ASKED)) await world.report({ day, resend: true });
  for (const period of MONTHS) await world.statement({ merchantCode: CODE, period });
  const mails = (await world.readMails()).map(({ text }) => ({
    of: /^Reference \S+ · (\S+) · \d+ · [0-9a-f]{16}$/m.exec(text)?.[1] ?? '',
    text,
  }));
  return {
    world,
    reports: mails.filter(({ of }) => ASKED.includes(of)),
    statements: mails.filter(({ of }) => MONTHS.includes(of)),
  };
}

const AMOUNT = String.raw`(?<amount>\d[\d,]*\.\d{3})`;
/** A count beside its amount, and a difference between them. */
const PAIRS = [
  String.raw`${AMOUNT} / [+-]?(?<count>\d+)(?![\d.,])`,
  String.raw`${AMOUNT} [A-Z]{3} of it is for (?<count>\d+) older`,
  String.raw`(?<![\d.,])(?<count>\d+) (?:· (?:(?<difference>[+-]?[\d.]+) · )?|\()${AMOUNT}`,
  String.raw`(?<count>\d+) (?:more|fewer) paid, [+-]${AMOUNT}`,
  String.raw`(?<count>\d+) (?:other changes? of )?older [^:\n]*: ${AMOUNT}`,
].map((pattern) => new RegExp(pattern, 'g'));

/** The figures in a mail's text that stand beside one another, without sign. */
function figuresIn(text: string): string[][] {
  const alone = [...text.matchAll(new RegExp(AMOUNT, 'g'))].map(([amount]) => [amount]);
  const pairs = PAIRS.flatMap((pair) => [...text.matchAll(pair)]).flatMap(({ groups = {} }) => {
    const { count = '', amount = '', difference } = groups;
    return [[count, amount], ...(difference === undefined ? [] : [[difference]])];
  });
  return [...alone, ...pairs].map((values) => values.map((value) => value.replaceAll(/[,+-]/g, '')));
}

/** All values of an answer's row, also those in its JSON. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  const text = String(value);
  if (/^[[{]/.test(text)) return valuesOf(JSON.parse(text));
  return [text.replace(/^-/, '')];
}

type Rows = readonly Record<string, unknown>[];

/** Holds each figure of the mails to the answers. @returns how many there are */
function expectEach(mails: readonly ReadMail[], answers: Rows): number {
  const rows = answers.map((row) => ({ mail: row['mail'], values: new Set(valuesOf(row)) }));
  let found = 0;
  for (const { of, text } of mails) {
    const own = rows.filter(({ mail }) => mail === undefined || mail === of);
    const figures = figuresIn(text);
    expect(figures.length, of).toBeGreaterThan(3);
    const unknown = figures.filter(
      (figure) => !own.some(({ values }) => figure.every((value) => values.has(value))),
    );
    expect({ unknown, text }, of).toEqual({ unknown: [], text });
    found += figures.length;
  }
  return found;
}

/** SQL for the members of a column that is an array: engines name what they unnest in other ways. */
function each(column: string): string {
  return `CROSS JOIN UNNEST(CAST(json_parse(lower(json_format(CAST(${column} AS json)))) AS json ARRAY)) AS e (entry)`;
}

function member(name: string, type = 'varchar'): string {
  return `CAST(json_extract_scalar(e.entry, '$.${name}') AS ${type})`;
}

const MONEY = 'decimal(38,3)';
const STATES = ['paid', 'notpaid', 'cancelled', 'other'];
const COUNTS = ['total', ...STATES];
const DAYS_ASKED = `day IN (${ASKED.map((day) => `'${day}'`).join(', ')})`;

/** What the newest pages say, by the views that people ask. */
const NEWEST = [
  `SELECT day AS mail, * FROM all_days WHERE ${DAYS_ASKED}`,
  `SELECT day AS mail, query_type, count(*) AS n, sum(amount) AS amount FROM all_invoices WHERE ${DAYS_ASKED} GROUP BY day, query_type`,
  `SELECT received_date AS mail, method, count(*) AS n, sum(amount) AS amount FROM payments GROUP BY received_date, method`,
  `SELECT received_date AS mail, count(*) AS n, sum(amount) AS amount FROM payments WHERE business_date < received_date GROUP BY received_date`,
  `SELECT refund_at AS mail, state, count(*) AS n, sum(amount) AS amount FROM all_refunds GROUP BY refund_at, state`,
  'SELECT id, amount FROM all_invoices',
];

/** Pages that were replaced: what their mails said, and the old side of what changed. */
const REPLACED = `(SELECT * FROM (SELECT *, max(revision) OVER (PARTITION BY day) AS newest FROM days WHERE ${DAYS_ASKED}) AS r WHERE revision < newest) AS d`;
const EARLIER = [
  `SELECT day AS mail, revision, breakdown, ${[
    ...COUNTS.map((state) => `d.counts.${state}`),
    ...STATES.map((state) => `d.amounts.${state}`),
    ...['received', 'issued', 'refunds'].map((name) => `json_format(CAST(d.${name} AS json))`),
  ].join(', ')} FROM ${REPLACED}`,
  `SELECT day AS mail, borne, CAST(d.received.sum AS ${MONEY}) - coalesce(CAST(element_at(d.refunds.bystatus, 'approved').total AS ${MONEY}), 0) - borne AS net
   FROM (SELECT d.*, ${member('total', MONEY)} AS borne FROM ${REPLACED} ${each('d.received.charges')} WHERE ${member('column')} = 'admin_charge') AS d`,
];

/** What a later page changed. */
const CHANGED = `SELECT d.day AS mail, ${[
  ...COUNTS.map((state) => `d.counts.${state} - o.counts.${state}`),
  ...STATES.map((state) => `CAST(d.amounts.${state} AS ${MONEY}) - CAST(o.amounts.${state} AS ${MONEY})`),
  `CAST(d.received.sum AS ${MONEY}) - CAST(o.received.sum AS ${MONEY})`,
  `CAST(d.refunds.total AS ${MONEY}) - CAST(o.refunds.total AS ${MONEY})`,
]
  .map((difference, place) => `${difference} AS difference_${place}`)
  .join(', ')}
FROM days AS d JOIN days AS o ON o.day = d.day AND o.revision < d.revision WHERE d.${DAYS_ASKED}`;

/** A day against the same weekdays of the four weeks before: first readings against first readings. */
const AGAINST_WEEKDAYS = `WITH first AS (
  SELECT CAST(day AS date) AS day, ${COUNTS.map((state) => `10 * counts.${state} AS ${state}`).join(', ')}, 1000 * CAST(received.sum AS ${MONEY}) AS came_in
  FROM days WHERE revision = 1
)
SELECT own.day AS mail, ${[...COUNTS.map((state) => [state, 10] as const), ['came_in', 1000] as const]
  .map(
    ([name, unit]) =>
      `CAST((max(own.${name}) - round(sum(CAST(other.${name} AS double)) / count(*))) / ${unit} AS decimal(20,${unit === 10 ? 1 : 3})) AS ${name}`,
  )
  .join(', ')}
FROM first AS own
JOIN first AS other ON date_diff('day', other.day, own.day) IN (7, 14, 21, 28)
GROUP BY own.day`;

function recordsOf(table: 'invoices' | 'refunds', status: string): string {
  return `SELECT f.mail, f.revision, f.day, f.side, '${table}' AS kind, r.id, r.${status} AS status, CAST(r.amount AS ${MONEY}) AS amount
  FROM files AS f JOIN ${table} AS r ON r.day = f.day AND ${objectKey('r')} = f.${table}`;
}

/** What became of older invoices and refunds, as a page's mail tells it: from the page told last to the one told now. */
const SINCE_THE_LAST_REPORT = `WITH told AS (
  SELECT d.day AS mail, d.revision, ${member('day')} AS day, ${member('from', 'bigint')} AS before, ${member('to', 'bigint')} AS now
  FROM days AS d ${each('d.told')}
  WHERE d.${DAYS_ASKED}
),
files AS (
  SELECT t.mail, t.revision, t.day, CASE WHEN p.revision = t.now THEN 'is' ELSE 'was' END AS side,
    ${fileOf('invoices', 'json')} AS invoices, ${fileOf('refunds', 'json')} AS refunds
  FROM told AS t JOIN days AS p ON p.day = t.day AND p.revision IN (t.before, t.now)
),
records AS (
  ${recordsOf('invoices', 'invoice_status')}
  UNION ALL
  ${recordsOf('refunds', 'status')}
),
changes AS (
  SELECT mail, revision, kind, id,
    max(CASE WHEN side = 'was' THEN status END) AS was, max(CASE WHEN side = 'is' THEN status END) AS now,
    max(CASE WHEN side = 'was' THEN amount END) AS amount_before, max(CASE WHEN side = 'is' THEN amount END) AS amount_now
  FROM records GROUP BY mail, revision, day, kind, id
)
SELECT mail, way, count(*) AS n, sum(coalesce(amount_now, amount_before)) AS amount
FROM (
  SELECT *, CASE
    WHEN was IS NOT DISTINCT FROM now OR now IS NULL OR now = 0 THEN 'other'
    ELSE kind || ' ' || CAST(now AS varchar)
  END AS way
  FROM changes
  WHERE was IS DISTINCT FROM now OR amount_before IS DISTINCT FROM amount_now
) AS c
GROUP BY mail, revision, way`;

/** What the mail says of all older days. */
const OLDER = `SELECT day AS mail, revision, json_format(CAST(older AS json)) AS older FROM days WHERE ${DAYS_ASKED} AND older IS NOT NULL`;

const MONTHS_ASKED = `year = '2026' AND part IN (${MONTHS.map((month) => `'${month.slice(5)}'`).join(', ')})`;
const monthOf = (date: string) => `substr(CAST(${date} AS varchar), 1, 7)`;

const OF_STATEMENTS = [
  `SELECT period AS mail, * FROM latest_statements WHERE ${MONTHS_ASKED}`,
  `SELECT period AS mail, * FROM statement_days WHERE ${MONTHS_ASKED}`,
  `SELECT period AS mail, sum(received) AS received, sum(refunded) AS refunded, sum(charges) AS charges, sum(net) AS net, sum(payments) AS payments
   FROM statement_days WHERE ${MONTHS_ASKED} GROUP BY period, floor((extract(day FROM business_date) - 1) / 7.0)`,
  `SELECT ${monthOf('received_date')} AS mail, method, count(*) AS n, sum(amount) AS amount FROM payments GROUP BY 1, method`,
  `SELECT ${monthOf('refund_at')} AS mail, state, count(*) AS n, sum(amount) AS amount FROM all_refunds GROUP BY 1, state`,
];

/** @param askAll the rows of several statements, in any order */
export function describeFiguresOfMails(
  askAll: (statements: readonly string[]) => Promise<Rows>,
  { reports, statements }: Pick<MonthsOfMail, 'reports' | 'statements'>,
): void {
  describe('every figure is in an answer to one question', () => {
    it('in the mails of 20 random days, with what they say of other readings and of older days', async () => {
      const asked = [...NEWEST, ...EARLIER, CHANGED, AGAINST_WEEKDAYS, SINCE_THE_LAST_REPORT, OLDER];
      expect(expectEach(reports, await askAll(asked))).toBeGreaterThan(500);
      const text = reports.map((mail) => mail.text).join('');
      for (const said of [/Average of \d/, /Since the last report/, /\d → \d/, /^Correction: /m])
        expect(text).toMatch(said);
    }, 300_000);

    it('in the statements of three months', async () => {
      expect(statements).toHaveLength(MONTHS.length);
      expect(expectEach(statements, await askAll(OF_STATEMENTS))).toBeGreaterThan(100);
    }, 300_000);
  });
}
