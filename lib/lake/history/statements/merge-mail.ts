import { LATEST_MAIL } from '../../views/latest-mail.ts';
import { inSlice } from '../slice.ts';
import type { Slice } from '../slice.ts';
import { MAIL_HISTORY } from '../tables/mail.ts';
import { insertRow, listed, quoted, selected, updateRow } from './columns.ts';

function row(alias: string): string {
  return `ROW(${MAIL_HISTORY.columns.map(({ name }) => `${alias}.${quoted(name)}`).join(', ')})`;
}

/** Brings the mail of some days up to date: new ledgers come in, and changed ones are changed. */
export function mergeMail(slice: Slice): string {
  return `MERGE INTO mail_history AS t
USING (
  SELECT
${listed(LATEST_MAIL.columns.map(selected), 4)}
  FROM ${LATEST_MAIL.from}
    AND m."day" IN (${slice.days})
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND t.revision = s.revision AND ${inSlice('t', slice)}
WHEN MATCHED AND ${row('t')} IS DISTINCT FROM ${row('s')}
  THEN ${updateRow(MAIL_HISTORY)}
WHEN NOT MATCHED THEN ${insertRow(MAIL_HISTORY)}`;
}
