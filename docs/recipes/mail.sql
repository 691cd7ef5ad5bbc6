-- The views of mail in DuckDB, after lake.sql. npm run dictionary writes this file.
SET VARIABLE ledgers = (SELECT coalesce(list(file), [getvariable('no_files')]) FROM glob(getvariable('lake') || '/mail/day=' || getvariable('days') || '/merchant=*/r*.json'));

CREATE OR REPLACE VIEW "mail" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\', '/'), 'mail/day=.*$') AS "$path", * EXCLUDE (filename, merchant)
FROM read_json(
  getvariable('ledgers'),
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
    'key': 'VARCHAR',
    'status': 'VARCHAR',
    'kind': 'VARCHAR',
    'corrects': 'BIGINT',
    'figures': 'VARCHAR',
    'alerts': 'STRUCT("rule" VARCHAR, "says" VARCHAR)[]',
    'intendedAt': 'VARCHAR',
    'until': 'VARCHAR',
    'writer': 'VARCHAR',
    'round': 'BIGINT',
    'partial': 'STRUCT("round" BIGINT, "to" VARCHAR[], "former" VARCHAR[])[]',
    'reason': 'VARCHAR',
    'nothingToSend': 'VARCHAR',
    'recipients': 'STRUCT("to" VARCHAR, "status" VARCHAR, "messageId" VARCHAR, "at" VARCHAR, "reason" VARCHAR, "round" BIGINT, "tries" BIGINT)[]'
  }
) WHERE "$path" IS NOT NULL;

-- The mail of one revision of a merchant's day: what became of it, without any address.
CREATE OR REPLACE VIEW "latest_mail" AS
SELECT
  m."day" AS "day",
  CAST(m."day" AS date) AS "business_date",
  m."merchant_code" AS "merchant_code",
  m."revision" AS "revision",
  m."kind" AS "kind",
  m."status" AS "status",
  m."corrects" AS "corrects",
  m."round" AS "round",
  m."reason" AS "reason",
  m."nothingtosend" AS "nothing_to_send",
  CAST(from_iso8601_timestamp(m."intendedat") AT TIME ZONE 'UTC' AS timestamp(3)) AS "intended_at",
  len(array_distinct(list_transform(m."recipients", lambda e: e."to"))) AS "recipients",
  len(filter(m."recipients", lambda e: e."status" = 'intended')) AS "intended",
  len(filter(m."recipients", lambda e: e."status" = 'accepted')) AS "accepted",
  len(filter(m."recipients", lambda e: e."status" = 'delivered')) AS "delivered",
  len(filter(m."recipients", lambda e: e."status" = 'bounced')) AS "bounced",
  len(filter(m."recipients", lambda e: e."status" = 'complained')) AS "complained",
  len(filter(m."recipients", lambda e: e."status" = 'failed')) AS "failed",
  len(filter(m."recipients", lambda e: e."status" = 'skipped')) AS "skipped",
  len(filter(m."recipients", lambda e: e."status" = 'held')) AS "held",
  json_format(CAST(m."recipients" AS json)) AS "entries"
FROM (
  SELECT
    *,
    regexp_extract(regexp_extract("mail"."$path", '^s3://[^/]+/(.*)$', 1), '^mail/day=[^/]+/merchant=([^/]+)/r([0-9]+)[.]json$', 1) AS "merchant_code",
    CAST(regexp_extract(regexp_extract("mail"."$path", '^s3://[^/]+/(.*)$', 1), '^mail/day=[^/]+/merchant=([^/]+)/r([0-9]+)[.]json$', 2) AS bigint) AS "revision"
  FROM "mail"
) AS m
WHERE m."revision" IS NOT NULL
  AND CASE WHEN m."recipients" IS NOT NULL THEN true ELSE CAST('a line is no ledger: day ' || m."day" AS boolean) END;

-- The mail of one revision of a merchant's day, over all time.
CREATE OR REPLACE VIEW "all_mail" AS
SELECT
  "day" AS "day",
  "business_date" AS "business_date",
  "merchant_code" AS "merchant_code",
  "revision" AS "revision",
  "kind" AS "kind",
  "status" AS "status",
  "corrects" AS "corrects",
  "round" AS "round",
  "reason" AS "reason",
  "nothing_to_send" AS "nothing_to_send",
  "intended_at" AS "intended_at",
  "recipients" AS "recipients",
  "intended" AS "intended",
  "accepted" AS "accepted",
  "delivered" AS "delivered",
  "bounced" AS "bounced",
  "complained" AS "complained",
  "failed" AS "failed",
  "skipped" AS "skipped",
  "held" AS "held",
  "entries" AS "entries"
FROM "latest_mail";

-- DuckDB has no history: it reads each ledger as it is now.
CREATE OR REPLACE VIEW "mail_history" AS FROM "latest_mail";
CREATE OR REPLACE VIEW "history_merges" AS
SELECT DISTINCT day, 'mail' AS what, CAST(now() AT TIME ZONE 'UTC' AS timestamp(3)) AS merged_at FROM "days";
