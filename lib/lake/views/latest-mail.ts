import type { LakeView } from '../lake-view.ts';
import { LEDGER_MEANINGS } from '../meanings/ledger.ts';
import { mustHold, objectKey } from '../sealed-files.ts';
import { ledgerColumns } from './ledger-columns.ts';
import { ownColumn as column } from './own-column.ts';

/** A ledger's key: merchant and revision. */
const LEDGER = '^mail/day=[^/]+/merchant=([^/]+)/r([0-9]+)[.]json$';

/** One row per ledger. Merchant and revision are in the key only. */
export const LATEST_MAIL: LakeView = {
  name: 'latest_mail',
  description: "The mail of one revision of a merchant's day: what became of it, without any address.",
  columns: [
    column(
      'day',
      'varchar',
      'm."day"',
      'The day. The partition: a condition on it is what keeps a query cheap.',
      { unit: 'YYYY-MM-DD' },
    ),
    column(
      'business_date',
      'date',
      'CAST(m."day" AS date)',
      "The same as a date, in the merchant's own zone.",
      { unit: 'date' },
    ),
    column('merchant_code', 'varchar', 'm."merchant_code"', 'The merchant.'),
    column('revision', 'bigint', 'm."revision"', 'The revision that the mail is about.'),
    ...ledgerColumns(LEDGER_MEANINGS),
  ],
  // A copy beside a ledger has another key. It is not a ledger.
  from: `(
  SELECT
    *,
    regexp_extract(${objectKey('"mail"')}, '${LEDGER}', 1) AS "merchant_code",
    CAST(regexp_extract(${objectKey('"mail"')}, '${LEDGER}', 2) AS bigint) AS "revision"
  FROM "mail"
) AS m
WHERE m."revision" IS NOT NULL
  AND ${mustHold('m."recipients" IS NOT NULL', `'a line is no ledger: day ' || m."day"`)}`,
};
