import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

const UNPAID_BY_AGE: NamedQuery = {
  name: 'unpaid-by-age',
  description:
    'Unpaid invoices per merchant, currency and age, as they stood when yesterday was over, of the last 90 days, and those of them whose link had ended. Basis: the day on which the invoice was made.',
  sql: `-- For another day, put it here. An invoice that was paid after that day was unpaid on it. One that is cancelled by now is left out, whenever it was cancelled.
WITH asked AS (
  SELECT CAST(current_date - INTERVAL '1' DAY AS date) AS day
)
SELECT
  merchant_code,
  currency,
  CASE
    WHEN age_in_days <= 1 THEN '0 to 1 days'
    WHEN age_in_days <= 7 THEN '2 to 7 days'
    WHEN age_in_days <= 30 THEN '8 to 30 days'
    ELSE 'over 30 days'
  END AS age,
  count(*) AS invoices,
  sum(amount) AS amount,
  -- Of them those whose link had ended. What is left still has a working link.
  count_if(expires_at <= asked_day) AS expired,
  coalesce(sum(CASE WHEN expires_at <= asked_day THEN amount END), 0) AS expired_amount
FROM (
  SELECT i.*, a.day AS asked_day, date_diff('day', i.business_date, a.day) AS age_in_days
  FROM all_invoices AS i
  CROSS JOIN asked AS a
  WHERE ${sinceDays(90, 'i.day')} AND i.business_date <= a.day AND (i.state = 'not_paid' OR i.received_date > a.day)
)
GROUP BY 1, 2, 3
ORDER BY merchant_code, currency, min(age_in_days)`,
};

const EXPIRED_UNPAID: NamedQuery = {
  name: 'expired-unpaid',
  description:
    'Invoices whose link ended before they were paid, per merchant, currency and last day of the link, in the last 35 days. Basis: the last day of the link; of invoices made in the last 125 days.',
  sql: `SELECT CAST(expires_at AS varchar) AS last_day, merchant_code, currency, count(*) AS invoices, sum(amount) AS amount
FROM all_invoices
WHERE state = 'not_paid' AND ${sinceDays(125)}
  AND expires_at >= current_date - INTERVAL '35' DAY AND expires_at < current_date
GROUP BY expires_at, merchant_code, currency
ORDER BY expires_at DESC, merchant_code, currency`,
};

/** SQL for the share that was paid within some days; null until these days are over. */
function paidWithin(days: number): string {
  const share = `round(CAST(count_if(days <= ${days}) AS double) / count(*), 4)`;
  return `CASE WHEN date_add('day', ${days}, business_date) < current_date THEN ${share} END AS paid_within_${days}`;
}

const TIME_TO_PAYMENT: NamedQuery = {
  name: 'time-to-payment',
  description:
    'How long it takes until an invoice is paid, per merchant, currency and day on which it was made, in the last 120 days: the median, and the shares that were paid on that day or at most 1, 3, 7 and 30 days later, null until these are over. Basis: all invoices made on the day.',
  sql: `-- The median is of those paid by now, the lower one of two. A share is of all invoices made on the day, also the cancelled ones.
SELECT
  CAST(business_date AS varchar) AS day,
  merchant_code,
  currency,
  count(*) AS invoices,
  count(days) AS paid,
  element_at(array_sort(array_agg(days) FILTER (WHERE days IS NOT NULL)), CAST(floor((count(days) + 1) / 2) AS bigint)) AS median_days,
  ${[1, 3, 7, 30].map(paidWithin).join(',\n  ')}
FROM (
  SELECT business_date, merchant_code, currency, date_diff('day', business_date, received_date) AS days
  FROM all_invoices
  WHERE state IS NOT NULL AND ${sinceDays(120)}
)
GROUP BY business_date, merchant_code, currency
ORDER BY business_date DESC, merchant_code, currency`,
};

const PERHAPS_PAID_TWICE: NamedQuery = {
  name: 'perhaps-paid-twice',
  description:
    'Paid invoices of the last 35 days with the same reference, amount and customer, also of different days. It reads columns with personal data, and shows none.',
  sql: `SELECT
  merchant_code,
  reference_number,
  currency,
  amount,
  count(*) AS invoices,
  array_agg(id ORDER BY day, id) AS ids,
  min(day) AS first_day,
  max(day) AS last_day
FROM (
  SELECT
    merchant_code, id, day, currency, amount, trim(reference_number) AS reference_number,
    -- The phone number, else the e-mail address, else the name.
    coalesce(
      nullif(trim(customer_phone_number), ''),
      nullif(lower(trim(customer_email)), ''),
      nullif(trim(customer_name), '')
    ) AS customer
  FROM all_invoices_with_customers
  WHERE state = 'paid' AND ${sinceDays(35)}
)
WHERE reference_number <> '' AND customer IS NOT NULL
GROUP BY merchant_code, reference_number, currency, amount, customer
HAVING count(*) > 1
ORDER BY merchant_code, last_day DESC, reference_number`,
};

const HISTORY_OF_A_MERCHANT: NamedQuery = {
  name: 'history-of-a-merchant',
  description:
    "One merchant's invoices per month, currency and state over a year. Basis: the day on which the invoice was made; the state is that of the last reading.",
  sql: `-- Put the merchant's code here. Merged days are read from the merchant's part of the history.
SELECT
  substr(day, 1, 7) AS month,
  currency,
  state,
  count(*) AS invoices,
  sum(amount) AS amount
FROM all_invoices
WHERE merchant_code = '700001' AND ${sinceDays(365)}
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3`,
};

export const INVOICE_QUERIES: readonly NamedQuery[] = [
  UNPAID_BY_AGE,
  TIME_TO_PAYMENT,
  EXPIRED_UNPAID,
  PERHAPS_PAID_TWICE,
  HISTORY_OF_A_MERCHANT,
];
