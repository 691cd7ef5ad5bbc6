import type { LakeView } from '../lake-view.ts';
import { STATEMENT_LEDGER_MEANINGS } from '../meanings/ledger.ts';
import { mustHoldWhere, objectKey } from '../sealed-files.ts';
import { STATEMENT_MAIL } from '../tables/mail.ts';
import { ledgerColumns } from './ledger-columns.ts';
import { ownColumn } from './own-column.ts';
import { periodColumns } from './period-columns.ts';

const TABLE = `"${STATEMENT_MAIL.name}"`;
/** A ledger's key: merchant or group, its name, and the revision. */
const LEDGER = "'^mail/period=[^/]+/(merchant|group)=([^/]+)/r([0-9]+)[.]json$'";

function inKey(part: 1 | 2 | 3): string {
  return `regexp_extract(${objectKey(TABLE)}, ${LEDGER}, ${part})`;
}

/** One row per ledger. Owner and revision are in the key only. */
export const LATEST_STATEMENT_MAIL: LakeView = {
  name: 'latest_statement_mail',
  description:
    "The mail of one revision of a statement or of a group's page: what became of it, without any address.",
  columns: [
    ...periodColumns('m'),
    ownColumn(
      'merchant_code',
      'varchar',
      `CASE m."whose" WHEN 'merchant' THEN m."owner" END`,
      "The merchant; null for a group's page.",
      {
        nullable: true,
      },
    ),
    ownColumn(
      'group_name',
      'varchar',
      `CASE m."whose" WHEN 'group' THEN m."owner" END`,
      "The group; null for a merchant's statement.",
      {
        nullable: true,
      },
    ),
    ownColumn('revision', 'bigint', 'm."revision"', 'The revision that the mail is about.'),
    ...ledgerColumns(STATEMENT_LEDGER_MEANINGS),
  ],
  // A copy beside a ledger has another key. It is not a ledger.
  from: `(
  SELECT
    *,
    ${objectKey(TABLE)} AS "object_key",
    ${inKey(1)} AS "whose",
    ${inKey(2)} AS "owner",
    CAST(${inKey(3)} AS bigint) AS "revision"
  FROM ${TABLE}
) AS m
WHERE ${mustHoldWhere('m."revision" IS NOT NULL', 'm."recipients" IS NOT NULL', `'a line is no ledger: ' || m."object_key"`)}`,
};
