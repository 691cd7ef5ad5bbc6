import { RECIPIENT_STATUSES } from '#domain/ledger/ledger.ts';
import type { RecipientStatus } from '#domain/ledger/ledger.ts';
import type { LakeView, ViewColumn, ViewType } from '../lake-view.ts';
import { LEDGER_MEANINGS } from '../meanings/ledger.ts';
import { mustHold, objectKey } from '../sealed-files.ts';

function column(
  name: string,
  type: ViewType,
  expression: string,
  meaning: string,
  more: { unit?: string; nullable?: boolean } = {},
): ViewColumn {
  return { name, type, expression, meaning, contract: 'Daybook', nullable: false, ...more };
}

/** A ledger's key: merchant and revision. */
const LEDGER = '^mail/day=[^/]+/merchant=([^/]+)/r([0-9]+)[.]json$';

/** How many entries have the status. An entry is the mail to one recipient in one round. */
function entriesThatAre(status: RecipientStatus): ViewColumn {
  const expression = `cardinality(filter(m."recipients", e -> e."status" = '${status}'))`;
  return column(status, 'bigint', expression, `Entries of \`entries\` that are ${status}.`, {
    unit: 'count',
  });
}

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
    column('kind', 'varchar', 'm."kind"', LEDGER_MEANINGS.kind.meaning),
    column('status', 'varchar', 'm."status"', LEDGER_MEANINGS.status.meaning),
    column('corrects', 'bigint', 'm."corrects"', LEDGER_MEANINGS.corrects.meaning, { nullable: true }),
    column('round', 'bigint', 'm."round"', LEDGER_MEANINGS.round.meaning),
    column('reason', 'varchar', 'm."reason"', LEDGER_MEANINGS.reason.meaning, { nullable: true }),
    column('nothing_to_send', 'varchar', 'm."nothingtosend"', LEDGER_MEANINGS.nothingToSend.meaning, {
      nullable: true,
    }),
    column(
      'intended_at',
      'timestamp(3)',
      `CAST(from_iso8601_timestamp(m."intendedat") AT TIME ZONE 'UTC' AS timestamp(3))`,
      LEDGER_MEANINGS.intendedAt.meaning,
      { unit: 'UTC' },
    ),
    column(
      'recipients',
      'bigint',
      'cardinality(array_distinct(transform(m."recipients", e -> e."to")))',
      'Recipients of all rounds, each counted once.',
      { unit: 'count' },
    ),
    ...RECIPIENT_STATUSES.map(entriesThatAre),
    column(
      'entries',
      'varchar',
      'json_format(CAST(m."recipients" AS json))',
      'The mail to each recipient in each round; `to` is the SHA-256 of the address.',
      { unit: 'JSON array of to, status, messageid, at, reason, round' },
    ),
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
