import type { NamedQuery } from '../named-query.ts';

/** A figure of a statement, and how it is read from a manifest `d`. */
const FIGURES: Record<string, string> = {
  invoices: 'd.counts.total',
  paid: 'd.counts.paid',
  not_paid: 'd.counts.notpaid',
  cancelled: 'd.counts.cancelled',
  other: 'd.counts.other',
  paid_amount: 'd.amounts.paid',
  not_paid_amount: 'd.amounts.notpaid',
  cancelled_amount: 'd.amounts.cancelled',
  other_amount: 'd.amounts.other',
  refunds: 'd.refunds.count',
  refund_amount: 'd.refunds.total',
  payments: 'd.received.count',
  received: 'd.received.sum',
};
/** Of pages of earlier versions they are unknown. */
const OF_PAYMENTS = ['payments', 'received'];
const NAMES = Object.keys(FIGURES);

/** SQL for whether the sum of a figure is known. */
function isKnown(name: string): string {
  const known = `count(d.${name}) = count(*)`;
  return name.endsWith('_amount') || OF_PAYMENTS.includes(name)
    ? `${known} AND count(DISTINCT n.currency) = 1`
    : known;
}

function lines(texts: readonly string[], indent: string, end = ','): string {
  return texts.join(`${end}\n${indent}`);
}

function firstOf(month: string): string {
  return `CAST(CAST(${month} AS date) AS varchar)`;
}

const THIS_MONTH = "date_trunc('month', current_date)";
const BEGIN = firstOf(`${THIS_MONTH} - INTERVAL '1' MONTH`);
/** Which statements, and which days: what changes for another period. */
export const LAST_MONTH = `year = substr(${BEGIN}, 1, 4) AND part = substr(${BEGIN}, 6, 2)`;
export const DAYS_OF_LAST_MONTH = `d.day >= ${BEGIN} AND d.day < ${firstOf(THIS_MONTH)}`;

export const STATEMENTS_AGAINST_DAYS: NamedQuery = {
  name: 'statements-against-days',
  description:
    "Figures of last month's statements that are not the sum of their days, from the manifests of the revisions that the statements name. No row: all of them agree. It reads each manifest of the month.",
  sql: `-- For another month or a week, put its year and part in both places, such as year = '2026' AND part = 'W47', and its days.
WITH stated AS (
  SELECT *
  FROM latest_statements
  WHERE ${LAST_MONTH}
),
named AS (
  SELECT merchant_code, day, day_revision, currency
  FROM statement_days
  WHERE ${LAST_MONTH}
),
sealed AS (
  SELECT
    d.merchantcode AS merchant_code,
    d.day,
    d.revision,
    ${lines(
      NAMES.map((name) => `CAST(${FIGURES[name] ?? ''} AS decimal(38,3)) AS ${name}`),
      '    ',
    )}
  FROM days AS d
  WHERE ${DAYS_OF_LAST_MONTH}
),
sums AS (
  SELECT
    n.merchant_code,
    count(*) AS named_days,
    count(d.revision) AS found_days,
    -- What is unknown of one day is unknown of the sum. Amounts of several currencies have none.
    ${lines(
      NAMES.map((name) => `CASE WHEN ${isKnown(name)} THEN sum(d.${name}) END AS ${name}`),
      '    ',
    )}
  FROM named AS n
  LEFT JOIN sealed AS d
    ON d.merchant_code = n.merchant_code AND d.day = n.day AND d.revision = n.day_revision
  GROUP BY n.merchant_code
),
figures AS (
  SELECT
    s.period,
    s.merchant_code,
    s.revision,
    f.figure,
    CASE f.figure
      WHEN 'days' THEN CAST(s.sealed_days AS decimal(38,3))
      ${lines(
        NAMES.map((name) => `WHEN '${name}' THEN CAST(s.${name} AS decimal(38,3))`),
        '      ',
        '',
      )}
    END AS in_statement,
    CASE
      WHEN f.figure = 'days' THEN CAST(coalesce(t.found_days, 0) AS decimal(38,3))
      -- The sum of no days is zero.
      WHEN t.named_days IS NULL THEN 0
      ${lines(
        NAMES.map((name) => `WHEN f.figure = '${name}' THEN t.${name}`),
        '      ',
        '',
      )}
    END AS of_days
  FROM stated AS s
  LEFT JOIN sums AS t ON t.merchant_code = s.merchant_code
  CROSS JOIN (VALUES ('days'), ${NAMES.map((name) => `('${name}')`).join(', ')}) AS f (figure)
)
SELECT period, merchant_code, revision, figure, in_statement, of_days
FROM figures
WHERE in_statement IS DISTINCT FROM of_days
ORDER BY merchant_code, figure`,
};
