import { known, rateOf, sinceDays, sinceMonths } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

/** Payments of invoices that were made up to `followFor` before: 90 days, unless the registry says otherwise. */
const FOLLOWED = 90;
const RAISE = `Invoices made up to ${FOLLOWED} days before count; where followFor is longer, raise the days of "day >=".`;

const CAME_IN: NamedQuery = {
  name: 'came-in',
  description:
    'What came in, per day, merchant, currency and payment method, in the last 35 days. Basis: the day of the payment, whatever day the invoice was made.',
  sql: `-- Over all methods it is "Came in" of the day's mail. ${RAISE}
SELECT
  CAST(received_date AS varchar) AS day,
  merchant_code,
  currency,
  method,
  count(*) AS payments,
  sum(amount) AS came_in,
  coalesce(sum(CASE WHEN business_date < received_date THEN amount END), 0) AS came_in_of_earlier,
  ${known('charge_of_paid', 'charges')}
FROM payments
WHERE ${sinceDays(35 + FOLLOWED)} AND received_date >= current_date - INTERVAL '35' DAY
GROUP BY received_date, merchant_code, currency, method
ORDER BY day DESC, merchant_code, currency, method`,
};

const CHARGES_BY_METHOD: NamedQuery = {
  name: 'charges-by-method',
  description:
    'Charges that the merchant bears, per month, merchant, currency and payment method, of this month and the two before. Basis: the day of the payment.',
  sql: `-- charge_percent: of each hundred that came in. Charges are null where one of them is no amount. ${RAISE}
SELECT
  substr(CAST(received_date AS varchar), 1, 7) AS month,
  merchant_code,
  currency,
  method,
  count(*) AS payments,
  sum(amount) AS came_in,
  ${known('charge_of_paid', 'charges')},
  ${rateOf('sum(charge_of_paid)', 'sum(amount)')} AS charge_percent
FROM payments
WHERE ${sinceDays(93 + FOLLOWED)} AND received_date >= date_trunc('month', current_date) - INTERVAL '2' MONTH
GROUP BY 1, 2, 3, 4
ORDER BY 1 DESC, 2, 3, 4`,
};

const NET_BY_MONTH: NamedQuery = {
  name: 'net-by-month',
  description:
    'What came in, approved refunds, charges and net, per month, merchant and currency, of a year. Basis: what happened in the month, as in the statement.',
  sql: `-- What is unknown of one day is unknown of its month: days_without_net counts them. A day without a page is not counted: merchants-without-a-page has it.
SELECT
  substr(day, 1, 7) AS month,
  merchant_code,
  currency,
  count(*) AS days,
  count_if(net IS NULL) AS days_without_net,
  ${['came_in', 'approved_refunds', 'charges', 'net'].map((name) => known(name)).join(',\n  ')}
FROM all_days
WHERE ${sinceMonths(11)}
GROUP BY 1, 2, 3
ORDER BY 1 DESC, 2, 3`,
};

/** A query of refunds. One may be on the pages of several days: its newest reading, which counts, has `reading` 1. */
function readings(since: string): string {
  return `SELECT *, row_number() OVER (PARTITION BY merchant_code, id ORDER BY updated_at DESC NULLS LAST, day DESC) AS reading
    FROM all_refunds
    WHERE ${since}`;
}

const REFUND_RATE: NamedQuery = {
  name: 'refund-rate',
  description:
    'Approved refunds of each hundred that came in, per month, merchant and currency, of this month and the two before. On both bases: refunds given in the month, and refunds of its sales, whenever they were given.',
  sql: `WITH months AS (
  SELECT
    substr(day, 1, 7) AS month,
    merchant_code,
    currency,
    ${known('came_in')},
    ${known('approved_refunds', 'refunded')}
  FROM all_days
  WHERE ${sinceMonths(2)}
  GROUP BY 1, 2, 3
),
of_sales AS (
  SELECT substr(CAST(transaction_date AS varchar), 1, 7) AS month, merchant_code, currency, sum(amount) AS refunded
  FROM (
    ${readings(sinceMonths(2))}
  )
  WHERE reading = 1 AND state = 'approved'
  GROUP BY 1, 2, 3
)
SELECT
  m.month,
  m.merchant_code,
  m.currency,
  m.came_in,
  m.refunded,
  ${rateOf('m.refunded', 'm.came_in')} AS refund_percent,
  coalesce(s.refunded, 0) AS refunded_of_sales,
  ${rateOf('coalesce(s.refunded, 0)', 'm.came_in')} AS refund_percent_of_sales
FROM months AS m
LEFT JOIN of_sales AS s
  ON s.month = m.month AND s.merchant_code = m.merchant_code AND s.currency = m.currency
ORDER BY 1 DESC, 2, 3`,
};

const REFUNDS_ON_BOTH_BASES: NamedQuery = {
  name: 'refunds-on-both-bases',
  description:
    "Refunds per merchant and day by the date of the refund and by the date of the sale, by currency and state, in the last 35 days. By the sale: every sealed refund of the day's sales, whenever it was given. A row without a day has those without a usable date.",
  sql: `WITH readings AS (
  ${readings(sinceDays(35))}
),
-- Each refund twice: on its own day, and on that of its sale.
based AS (
  SELECT r.*, b.basis, CASE b.basis WHEN 'refund' THEN r.refund_at ELSE CAST(r.transaction_date AS date) END AS its_day
  FROM readings AS r
  CROSS JOIN (VALUES ('refund'), ('sale')) AS b (basis)
  WHERE r.reading = 1
)
SELECT
  CAST(its_day AS varchar) AS day,
  merchant_code,
  currency,
  state,
  count_if(basis = 'refund') AS refunds,
  coalesce(sum(CASE WHEN basis = 'refund' THEN amount END), 0) AS refund_amount,
  count_if(basis = 'sale') AS refunds_of_sales,
  coalesce(sum(CASE WHEN basis = 'sale' THEN amount END), 0) AS refund_amount_of_sales
FROM based
WHERE its_day IS NULL OR its_day >= current_date - INTERVAL '35' DAY
GROUP BY its_day, merchant_code, currency, state
ORDER BY its_day DESC NULLS FIRST, merchant_code, currency, state`,
};

export const MONEY_QUERIES: readonly NamedQuery[] = [
  CAME_IN,
  NET_BY_MONTH,
  CHARGES_BY_METHOD,
  REFUND_RATE,
  REFUNDS_ON_BOTH_BASES,
];
