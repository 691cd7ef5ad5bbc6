-- The lake in DuckDB 1.4 or later, without Athena: the same views with the same columns, from the same definitions.
-- npm run dictionary writes this file. docs/without-athena.md says how to use it.
--
-- "lake" is the bucket (s3://<bucket>) or a folder with a copy of it. "days" says which files are looked for, such as
-- '2026-11-*', and "periods" which statements. Set them before this file is read, or leave them out.
SET VARIABLE lake = coalesce(getvariable('lake'), '.local/s3/daybook');
SET VARIABLE days = coalesce(getvariable('days'), '*');
SET VARIABLE periods = coalesce(getvariable('periods'), '*');

-- There may be no statement yet, and no file of merchants. Then any manifest stands for them, and no view shows it.
SET VARIABLE no_files = (SELECT min(file) FROM glob(getvariable('lake') || '/days/day=' || getvariable('days') || '/merchant=*/r*.json'));
SET VARIABLE statements = (SELECT coalesce(list(file), [getvariable('no_files')]) FROM glob(getvariable('lake') || '/statements/period=' || getvariable('periods') || '/merchant=*/r*.json'));
SET VARIABLE registered = (SELECT coalesce(list(file), [getvariable('no_files')]) FROM glob(getvariable('lake') || '/lake/merchants/*.jsonl'));

-- Functions of Athena that DuckDB has not, or has in another sense.
CREATE OR REPLACE MACRO if_then(condition, a) AS CASE WHEN condition THEN a END,
  (condition, a, b) AS CASE WHEN condition THEN a ELSE b END;
CREATE OR REPLACE MACRO greatest(a, b) AS CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN system.main.greatest(a, b) END;
CREATE OR REPLACE MACRO element_at(items, place) AS items[place];
CREATE OR REPLACE MACRO sum_of(items) AS CASE WHEN items IS NOT NULL THEN coalesce(list_sum(items), 0) END;
CREATE OR REPLACE MACRO multimap_from_entries(entries) AS
  map_from_entries(list_transform(entries, lambda e: row(e[1], [e[2]])));
CREATE OR REPLACE MACRO from_iso8601_timestamp(moment) AS CAST(moment AS TIMESTAMPTZ);
CREATE OR REPLACE MACRO from_unixtime(seconds) AS to_timestamp(seconds);
CREATE OR REPLACE MACRO with_timezone(moment, zone) AS timezone(zone, moment);
CREATE OR REPLACE MACRO at_timezone(moment, zone) AS timezone(zone, moment);
CREATE OR REPLACE MACRO date_add(unit, days, date) AS date + to_days(days);
CREATE OR REPLACE MACRO sequence(first, last) AS CAST(generate_series(first, last, INTERVAL '1' DAY) AS DATE[]);
CREATE OR REPLACE MACRO regexp_like(text, pattern) AS regexp_matches(text, pattern);
CREATE OR REPLACE MACRO regexp_extract(text, pattern) AS nullif(system.main.regexp_extract(text, pattern), ''),
  (text, pattern, part) AS nullif(system.main.regexp_extract(text, pattern, part), '');
CREATE OR REPLACE MACRO regexp_replace(text, pattern, new) AS system.main.regexp_replace(text, pattern, new, 'g');
CREATE OR REPLACE MACRO json_extract_scalar(document, path) AS json_extract_string(document, path);
CREATE OR REPLACE MACRO json_parse(text) AS CAST(text AS JSON);
CREATE OR REPLACE MACRO json_format(document) AS CAST(document AS VARCHAR);
CREATE OR REPLACE MACRO json_size(document, path) AS len(json_keys(document, path));

CREATE OR REPLACE VIEW "invoices" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'invoices/json/day=.*$') AS "$path", * EXCLUDE (filename, merchant)
FROM read_json(
  getvariable('lake') || '/invoices/json/day=' || getvariable('days') || '/merchant=*/*.jsonl.gz',
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
    '_merchant_code': 'VARCHAR',
    '_day': 'VARCHAR',
    '_query_type': 'VARCHAR',
    'id': 'BIGINT',
    'invoice_type': 'BIGINT',
    'invoice_sub_type': 'BIGINT',
    'order_drop_id': 'BIGINT',
    'token': 'VARCHAR',
    'access_key': 'VARCHAR',
    'split_access_key': 'VARCHAR',
    'merchant_id': 'VARCHAR',
    'reference_number': 'VARCHAR',
    'amount': 'VARCHAR',
    'admin_charge': 'VARCHAR',
    'service_charge': 'VARCHAR',
    'subscription': 'BIGINT',
    'discount': 'VARCHAR',
    'description': 'VARCHAR',
    'sms_response': 'VARCHAR',
    'invoice_status': 'BIGINT',
    'payment_method': 'VARCHAR[]',
    'sms_status': 'BIGINT',
    'url_status': 'BIGINT',
    'visited_count': 'BIGINT',
    'country_id': 'BIGINT',
    'created_id': 'BIGINT',
    'language': 'VARCHAR',
    'expires_at': 'VARCHAR',
    'url': 'VARCHAR',
    'spliturl': 'VARCHAR',
    'created_at': 'VARCHAR',
    'updated_at': 'VARCHAR',
    'rentperiod': 'VARCHAR',
    'transaction': 'STRUCT("payment_type_id" VARCHAR, "payment_id" VARCHAR, "post_date" VARCHAR, "result_code" VARCHAR, "track_id" VARCHAR, "transaction_id" VARCHAR, "reference_number" VARCHAR, "payment_type" VARCHAR, "paid_on" VARCHAR, "Auth" VARCHAR, "Amount" VARCHAR, "admin_charge" VARCHAR)',
    'customer': 'STRUCT("name" VARCHAR, "email" VARCHAR, "phone_number" VARCHAR)',
    'created_by_merchant': 'STRUCT("id" BIGINT, "name" VARCHAR)',
    'products': 'VARCHAR'
  }
) WHERE "$path" IS NOT NULL;

CREATE OR REPLACE VIEW "refunds" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'refunds/json/day=.*$') AS "$path", * EXCLUDE (filename, merchant)
FROM read_json(
  getvariable('lake') || '/refunds/json/day=' || getvariable('days') || '/merchant=*/*.jsonl.gz',
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
    '_merchant_code': 'VARCHAR',
    '_day': 'VARCHAR',
    '_query_type': 'VARCHAR',
    'id': 'BIGINT',
    'merchant_id': 'BIGINT',
    'amount': 'VARCHAR',
    'refund_at': 'VARCHAR',
    'document_number': 'VARCHAR',
    'token': 'VARCHAR',
    'transaction_date': 'VARCHAR',
    'order_reference_number': 'VARCHAR',
    'recover_method': 'VARCHAR',
    'status': 'BIGINT',
    'refund_method': 'VARCHAR',
    'remarks': 'VARCHAR',
    'approved_by': 'VARCHAR',
    'total_balance_amount': 'VARCHAR',
    'total_refunded_amount': 'VARCHAR',
    'total_transaction_amount': 'VARCHAR',
    'created_at': 'VARCHAR',
    'updated_at': 'VARCHAR',
    'transaction': 'STRUCT("id" BIGINT, "amount" DOUBLE, "admin_charge" DOUBLE, "token" VARCHAR, "payment_id" BIGINT, "payment_name" VARCHAR, "display_name" VARCHAR, "track_id" VARCHAR, "transaction_id" VARCHAR, "service_id" BIGINT, "auth" VARCHAR, "status" BIGINT, "created_at" VARCHAR)'
  }
) WHERE "$path" IS NOT NULL;

CREATE OR REPLACE VIEW "days" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'days/day=.*$') AS "$path", * EXCLUDE (filename, merchant)
FROM read_json(
  getvariable('lake') || '/days/day=' || getvariable('days') || '/merchant=*/r*.json',
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
    'merchantCode': 'VARCHAR',
    'merchantId': 'VARCHAR',
    'revision': 'BIGINT',
    'pull': 'VARCHAR',
    'pulledAt': 'VARCHAR',
    'soFarUntil': 'VARCHAR',
    'scheduledTime': 'VARCHAR',
    'balanced': 'BOOLEAN',
    'differences': 'VARCHAR',
    'notCompared': 'VARCHAR',
    'counts': 'STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT)',
    'amounts': 'STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR)',
    'refunds': 'STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR)), "saleBasis" STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR))))',
    'breakdown': 'VARCHAR',
    'received': 'STRUCT("count" BIGINT, "sum" VARCHAR, "ofEarlier" STRUCT("count" BIGINT, "sum" VARCHAR), "byMethod" STRUCT("count" BIGINT, "amount" VARCHAR, "method" VARCHAR)[], "charges" STRUCT("column" VARCHAR, "total" VARCHAR)[], "basis" STRUCT("paidOn" BIGINT, "seen" BIGINT, "otherCurrency" BIGINT))',
    'issued': 'STRUCT("count" BIGINT, "sum" VARCHAR, "paid" STRUCT("count" BIGINT, "sum" VARCHAR), "notPaid" STRUCT("count" BIGINT, "sum" VARCHAR), "cancelled" STRUCT("count" BIGINT, "sum" VARCHAR), "other" STRUCT("count" BIGINT, "sum" VARCHAR))',
    'open': 'STRUCT("count" BIGINT, "sum" VARCHAR)',
    'outcomes': 'STRUCT("paid" STRUCT("count" BIGINT, "amount" VARCHAR, "day" VARCHAR, "seen" BIGINT, "byMethod" STRUCT("count" BIGINT, "amount" VARCHAR, "method" VARCHAR)[], "charges" STRUCT("column" VARCHAR, "total" VARCHAR)[])[], "cancelled" STRUCT("count" BIGINT, "amount" VARCHAR, "day" VARCHAR)[], "open" STRUCT("count" BIGINT, "amount" VARCHAR, "lastDay" VARCHAR)[], "other" STRUCT("count" BIGINT, "amount" VARCHAR), "seen" STRUCT("day" VARCHAR, "ids" VARCHAR[])[])',
    'followed': 'STRUCT("stated" MAP(VARCHAR, STRUCT("listed" BIGINT, "total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT)), "pendingRefunds" VARCHAR[])',
    'told': 'STRUCT("day" VARCHAR, "from" BIGINT, "to" BIGINT)[]',
    'older': 'STRUCT("expired" STRUCT("count" BIGINT, "sum" VARCHAR), "leaving" STRUCT("count" BIGINT, "sum" VARCHAR, "until" VARCHAR))',
    'first': 'STRUCT("balanced" BOOLEAN, "counts" STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT), "amounts" STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR), "received" STRUCT("count" BIGINT, "sum" VARCHAR), "refunds" STRUCT("count" BIGINT, "total" VARCHAR))',
    'missingRefundIds': 'VARCHAR[]',
    'digest': 'VARCHAR',
    'drift': 'VARCHAR',
    'history': 'VARCHAR',
    'previous': 'VARCHAR',
    'files': 'STRUCT("table" VARCHAR, "format" VARCHAR, "key" VARCHAR, "rows" BIGINT, "bytes" BIGINT, "sha256" VARCHAR)[]',
    'currency': 'VARCHAR',
    'timeZone': 'VARCHAR',
    'invoiceStatuses': 'MAP(VARCHAR, VARCHAR)',
    'refundStatuses': 'MAP(VARCHAR, VARCHAR)',
    'charges': 'VARCHAR[]',
    'merchantName': 'VARCHAR'
  }
) WHERE "$path" IS NOT NULL;

CREATE OR REPLACE VIEW "statements" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'statements/period=.*$') AS "$path", * EXCLUDE filename, regexp_extract("$path", 'period=([0-9]{4})-', 1) AS "year", regexp_extract("$path", 'period=[0-9]{4}-([^/]+)', 1) AS "part"
FROM read_json(
  getvariable('statements'),
  format = 'newline_delimited', filename = true, ignore_errors = true,
  columns = {
    'merchantCode': 'VARCHAR',
    'period': 'VARCHAR',
    'from': 'VARCHAR',
    'to': 'VARCHAR',
    'revision': 'BIGINT',
    'currency': 'VARCHAR',
    'sealedAt': 'VARCHAR',
    'asOf': 'STRUCT("oldest" VARCHAR, "newest" VARCHAR)',
    'scheduledTime': 'VARCHAR',
    'final': 'BOOLEAN',
    'days': 'STRUCT("day" VARCHAR, "revision" BIGINT, "balanced" BOOLEAN, "counts" STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT), "amounts" STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR), "refunds" STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR)), "saleBasis" STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR)))), "net" STRUCT("basis" VARCHAR, "received" VARCHAR, "refunded" VARCHAR, "pending" STRUCT("count" BIGINT, "total" VARCHAR), "chargeColumns" VARCHAR[], "charges" VARCHAR, "net" VARCHAR, "unknown" VARCHAR[]), "received" STRUCT("count" BIGINT, "sum" VARCHAR, "ofEarlier" STRUCT("count" BIGINT, "sum" VARCHAR), "basis" STRUCT("paidOn" BIGINT, "seen" BIGINT, "otherCurrency" BIGINT)), "currency" VARCHAR, "isAssumed" BOOLEAN)[]',
    'missing': 'VARCHAR',
    'unbalanced': 'VARCHAR[]',
    'counts': 'STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT)',
    'amounts': 'STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR)',
    'refunds': 'STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR)), "saleBasis" STRUCT("count" BIGINT, "total" VARCHAR, "byStatus" MAP(VARCHAR, STRUCT("count" BIGINT, "total" VARCHAR))))',
    'net': 'STRUCT("basis" VARCHAR, "received" VARCHAR, "refunded" VARCHAR, "pending" STRUCT("count" BIGINT, "total" VARCHAR), "chargeColumns" VARCHAR[], "charges" VARCHAR, "net" VARCHAR, "unknown" VARCHAR[])',
    'breakdown': 'VARCHAR',
    'received': 'STRUCT("count" BIGINT, "sum" VARCHAR, "ofEarlier" STRUCT("count" BIGINT, "sum" VARCHAR), "byMethod" STRUCT("count" BIGINT, "amount" VARCHAR, "method" VARCHAR)[], "charges" STRUCT("column" VARCHAR, "total" VARCHAR)[], "basis" STRUCT("paidOn" BIGINT, "seen" BIGINT, "otherCurrency" BIGINT))',
    'issued': 'STRUCT("count" BIGINT, "sum" VARCHAR, "paid" STRUCT("count" BIGINT, "sum" VARCHAR), "open" STRUCT("count" BIGINT, "sum" VARCHAR), "expired" STRUCT("count" BIGINT, "sum" VARCHAR), "cancelled" STRUCT("count" BIGINT, "sum" VARCHAR), "other" STRUCT("count" BIGINT, "sum" VARCHAR))',
    'openBefore': 'STRUCT("count" BIGINT, "sum" VARCHAR)',
    'settled': 'STRUCT("paid" STRUCT("count" BIGINT, "sum" VARCHAR), "cancelled" STRUCT("count" BIGINT, "sum" VARCHAR), "other" STRUCT("count" BIGINT, "sum" VARCHAR))',
    'expired': 'STRUCT("count" BIGINT, "sum" VARCHAR)',
    'openAfter': 'STRUCT("count" BIGINT, "sum" VARCHAR)',
    'ageing': 'STRUCT("from" BIGINT, "to" BIGINT, "open" STRUCT("count" BIGINT, "sum" VARCHAR), "expired" STRUCT("count" BIGINT, "sum" VARCHAR))[]',
    'before': 'STRUCT("period" VARCHAR, "from" VARCHAR, "to" VARCHAR, "revision" BIGINT, "sealedAt" VARCHAR, "final" BOOLEAN, "counts" STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT), "amounts" STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR), "refunds" STRUCT("count" BIGINT, "total" VARCHAR), "refunded" VARCHAR, "received" VARCHAR, "net" VARCHAR)',
    'lastYear': 'STRUCT("period" VARCHAR, "from" VARCHAR, "to" VARCHAR, "revision" BIGINT, "sealedAt" VARCHAR, "final" BOOLEAN, "counts" STRUCT("total" BIGINT, "paid" BIGINT, "notPaid" BIGINT, "cancelled" BIGINT, "other" BIGINT), "amounts" STRUCT("paid" VARCHAR, "notPaid" VARCHAR, "cancelled" VARCHAR, "other" VARCHAR), "refunds" STRUCT("count" BIGINT, "total" VARCHAR), "refunded" VARCHAR, "received" VARCHAR, "net" VARCHAR)',
    'digest': 'VARCHAR',
    'previous': 'VARCHAR',
    'byCurrency': 'VARCHAR',
    'timeZone': 'VARCHAR',
    'closedAt': 'VARCHAR',
    'reopenedAt': 'VARCHAR',
    'adjustments': 'STRUCT("period" VARCHAR, "day" VARCHAR, "revision" BIGINT, "currency" VARCHAR, "reasons" VARCHAR[], "was" STRUCT("payments" BIGINT, "received" VARCHAR, "refunded" VARCHAR, "charges" VARCHAR, "net" VARCHAR), "is" STRUCT("payments" BIGINT, "received" VARCHAR, "refunded" VARCHAR, "charges" VARCHAR, "net" VARCHAR))[]'
  }
) WHERE "$path" IS NOT NULL;

CREATE OR REPLACE VIEW "registered_merchants" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'lake/merchants/.*$') AS "$path", * EXCLUDE filename
FROM read_json(
  getvariable('registered'),
  format = 'newline_delimited', filename = true, ignore_errors = true,
  columns = {
    'merchantCode': 'VARCHAR',
    'name': 'VARCHAR',
    'timeZone': 'VARCHAR',
    'currency': 'VARCHAR',
    'invoiceStatuses': 'MAP(VARCHAR, VARCHAR)',
    'refundStatuses': 'MAP(VARCHAR, VARCHAR)',
    'charges': 'VARCHAR[]',
    'groups': 'VARCHAR[]',
    'since': 'VARCHAR',
    'until': 'VARCHAR'
  }
) WHERE "$path" IS NOT NULL;

-- One merchant of the registry, as the function `lake` last read it.
CREATE OR REPLACE VIEW "merchants" AS
SELECT
  m."merchantcode" AS "code",
  m."name" AS "name",
  m."timezone" AS "time_zone",
  m."currency" AS "currency",
  CAST(from_iso8601_timestamp(m."since") AT TIME ZONE 'UTC' AS timestamp(3)) AS "since",
  m."groups" AS "groups"
FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL) AS m
WHERE m."until" IS NULL;

-- What the registry said of a merchant from one time to another, as the function `lake` read it.
CREATE OR REPLACE VIEW "merchants_history" AS
SELECT
  m."merchantcode" AS "code",
  m."name" AS "name",
  m."timezone" AS "time_zone",
  m."currency" AS "currency",
  CAST(from_iso8601_timestamp(m."since") AT TIME ZONE 'UTC' AS timestamp(3)) AS "since",
  m."groups" AS "groups",
  CAST(from_iso8601_timestamp(m."until") AT TIME ZONE 'UTC' AS timestamp(3)) AS "until"
FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL) AS m;

-- One invoice as the newest sealed revision of its day has it.
CREATE OR REPLACE VIEW "latest_invoices" AS
SELECT
  s."day" AS "day",
  CAST(s."day" AS date) AS "business_date",
  s."merchantcode" AS "merchant_code",
  s."revision" AS "revision",
  r."_query_type" AS "query_type",
  r."id" AS "id",
  r."invoice_type" AS "invoice_type",
  r."invoice_sub_type" AS "invoice_sub_type",
  r."order_drop_id" AS "order_drop_id",
  r."token" AS "token",
  r."access_key" AS "access_key",
  r."split_access_key" AS "split_access_key",
  r."merchant_id" AS "merchant_id",
  r."reference_number" AS "reference_number",
  CAST(r."amount" AS decimal(38,3)) AS "amount",
  try_cast(r."admin_charge" AS decimal(38,3)) AS "admin_charge",
  try_cast(r."service_charge" AS decimal(38,3)) AS "service_charge",
  r."subscription" AS "subscription",
  try_cast(r."discount" AS decimal(38,3)) AS "discount",
  r."description" AS "description",
  r."sms_response" AS "sms_response",
  r."invoice_status" AS "invoice_status",
  r."payment_method" AS "payment_method",
  r."sms_status" AS "sms_status",
  r."url_status" AS "url_status",
  r."visited_count" AS "visited_count",
  r."country_id" AS "country_id",
  r."created_id" AS "created_id",
  r."language" AS "language",
  try_cast(r."expires_at" AS date) AS "expires_at",
  r."url" AS "url",
  r."spliturl" AS "spliturl",
  try_cast(r."created_at" AS timestamp(3)) AS "created_at",
  try_cast(r."updated_at" AS timestamp(3)) AS "updated_at",
  r."rentperiod" AS "rentperiod",
  r."transaction"."payment_type_id" AS "transaction_payment_type_id",
  r."transaction"."payment_id" AS "transaction_payment_id",
  r."transaction"."post_date" AS "transaction_post_date",
  r."transaction"."result_code" AS "transaction_result_code",
  r."transaction"."track_id" AS "transaction_track_id",
  r."transaction"."transaction_id" AS "transaction_transaction_id",
  r."transaction"."reference_number" AS "transaction_reference_number",
  r."transaction"."payment_type" AS "transaction_payment_type",
  try_cast(r."transaction"."paid_on" AS timestamp(3)) AS "transaction_paid_on",
  r."transaction"."auth" AS "transaction_auth",
  try_cast(r."transaction"."amount" AS decimal(38,3)) AS "transaction_amount",
  r."transaction"."admin_charge" AS "transaction_admin_charge",
  r."customer"."name" AS "customer_name",
  r."customer"."email" AS "customer_email",
  r."customer"."phone_number" AS "customer_phone_number",
  r."created_by_merchant"."id" AS "created_by_merchant_id",
  r."created_by_merchant"."name" AS "created_by_merchant_name",
  r."products" AS "products",
  CASE WHEN s."its_statuses" IS NOT NULL THEN coalesce(element_at(s."its_statuses", CAST(r."invoice_status" AS varchar)), 'other') END AS "state",
  s."its_currency" AS "currency",
  s."its_name" AS "merchant_name",
  s."words_from" AS "words_from",
  if_then(regexp_like(substr(regexp_replace(r."transaction"."payment_type", '[\p{Cc}\p{Zl}\p{Zp}]', ' '), 1, 60), '[^\s\p{Z}\x{FEFF}]'), substr(regexp_replace(r."transaction"."payment_type", '[\p{Cc}\p{Zl}\p{Zp}]', ' '), 1, 60)) AS "method",
  CASE WHEN element_at(s."its_statuses", CAST(r."invoice_status" AS varchar)) = 'paid' THEN element_at(list_transform(
    ARRAY[array_distinct(filter(CASE
      WHEN length(r."transaction"."paid_on") > 40 THEN NULL
      WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})$') THEN ARRAY[try(CAST(at_timezone(from_iso8601_timestamp(replace(trim(r."transaction"."paid_on"), ' ', 'T')), s."its_zone") AS timestamp(3)))]
      WHEN regexp_like(trim(r."transaction"."paid_on"), '^[1-9][0-9]{9}([0-9]{3})?$') THEN ARRAY[try(CAST(at_timezone(from_unixtime(CAST(rpad(trim(r."transaction"."paid_on"), 13, '0') AS bigint) / 1e3), s."its_zone") AS timestamp(3)))]
      ELSE list_transform(element_at(list_transform(ARRAY[split(translate(regexp_extract(trim(r."transaction"."paid_on"), '^[^T ]+'), '/.', '--'), '-')], lambda p: CASE
        WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{4}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{1,2}([T ].*)?$') THEN ARRAY[p[1] || '-' || lpad(p[2], 2, '0') || '-' || lpad(p[3], 2, '0')]
        WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{1,2}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{4}([T ].*)?$') THEN ARRAY[p[3] || '-' || lpad(p[2], 2, '0') || '-' || lpad(p[1], 2, '0'), p[3] || '-' || lpad(p[1], 2, '0') || '-' || lpad(p[2], 2, '0')]
      END), 1), lambda d: coalesce(try_cast(d || ' ' || regexp_extract(trim(r."transaction"."paid_on"), '[T ]([0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?)[0-9]*$', 1) AS timestamp(3)), try_cast(d AS timestamp(3))))
    END, lambda t: CAST(t AS date) BETWEEN CAST(s."day" AS date) AND s."its_last_day"))],
    lambda t: if_then(len(t) = 1, t[1])
  ), 1) END AS "paid_at",
  CASE WHEN element_at(s."its_statuses", CAST(r."invoice_status" AS varchar)) = 'paid' THEN coalesce(CAST(element_at(list_transform(
    ARRAY[array_distinct(filter(CASE
      WHEN length(r."transaction"."paid_on") > 40 THEN NULL
      WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})$') THEN ARRAY[try(CAST(at_timezone(from_iso8601_timestamp(replace(trim(r."transaction"."paid_on"), ' ', 'T')), s."its_zone") AS timestamp(3)))]
      WHEN regexp_like(trim(r."transaction"."paid_on"), '^[1-9][0-9]{9}([0-9]{3})?$') THEN ARRAY[try(CAST(at_timezone(from_unixtime(CAST(rpad(trim(r."transaction"."paid_on"), 13, '0') AS bigint) / 1e3), s."its_zone") AS timestamp(3)))]
      ELSE list_transform(element_at(list_transform(ARRAY[split(translate(regexp_extract(trim(r."transaction"."paid_on"), '^[^T ]+'), '/.', '--'), '-')], lambda p: CASE
        WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{4}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{1,2}([T ].*)?$') THEN ARRAY[p[1] || '-' || lpad(p[2], 2, '0') || '-' || lpad(p[3], 2, '0')]
        WHEN regexp_like(trim(r."transaction"."paid_on"), '^[0-9]{1,2}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{4}([T ].*)?$') THEN ARRAY[p[3] || '-' || lpad(p[2], 2, '0') || '-' || lpad(p[1], 2, '0'), p[3] || '-' || lpad(p[1], 2, '0') || '-' || lpad(p[2], 2, '0')]
      END), 1), lambda d: coalesce(try_cast(d || ' ' || regexp_extract(trim(r."transaction"."paid_on"), '[T ]([0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?)[0-9]*$', 1) AS timestamp(3)), try_cast(d AS timestamp(3))))
    END, lambda t: CAST(t AS date) BETWEEN CAST(s."day" AS date) AND s."its_last_day"))],
    lambda t: if_then(len(t) = 1, t[1])
  ), 1) AS date), CAST(element_at(s."its_seen", CAST(r."id" AS varchar))[1] AS date), CAST(s."day" AS date)) END AS "received_date",
  CAST(CASE
    WHEN s."its_statuses" IS NOT NULL AND s."its_charges" IS NOT NULL
      THEN if_then(element_at(s."its_statuses", CAST(r."invoice_status" AS varchar)) = 'paid', if_then(contains(s."its_charges", 'admin_charge'), if_then(regexp_like(r."admin_charge", '^-?[0-9]{1,30}[.][0-9]{3}$'), CAST(r."admin_charge" AS decimal(38,3))), 0) + if_then(contains(s."its_charges", 'service_charge'), if_then(regexp_like(r."service_charge", '^-?[0-9]{1,30}[.][0-9]{3}$'), CAST(r."service_charge" AS decimal(38,3))), 0), 0)
  END AS decimal(38,3)) AS "charge_of_paid",
  CAST(from_iso8601_timestamp(s."pulledat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "read_at"
FROM "invoices" AS r
JOIN (SELECT *, filter("files", lambda f: f."table" = 'invoices' AND f."format" = 'json')[1]."key" AS "file" FROM (
  SELECT
    p.*,
    if_then(p."currency" IS NULL, m."invoicestatuses", p."invoicestatuses") AS "its_statuses",
    if_then(cardinality(if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) > 0, if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) AS "its_refund_statuses",
    coalesce(p."currency", m."currency") AS "its_currency",
    coalesce(p."timezone", m."timezone") AS "its_zone",
    if_then(p."currency" IS NULL, m."charges", p."charges") AS "its_charges",
    coalesce(p."merchantname", m."name") AS "its_name",
    if_then(p."currency" IS NULL, 'registry', 'page') AS "words_from",
    greatest(CAST(p."day" AS date), try(CAST(at_timezone(with_timezone(strptime(substr(p."pull", 1, 15), '%Y%m%dT%H%M%S'), 'UTC'), coalesce(p."timezone", m."timezone")) AS date))) AS "its_last_day",
    multimap_from_entries(flatten(list_transform(p."outcomes"."seen", lambda s: list_transform(s."ids", lambda i: ROW(i, s."day"))))) AS "its_seen"
  FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "day", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM "days"
  ) WHERE "age" = 1 AND CASE WHEN "files" IS NOT NULL THEN true ELSE CAST('a line is no manifest: day ' || "day" AS boolean) END
) AS p
  LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = p."merchantcode"
)) AS s
  ON r."day" = s."day" AND regexp_extract(r."$path", '^s3://[^/]+/(.*)$', 1) = s."file"
  AND CASE WHEN r."_merchant_code" = s."merchantcode" AND r."_day" = s."day" THEN true ELSE CAST('a line is no record of its page: ' || r."$path" AS boolean) END;

-- One refund as the newest sealed revision of its day has it.
CREATE OR REPLACE VIEW "latest_refunds" AS
SELECT
  s."day" AS "day",
  CAST(s."day" AS date) AS "business_date",
  s."merchantcode" AS "merchant_code",
  s."revision" AS "revision",
  r."id" AS "id",
  r."merchant_id" AS "merchant_id",
  CAST(r."amount" AS decimal(38,3)) AS "amount",
  try_cast(r."refund_at" AS date) AS "refund_at",
  r."document_number" AS "document_number",
  r."token" AS "token",
  try_cast(r."transaction_date" AS timestamp(3)) AS "transaction_date",
  r."order_reference_number" AS "order_reference_number",
  r."recover_method" AS "recover_method",
  r."status" AS "status",
  r."refund_method" AS "refund_method",
  r."remarks" AS "remarks",
  r."approved_by" AS "approved_by",
  try_cast(r."total_balance_amount" AS decimal(38,3)) AS "total_balance_amount",
  try_cast(r."total_refunded_amount" AS decimal(38,3)) AS "total_refunded_amount",
  try_cast(r."total_transaction_amount" AS decimal(38,3)) AS "total_transaction_amount",
  try_cast(r."created_at" AS timestamp(3)) AS "created_at",
  try_cast(r."updated_at" AS timestamp(3)) AS "updated_at",
  r."transaction"."id" AS "transaction_id",
  r."transaction"."amount" AS "transaction_amount",
  r."transaction"."admin_charge" AS "transaction_admin_charge",
  r."transaction"."token" AS "transaction_token",
  r."transaction"."payment_id" AS "transaction_payment_id",
  r."transaction"."payment_name" AS "transaction_payment_name",
  r."transaction"."display_name" AS "transaction_display_name",
  r."transaction"."track_id" AS "transaction_track_id",
  r."transaction"."transaction_id" AS "transaction_transaction_id",
  r."transaction"."service_id" AS "transaction_service_id",
  r."transaction"."auth" AS "transaction_auth",
  r."transaction"."status" AS "transaction_status",
  try_cast(r."transaction"."created_at" AS timestamp(3)) AS "transaction_created_at",
  CASE WHEN s."its_refund_statuses" IS NOT NULL THEN coalesce(element_at(s."its_refund_statuses", CAST(r."status" AS varchar)), 'other') END AS "state",
  s."its_currency" AS "currency",
  s."its_name" AS "merchant_name",
  s."words_from" AS "words_from",
  CAST(from_iso8601_timestamp(s."pulledat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "read_at"
FROM "refunds" AS r
JOIN (SELECT *, filter("files", lambda f: f."table" = 'refunds' AND f."format" = 'json')[1]."key" AS "file" FROM (
  SELECT
    p.*,
    if_then(p."currency" IS NULL, m."invoicestatuses", p."invoicestatuses") AS "its_statuses",
    if_then(cardinality(if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) > 0, if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) AS "its_refund_statuses",
    coalesce(p."currency", m."currency") AS "its_currency",
    coalesce(p."timezone", m."timezone") AS "its_zone",
    if_then(p."currency" IS NULL, m."charges", p."charges") AS "its_charges",
    coalesce(p."merchantname", m."name") AS "its_name",
    if_then(p."currency" IS NULL, 'registry', 'page') AS "words_from",
    greatest(CAST(p."day" AS date), try(CAST(at_timezone(with_timezone(strptime(substr(p."pull", 1, 15), '%Y%m%dT%H%M%S'), 'UTC'), coalesce(p."timezone", m."timezone")) AS date))) AS "its_last_day",
    multimap_from_entries(flatten(list_transform(p."outcomes"."seen", lambda s: list_transform(s."ids", lambda i: ROW(i, s."day"))))) AS "its_seen"
  FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "day", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM "days"
  ) WHERE "age" = 1 AND CASE WHEN "files" IS NOT NULL THEN true ELSE CAST('a line is no manifest: day ' || "day" AS boolean) END
) AS p
  LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = p."merchantcode"
)) AS s
  ON r."day" = s."day" AND regexp_extract(r."$path", '^s3://[^/]+/(.*)$', 1) = s."file"
  AND CASE WHEN r."_merchant_code" = s."merchantcode" AND r."_day" = s."day" THEN true ELSE CAST('a line is no record of its page: ' || r."$path" AS boolean) END;

-- One merchant and day: the figures of its newest sealed revision.
CREATE OR REPLACE VIEW "latest_days" AS
SELECT
  d."day" AS "day",
  CAST(d."day" AS date) AS "business_date",
  d."merchantcode" AS "merchant_code",
  d."revision" AS "revision",
  CAST(from_iso8601_timestamp(d."pulledat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "pulled_at",
  CAST(from_iso8601_timestamp(d."scheduledtime") AT TIME ZONE 'UTC' AS timestamp(3)) AS "scheduled_time",
  d."balanced" AS "balanced",
  d."differences" AS "differences",
  d."notcompared" AS "not_compared",
  d."counts"."total" AS "invoices",
  d."counts"."paid" AS "paid",
  d."counts"."notpaid" AS "not_paid",
  d."counts"."cancelled" AS "cancelled",
  d."counts"."other" AS "other",
  CAST(d."amounts"."paid" AS decimal(38,3)) AS "paid_amount",
  CAST(d."amounts"."notpaid" AS decimal(38,3)) AS "not_paid_amount",
  CAST(d."amounts"."cancelled" AS decimal(38,3)) AS "cancelled_amount",
  CAST(d."amounts"."other" AS decimal(38,3)) AS "other_amount",
  d."refunds"."count" AS "refunds",
  CAST(d."refunds"."total" AS decimal(38,3)) AS "refund_amount",
  filter(d."files", lambda f: f."table" = 'invoices' AND f."format" = 'json')[1]."rows" AS "invoice_rows",
  filter(d."files", lambda f: f."table" = 'refunds' AND f."format" = 'json')[1]."rows" AS "refund_rows",
  d."its_currency" AS "currency",
  d."drift" AS "drift",
  d."pull" AS "pull",
  d."digest" AS "digest",
  d."received"."count" AS "came_in_count",
  CAST(d."received"."sum" AS decimal(38,3)) AS "came_in",
  CAST(d."received"."ofearlier"."sum" AS decimal(38,3)) AS "came_in_of_earlier",
  coalesce(d."issued"."count", d."counts"."total") AS "issued_count",
  coalesce(CAST(d."issued"."sum" AS decimal(38,3)), CAST(d."amounts"."paid" AS decimal(38,3)) + CAST(d."amounts"."notpaid" AS decimal(38,3)) + CAST(d."amounts"."cancelled" AS decimal(38,3)) + CAST(d."amounts"."other" AS decimal(38,3))) AS "issued",
  coalesce(if_then(date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))) IS NOT NULL, CAST(sum_of(list_transform(filter(d."outcomes"."open", lambda o: NOT (o."lastday" IS NOT NULL AND CAST(o."lastday" AS date) <= date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))))), lambda o: o."count")) AS bigint)), d."counts"."notpaid") AS "open_count",
  CAST(coalesce(if_then(date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))) IS NOT NULL, CAST(sum_of(list_transform(filter(d."outcomes"."open", lambda o: NOT (o."lastday" IS NOT NULL AND CAST(o."lastday" AS date) <= date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))))), lambda o: CAST(o."amount" AS decimal(38,3)))) AS decimal(38,3))), CAST(d."amounts"."notpaid" AS decimal(38,3))) AS decimal(38,3)) AS "open",
  if_then(date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))) IS NOT NULL, CAST(sum_of(list_transform(filter(d."outcomes"."open", lambda o: o."lastday" IS NOT NULL AND CAST(o."lastday" AS date) <= date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date)))), lambda o: o."count")) AS bigint)) AS "expired_count",
  CAST(if_then(date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date))) IS NOT NULL, CAST(sum_of(list_transform(filter(d."outcomes"."open", lambda o: o."lastday" IS NOT NULL AND CAST(o."lastday" AS date) <= date_add('day', -1, try(CAST(at_timezone(from_iso8601_timestamp(d."pulledat"), d."its_zone") AS date)))), lambda o: CAST(o."amount" AS decimal(38,3)))) AS decimal(38,3))) AS decimal(38,3)) AS "expired",
  CASE
    WHEN coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.approved.count') AS bigint), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.other.count') AS bigint), 0) > 0 THEN NULL
    WHEN d."refunds"."count" = 0 THEN 0
    WHEN coalesce(json_size(lower(d."drift"), '$.unknownrefundstatuses'), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.notlisted.refundstatuses') AS bigint), 0) > 0 AND coalesce(element_at(d."refunds"."bystatus", 'other')."count", 0) > 0 THEN NULL
    ELSE element_at(d."refunds"."bystatus", 'approved')."count"
  END AS "approved_refund_count",
  CAST(CASE
    WHEN coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.approved.count') AS bigint), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.other.count') AS bigint), 0) > 0 THEN NULL
    WHEN d."refunds"."count" = 0 THEN 0
    WHEN coalesce(json_size(lower(d."drift"), '$.unknownrefundstatuses'), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.notlisted.refundstatuses') AS bigint), 0) > 0 AND coalesce(element_at(d."refunds"."bystatus", 'other')."count", 0) > 0 THEN NULL
    ELSE CAST(element_at(d."refunds"."bystatus", 'approved')."total" AS decimal(38,3))
  END AS decimal(38,3)) AS "approved_refunds",
  CAST(if_then(d."received" IS NOT NULL, if_then(contains(d."its_charges", 'admin_charge'), CAST(element_at(filter(d."received"."charges", lambda c: c."column" = 'admin_charge'), 1)."total" AS decimal(38,3)), 0) + if_then(contains(d."its_charges", 'service_charge'), CAST(element_at(filter(d."received"."charges", lambda c: c."column" = 'service_charge'), 1)."total" AS decimal(38,3)), 0)) AS decimal(38,3)) AS "charges",
  CAST(if_then(d."balanced" AND NOT (coalesce(json_size(lower(d."drift"), '$.unknowninvoicestatuses'), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.notlisted.invoicestatuses') AS bigint), 0) > 0
      AND coalesce(strpos(d."notcompared", '"statsPaid"'), 0) > 0), CAST(d."received"."sum" AS decimal(38,3)) - CASE
    WHEN coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.approved.count') AS bigint), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.refundswithoutday.bystatus.other.count') AS bigint), 0) > 0 THEN NULL
    WHEN d."refunds"."count" = 0 THEN 0
    WHEN coalesce(json_size(lower(d."drift"), '$.unknownrefundstatuses'), 0) + coalesce(CAST(json_extract_scalar(lower(d."drift"), '$.notlisted.refundstatuses') AS bigint), 0) > 0 AND coalesce(element_at(d."refunds"."bystatus", 'other')."count", 0) > 0 THEN NULL
    ELSE CAST(element_at(d."refunds"."bystatus", 'approved')."total" AS decimal(38,3))
  END - if_then(d."received" IS NOT NULL, if_then(contains(d."its_charges", 'admin_charge'), CAST(element_at(filter(d."received"."charges", lambda c: c."column" = 'admin_charge'), 1)."total" AS decimal(38,3)), 0) + if_then(contains(d."its_charges", 'service_charge'), CAST(element_at(filter(d."received"."charges", lambda c: c."column" = 'service_charge'), 1)."total" AS decimal(38,3)), 0))) AS decimal(38,3)) AS "net",
  d."its_zone" AS "time_zone",
  d."its_name" AS "merchant_name",
  d."words_from" AS "words_from"
FROM (
  SELECT
    p.*,
    if_then(p."currency" IS NULL, m."invoicestatuses", p."invoicestatuses") AS "its_statuses",
    if_then(cardinality(if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) > 0, if_then(p."currency" IS NULL, m."refundstatuses", p."refundstatuses")) AS "its_refund_statuses",
    coalesce(p."currency", m."currency") AS "its_currency",
    coalesce(p."timezone", m."timezone") AS "its_zone",
    if_then(p."currency" IS NULL, m."charges", p."charges") AS "its_charges",
    coalesce(p."merchantname", m."name") AS "its_name",
    if_then(p."currency" IS NULL, 'registry', 'page') AS "words_from",
    greatest(CAST(p."day" AS date), try(CAST(at_timezone(with_timezone(strptime(substr(p."pull", 1, 15), '%Y%m%dT%H%M%S'), 'UTC'), coalesce(p."timezone", m."timezone")) AS date))) AS "its_last_day",
    multimap_from_entries(flatten(list_transform(p."outcomes"."seen", lambda s: list_transform(s."ids", lambda i: ROW(i, s."day"))))) AS "its_seen"
  FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "day", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM "days"
  ) WHERE "age" = 1 AND CASE WHEN "files" IS NOT NULL THEN true ELSE CAST('a line is no manifest: day ' || "day" AS boolean) END
) AS p
  LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = p."merchantcode"
) AS d;

-- One invoice as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.
CREATE OR REPLACE VIEW "all_invoices" AS
SELECT
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "revision" AS "revision",
  "query_type" AS "query_type",
  "id" AS "id",
  "invoice_type" AS "invoice_type",
  "invoice_sub_type" AS "invoice_sub_type",
  "order_drop_id" AS "order_drop_id",
  "merchant_id" AS "merchant_id",
  "amount" AS "amount",
  "admin_charge" AS "admin_charge",
  "service_charge" AS "service_charge",
  "subscription" AS "subscription",
  "discount" AS "discount",
  "invoice_status" AS "invoice_status",
  "payment_method" AS "payment_method",
  "sms_status" AS "sms_status",
  "url_status" AS "url_status",
  "visited_count" AS "visited_count",
  "country_id" AS "country_id",
  "created_id" AS "created_id",
  "language" AS "language",
  "expires_at" AS "expires_at",
  "created_at" AS "created_at",
  "updated_at" AS "updated_at",
  "transaction_payment_type" AS "transaction_payment_type",
  "transaction_paid_on" AS "transaction_paid_on",
  "transaction_amount" AS "transaction_amount",
  "created_by_merchant_id" AS "created_by_merchant_id",
  "state" AS "state",
  "currency" AS "currency",
  "merchant_name" AS "merchant_name",
  "words_from" AS "words_from",
  "method" AS "method",
  "paid_at" AS "paid_at",
  "received_date" AS "received_date",
  "charge_of_paid" AS "charge_of_paid",
  "read_at" AS "read_at"
FROM "latest_invoices";

-- The same as `all_invoices`, with the columns that hold a person's data.
CREATE OR REPLACE VIEW "all_invoices_with_customers" AS
SELECT
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "revision" AS "revision",
  "query_type" AS "query_type",
  "id" AS "id",
  "invoice_type" AS "invoice_type",
  "invoice_sub_type" AS "invoice_sub_type",
  "order_drop_id" AS "order_drop_id",
  "token" AS "token",
  "access_key" AS "access_key",
  "split_access_key" AS "split_access_key",
  "merchant_id" AS "merchant_id",
  "reference_number" AS "reference_number",
  "amount" AS "amount",
  "admin_charge" AS "admin_charge",
  "service_charge" AS "service_charge",
  "subscription" AS "subscription",
  "discount" AS "discount",
  "description" AS "description",
  "sms_response" AS "sms_response",
  "invoice_status" AS "invoice_status",
  "payment_method" AS "payment_method",
  "sms_status" AS "sms_status",
  "url_status" AS "url_status",
  "visited_count" AS "visited_count",
  "country_id" AS "country_id",
  "created_id" AS "created_id",
  "language" AS "language",
  "expires_at" AS "expires_at",
  "url" AS "url",
  "spliturl" AS "spliturl",
  "created_at" AS "created_at",
  "updated_at" AS "updated_at",
  "rentperiod" AS "rentperiod",
  "transaction_payment_type_id" AS "transaction_payment_type_id",
  "transaction_payment_id" AS "transaction_payment_id",
  "transaction_post_date" AS "transaction_post_date",
  "transaction_result_code" AS "transaction_result_code",
  "transaction_track_id" AS "transaction_track_id",
  "transaction_transaction_id" AS "transaction_transaction_id",
  "transaction_reference_number" AS "transaction_reference_number",
  "transaction_payment_type" AS "transaction_payment_type",
  "transaction_paid_on" AS "transaction_paid_on",
  "transaction_auth" AS "transaction_auth",
  "transaction_amount" AS "transaction_amount",
  "transaction_admin_charge" AS "transaction_admin_charge",
  "customer_name" AS "customer_name",
  "customer_email" AS "customer_email",
  "customer_phone_number" AS "customer_phone_number",
  "created_by_merchant_id" AS "created_by_merchant_id",
  "created_by_merchant_name" AS "created_by_merchant_name",
  "products" AS "products",
  "state" AS "state",
  "currency" AS "currency",
  "merchant_name" AS "merchant_name",
  "words_from" AS "words_from",
  "method" AS "method",
  "paid_at" AS "paid_at",
  "received_date" AS "received_date",
  "charge_of_paid" AS "charge_of_paid",
  "read_at" AS "read_at"
FROM "latest_invoices";

-- One refund as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.
CREATE OR REPLACE VIEW "all_refunds" AS
SELECT
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "revision" AS "revision",
  "id" AS "id",
  "merchant_id" AS "merchant_id",
  "amount" AS "amount",
  "refund_at" AS "refund_at",
  "transaction_date" AS "transaction_date",
  "recover_method" AS "recover_method",
  "status" AS "status",
  "refund_method" AS "refund_method",
  "total_balance_amount" AS "total_balance_amount",
  "total_refunded_amount" AS "total_refunded_amount",
  "total_transaction_amount" AS "total_transaction_amount",
  "created_at" AS "created_at",
  "updated_at" AS "updated_at",
  "transaction_id" AS "transaction_id",
  "transaction_amount" AS "transaction_amount",
  "transaction_admin_charge" AS "transaction_admin_charge",
  "transaction_payment_id" AS "transaction_payment_id",
  "transaction_payment_name" AS "transaction_payment_name",
  "transaction_display_name" AS "transaction_display_name",
  "transaction_service_id" AS "transaction_service_id",
  "transaction_status" AS "transaction_status",
  "transaction_created_at" AS "transaction_created_at",
  "state" AS "state",
  "currency" AS "currency",
  "merchant_name" AS "merchant_name",
  "words_from" AS "words_from",
  "read_at" AS "read_at"
FROM "latest_refunds";

-- One merchant and day: the figures of its newest sealed revision, over all time.
CREATE OR REPLACE VIEW "all_days" AS
SELECT
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "revision" AS "revision",
  "pulled_at" AS "pulled_at",
  "scheduled_time" AS "scheduled_time",
  "balanced" AS "balanced",
  "differences" AS "differences",
  "not_compared" AS "not_compared",
  "invoices" AS "invoices",
  "paid" AS "paid",
  "not_paid" AS "not_paid",
  "cancelled" AS "cancelled",
  "other" AS "other",
  "paid_amount" AS "paid_amount",
  "not_paid_amount" AS "not_paid_amount",
  "cancelled_amount" AS "cancelled_amount",
  "other_amount" AS "other_amount",
  "refunds" AS "refunds",
  "refund_amount" AS "refund_amount",
  "invoice_rows" AS "invoice_rows",
  "refund_rows" AS "refund_rows",
  "currency" AS "currency",
  "drift" AS "drift",
  "pull" AS "pull",
  "digest" AS "digest",
  "came_in_count" AS "came_in_count",
  "came_in" AS "came_in",
  "came_in_of_earlier" AS "came_in_of_earlier",
  "issued_count" AS "issued_count",
  "issued" AS "issued",
  "open_count" AS "open_count",
  "open" AS "open",
  "expired_count" AS "expired_count",
  "expired" AS "expired",
  "approved_refund_count" AS "approved_refund_count",
  "approved_refunds" AS "approved_refunds",
  "charges" AS "charges",
  "net" AS "net",
  "time_zone" AS "time_zone",
  "merchant_name" AS "merchant_name",
  "words_from" AS "words_from"
FROM "latest_days";

-- One paid invoice, for sums of what came in: by `received_date`, the day of the payment. `day` is the day on which the invoice was made.
CREATE OR REPLACE VIEW "payments" AS
SELECT
  "received_date" AS "received_date",
  "paid_at" AS "paid_at",
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "merchant_name" AS "merchant_name",
  "id" AS "id",
  "method" AS "method",
  "currency" AS "currency",
  "amount" AS "amount",
  "charge_of_paid" AS "charge_of_paid"
FROM "all_invoices"
WHERE "state" = 'paid';

-- One merchant and week or month: its newest statement.
CREATE OR REPLACE VIEW "latest_statements" AS
SELECT
  s."year" || '-' || s."part" AS "period",
  CASE WHEN s."part" LIKE 'W%' THEN 'week' WHEN length(s."part") = 2 THEN 'month' ELSE 'day' END AS "period_kind",
  s."year" AS "year",
  s."part" AS "part",
  s."merchantcode" AS "merchant_code",
  s."revision" AS "revision",
  s."currency" AS "currency",
  CAST(s."from" AS date) AS "from_date",
  CAST(s."to" AS date) AS "to_date",
  CAST(from_iso8601_timestamp(s."sealedat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "sealed_at",
  CAST(from_iso8601_timestamp(s."scheduledtime") AT TIME ZONE 'UTC' AS timestamp(3)) AS "scheduled_time",
  CAST(from_iso8601_timestamp(s."asof"."oldest") AT TIME ZONE 'UTC' AS timestamp(3)) AS "oldest_page_at",
  CAST(from_iso8601_timestamp(s."asof"."newest") AT TIME ZONE 'UTC' AS timestamp(3)) AS "newest_page_at",
  s."final" AS "final",
  len(s."days") AS "sealed_days",
  CAST(json_parse(s."missing") AS varchar[]) AS "missing_days",
  s."unbalanced" AS "unbalanced_days",
  s."counts"."total" AS "invoices",
  s."counts"."paid" AS "paid",
  s."counts"."notpaid" AS "not_paid",
  s."counts"."cancelled" AS "cancelled",
  s."counts"."other" AS "other",
  CAST(s."amounts"."paid" AS decimal(38,3)) AS "paid_amount",
  CAST(s."amounts"."notpaid" AS decimal(38,3)) AS "not_paid_amount",
  CAST(s."amounts"."cancelled" AS decimal(38,3)) AS "cancelled_amount",
  CAST(s."amounts"."other" AS decimal(38,3)) AS "other_amount",
  s."refunds"."count" AS "refunds",
  CAST(s."refunds"."total" AS decimal(38,3)) AS "refund_amount",
  CAST(CASE WHEN s."net"."basis" = 'cameIn' THEN s."net"."received" END AS decimal(38,3)) AS "received",
  CAST(s."net"."refunded" AS decimal(38,3)) AS "refunded",
  s."net"."pending"."count" AS "pending_refunds",
  CAST(s."net"."pending"."total" AS decimal(38,3)) AS "pending_refund_amount",
  s."net"."chargecolumns" AS "charge_columns",
  CAST(CASE WHEN s."net"."basis" = 'cameIn' THEN s."net"."charges" END AS decimal(38,3)) AS "charges",
  CAST(CASE WHEN s."net"."basis" = 'cameIn' THEN s."net"."net" END AS decimal(38,3)) AS "net",
  CASE WHEN s."net"."basis" = 'cameIn' THEN s."net"."unknown" WHEN s."net"."unknown" IS NOT NULL THEN ARRAY['payments'] END AS "net_unknown",
  s."received"."count" AS "payments",
  s."issued"."count" AS "issued",
  CAST(s."issued"."sum" AS decimal(38,3)) AS "issued_amount",
  s."issued"."paid"."count" AS "issued_paid",
  CAST(s."issued"."paid"."sum" AS decimal(38,3)) AS "issued_paid_amount",
  s."issued"."open"."count" AS "issued_open",
  CAST(s."issued"."open"."sum" AS decimal(38,3)) AS "issued_open_amount",
  s."issued"."expired"."count" AS "issued_expired",
  CAST(s."issued"."expired"."sum" AS decimal(38,3)) AS "issued_expired_amount",
  s."issued"."cancelled"."count" AS "issued_cancelled",
  CAST(s."issued"."cancelled"."sum" AS decimal(38,3)) AS "issued_cancelled_amount",
  s."issued"."other"."count" AS "issued_other",
  CAST(s."issued"."other"."sum" AS decimal(38,3)) AS "issued_other_amount",
  s."openbefore"."count" AS "open_before",
  CAST(s."openbefore"."sum" AS decimal(38,3)) AS "open_before_amount",
  s."settled"."paid"."count" AS "settled_paid",
  CAST(s."settled"."paid"."sum" AS decimal(38,3)) AS "settled_paid_amount",
  s."settled"."cancelled"."count" AS "settled_cancelled",
  CAST(s."settled"."cancelled"."sum" AS decimal(38,3)) AS "settled_cancelled_amount",
  s."settled"."other"."count" AS "settled_other",
  CAST(s."settled"."other"."sum" AS decimal(38,3)) AS "settled_other_amount",
  s."expired"."count" AS "expired",
  CAST(s."expired"."sum" AS decimal(38,3)) AS "expired_amount",
  s."openafter"."count" AS "open_after",
  CAST(s."openafter"."sum" AS decimal(38,3)) AS "open_after_amount",
  json_format(CAST(s."ageing" AS json)) AS "ageing",
  s."breakdown" AS "breakdown",
  s."digest" AS "digest",
  s."previous" AS "previous",
  CAST(from_iso8601_timestamp(s."closedat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "closed_at",
  CAST(from_iso8601_timestamp(s."reopenedat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "reopened_at",
  m."name" AS "merchant_name",
  coalesce(s."timezone", m."timezone") AS "time_zone"
FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1) AS "object_key",
        regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 1) AS "key_owner",
        CAST(regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 2) AS bigint) AS "key_revision"
      FROM "statements"
    )
    WHERE CASE WHEN "key_owner" IS NOT NULL THEN CASE WHEN "merchantcode" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "days" IS NOT NULL THEN true ELSE CAST('a line is no statement: ' || "object_key" AS boolean) END ELSE false END
  ) WHERE "age" = 1
) AS s
LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = s."merchantcode";

-- One day that a newest statement adds up, with the figures that it had in the revision that was used. The days of a statement add up to `latest_statements` to the thousandth.
CREATE OR REPLACE VIEW "statement_days" AS
SELECT
  s."year" || '-' || s."part" AS "period",
  CASE WHEN s."part" LIKE 'W%' THEN 'week' WHEN length(s."part") = 2 THEN 'month' ELSE 'day' END AS "period_kind",
  s."year" AS "year",
  s."part" AS "part",
  s."merchantcode" AS "merchant_code",
  s."revision" AS "revision",
  coalesce(d."currency", s."currency") AS "currency",
  d."day" AS "day",
  CAST(d."day" AS date) AS "business_date",
  d."revision" AS "day_revision",
  d."balanced" AS "balanced",
  d."counts"."total" AS "invoices",
  d."counts"."paid" AS "paid",
  d."counts"."notpaid" AS "not_paid",
  d."counts"."cancelled" AS "cancelled",
  d."counts"."other" AS "other",
  CAST(d."amounts"."paid" AS decimal(38,3)) AS "paid_amount",
  CAST(d."amounts"."notpaid" AS decimal(38,3)) AS "not_paid_amount",
  CAST(d."amounts"."cancelled" AS decimal(38,3)) AS "cancelled_amount",
  CAST(d."amounts"."other" AS decimal(38,3)) AS "other_amount",
  d."refunds"."count" AS "refunds",
  CAST(d."refunds"."total" AS decimal(38,3)) AS "refund_amount",
  CAST(CASE WHEN d."net"."basis" = 'cameIn' THEN d."net"."received" END AS decimal(38,3)) AS "received",
  CAST(d."net"."refunded" AS decimal(38,3)) AS "refunded",
  d."net"."pending"."count" AS "pending_refunds",
  CAST(d."net"."pending"."total" AS decimal(38,3)) AS "pending_refund_amount",
  d."net"."chargecolumns" AS "charge_columns",
  CAST(CASE WHEN d."net"."basis" = 'cameIn' THEN d."net"."charges" END AS decimal(38,3)) AS "charges",
  CAST(CASE WHEN d."net"."basis" = 'cameIn' THEN d."net"."net" END AS decimal(38,3)) AS "net",
  CASE WHEN d."net"."basis" = 'cameIn' THEN d."net"."unknown" WHEN d."net"."unknown" IS NOT NULL THEN ARRAY['payments'] END AS "net_unknown",
  d."received"."count" AS "payments",
  m."name" AS "merchant_name",
  coalesce(s."timezone", m."timezone") AS "time_zone"
FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1) AS "object_key",
        regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 1) AS "key_owner",
        CAST(regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 2) AS bigint) AS "key_revision"
      FROM "statements"
    )
    WHERE CASE WHEN "key_owner" IS NOT NULL THEN CASE WHEN "merchantcode" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "days" IS NOT NULL THEN true ELSE CAST('a line is no statement: ' || "object_key" AS boolean) END ELSE false END
  ) WHERE "age" = 1
) AS s
LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = s."merchantcode"
CROSS JOIN (SELECT unnest(s."days", max_depth := 2)) AS d;

-- What a newest statement tells of closed ones before it: one row per day and currency. The days of a closed statement in `statement_days`, with `received_added` and the like of all its adjustments, are what `latest_days` says now.
CREATE OR REPLACE VIEW "adjustments" AS
SELECT
  s."year" || '-' || s."part" AS "period",
  CASE WHEN s."part" LIKE 'W%' THEN 'week' WHEN length(s."part") = 2 THEN 'month' ELSE 'day' END AS "period_kind",
  s."year" AS "year",
  s."part" AS "part",
  s."merchantcode" AS "merchant_code",
  s."revision" AS "revision",
  a."period" AS "closed_period",
  a."day" AS "day",
  CAST(a."day" AS date) AS "business_date",
  a."revision" AS "day_revision",
  a."currency" AS "currency",
  a."reasons" AS "reasons",
  a."was"."payments" AS "payments_was",
  a."is"."payments" AS "payments_is",
  CAST(a."was"."received" AS decimal(38,3)) AS "received_was",
  CAST(a."is"."received" AS decimal(38,3)) AS "received_is",
  CAST(CAST(a."is"."received" AS decimal(38,3)) - CAST(a."was"."received" AS decimal(38,3)) AS decimal(38,3)) AS "received_added",
  CAST(a."was"."refunded" AS decimal(38,3)) AS "refunded_was",
  CAST(a."is"."refunded" AS decimal(38,3)) AS "refunded_is",
  CAST(CAST(a."is"."refunded" AS decimal(38,3)) - CAST(a."was"."refunded" AS decimal(38,3)) AS decimal(38,3)) AS "refunded_added",
  CAST(a."was"."charges" AS decimal(38,3)) AS "charges_was",
  CAST(a."is"."charges" AS decimal(38,3)) AS "charges_is",
  CAST(CAST(a."is"."charges" AS decimal(38,3)) - CAST(a."was"."charges" AS decimal(38,3)) AS decimal(38,3)) AS "charges_added",
  CAST(a."was"."net" AS decimal(38,3)) AS "net_was",
  CAST(a."is"."net" AS decimal(38,3)) AS "net_is",
  CAST(CAST(a."is"."net" AS decimal(38,3)) - CAST(a."was"."net" AS decimal(38,3)) AS decimal(38,3)) AS "net_added",
  m."name" AS "merchant_name",
  coalesce(s."timezone", m."timezone") AS "time_zone"
FROM (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1) AS "object_key",
        regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 1) AS "key_owner",
        CAST(regexp_extract(regexp_extract("statements"."$path", '^s3://[^/]+/(.*)$', 1), '^statements/period=[^/]+/merchant=([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$', 2) AS bigint) AS "key_revision"
      FROM "statements"
    )
    WHERE CASE WHEN "key_owner" IS NOT NULL THEN CASE WHEN "merchantcode" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "days" IS NOT NULL THEN true ELSE CAST('a line is no statement: ' || "object_key" AS boolean) END ELSE false END
  ) WHERE "age" = 1
) AS s
LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM (SELECT * FROM "registered_merchants" WHERE "merchantcode" IS NOT NULL)
  ) WHERE "age" = 1
) AS m ON m."merchantcode" = s."merchantcode"
CROSS JOIN (SELECT unnest(s."adjustments", max_depth := 2)) AS a;
