import { createTable, optimize, vacuum } from '#lake/sql/statements/tables.ts';
import { MOST_RANGES } from '#lake/sql/statements/look.ts';
import { mergeRecords } from '#lake/sql/statements/merge.ts';
import { viewStatement } from '#lake/sql/statements/views.ts';
import { DAYS_HISTORY, VIEW_HISTORIES, HISTORY_MERGES } from '#lake/sql/history-tables.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { sliceOf } from '#support/lake/history-lake.ts';

/*
 * What Athena alone has, and what its limits are: no engine of the tests can say it.
 */

/** Bytes (Service Quotas of Athena). */
const LONGEST_STATEMENT = 262_144;

it("Athena's statement for a table names Iceberg, the partitions and the limits of snapshots", () => {
  const place = { database: 'daybook_dev', location: 's3://the-bucket/lake/history_merges/' };
  expect(createTable(HISTORY_MERGES, place)).toBe(`CREATE TABLE IF NOT EXISTS daybook_dev.history_merges (
  \`day\` string,
  \`business_date\` date,
  \`what\` string,
  \`merged_at\` timestamp
)
LOCATION 's3://the-bucket/lake/history_merges/'
TBLPROPERTIES (
  'table_type' = 'ICEBERG',
  'format' = 'parquet',
  'write_compression' = 'zstd',
  'optimize_rewrite_data_file_threshold' = '2',
  'optimize_rewrite_delete_file_threshold' = '1',
  'vacuum_max_snapshot_age_seconds' = '259200',
  'vacuum_min_snapshots_to_keep' = '1'
)`);
  for (const table of VIEW_HISTORIES) {
    expect(createTable(table, place)).toContain(
      'PARTITIONED BY (month(business_date), bucket(16, merchant_code))',
    );
  }
});

it('maintenance can leave out older months', () => {
  expect(optimize(DAYS_HISTORY, '2026-11-01')).toBe(
    "OPTIMIZE days_history REWRITE DATA USING BIN_PACK WHERE business_date >= DATE '2026-11-01'",
  );
  expect(optimize(DAYS_HISTORY)).toBe('OPTIMIZE days_history REWRITE DATA USING BIN_PACK');
  expect(vacuum(DAYS_HISTORY)).toBe('VACUUM days_history');
});

it('with the most ranges of days that a look gives, no view is too long', () => {
  const merged_days = Array.from({ length: MOST_RANGES }, () => '2026-11-19 to 2026-11-20').join(', ');
  const found = { merged_days, merged_mail_days: merged_days };
  for (const view of ALL_VIEWS) {
    const sql = viewStatement(view, found);
    expect(sql).toContain("WHERE day BETWEEN '2026-11-19' AND '2026-11-20' OR day BETWEEN");
    expect(Buffer.byteLength(sql)).toBeLessThan(LONGEST_STATEMENT / 2);
  }
});

it('a statement of a merge can be read: its days are literals', () => {
  const sql = mergeRecords('refunds', sliceOf(['2026-11-20', '2026-11-19']));
  expect(sql).toContain("t.business_date BETWEEN DATE '2026-11-19' AND DATE '2026-11-20'");
  expect(sql).toContain(`FROM "days" WHERE "day" IN ('2026-11-19', '2026-11-20')`);
});
