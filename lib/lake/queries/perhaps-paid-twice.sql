-- Paid invoices of the last 35 days with the same reference, amount and customer, also of different days. It reads columns with personal data, and shows none.
SELECT
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
  WHERE state = 'paid' AND day >= CAST(CAST(current_date - INTERVAL '35' DAY AS date) AS varchar)
)
WHERE reference_number <> '' AND customer IS NOT NULL
GROUP BY merchant_code, reference_number, currency, amount, customer
HAVING count(*) > 1
ORDER BY merchant_code, last_day DESC, reference_number;
