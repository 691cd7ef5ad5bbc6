import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const PERHAPS_PAID_TWICE: NamedQuery = {
  name: 'perhaps-paid-twice',
  description:
    'Paid invoices of the last 35 days with the same reference, amount and customer, also of different days. It reads columns with personal data, and shows none.',
  sql: `-- 1 is "paid" where the registry's invoiceStatuses says so; the contract shows no values.
SELECT
  merchant_code,
  reference_number,
  amount,
  count(*) AS invoices,
  array_agg(id ORDER BY day, id) AS ids,
  min(day) AS first_day,
  max(day) AS last_day
FROM (
  SELECT
    merchant_code, id, day, amount, trim(reference_number) AS reference_number,
    -- The phone number, else the e-mail address, else the name.
    coalesce(
      nullif(trim(customer_phone_number), ''),
      nullif(lower(trim(customer_email)), ''),
      nullif(trim(customer_name), '')
    ) AS customer
  FROM latest_invoices
  WHERE invoice_status = 1 AND ${sinceDays(35)}
)
WHERE reference_number <> '' AND customer IS NOT NULL
GROUP BY merchant_code, reference_number, amount, customer
HAVING count(*) > 1
ORDER BY merchant_code, last_day DESC, reference_number`,
};
