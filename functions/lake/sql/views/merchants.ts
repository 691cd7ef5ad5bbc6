import type { LakeView, ViewColumn } from '../lake-view.ts';
import { MERCHANT_MEANINGS } from '../meanings.ts';
import { ownColumn, textColumn, utcColumn } from './columns.ts';

/** The table of what the registry says of merchants, and said before. */
export const REGISTERED = 'registered_merchants';

/** Its rows, without a line that is none. */
const ROWS = `(SELECT * FROM "${REGISTERED}" WHERE "merchantcode" IS NOT NULL)`;

const COLUMNS: readonly ViewColumn[] = [
  textColumn('code', 'm."merchantcode"', MERCHANT_MEANINGS.merchantCode),
  textColumn('name', 'm."name"', MERCHANT_MEANINGS.name),
  textColumn('time_zone', 'm."timezone"', MERCHANT_MEANINGS.timeZone),
  textColumn('currency', 'm."currency"', MERCHANT_MEANINGS.currency),
  utcColumn('since', 'm."since"', MERCHANT_MEANINGS.since),
  ownColumn('groups', 'array(varchar)', 'm."groups"', MERCHANT_MEANINGS.groups),
];

export const MERCHANTS: LakeView = {
  name: 'merchants',
  description: 'One merchant of the registry, as the function `lake` last read it.',
  columns: COLUMNS,
  from: `${ROWS} AS m\nWHERE m."until" IS NULL`,
};

export const MERCHANTS_HISTORY: LakeView = {
  name: 'merchants_history',
  description:
    'What the registry said of a merchant from one time to another, as the function `lake` read it.',
  columns: [...COLUMNS, utcColumn('until', 'm."until"', MERCHANT_MEANINGS.until, true)],
  from: `${ROWS} AS m`,
};

/** The newest of each merchant, also of those that are gone from the registry. */
export const NEWEST_MERCHANTS = `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "merchantcode" ORDER BY "since" DESC) AS "age"
    FROM ${ROWS}
  ) WHERE "age" = 1
)`;
