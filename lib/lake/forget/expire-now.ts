import type { HistoryTable } from '../history/history-table.ts';
import { SNAPSHOT_DAYS } from '../history/statements/create-table.ts';
import { optimize } from '../history/statements/maintain.ts';

type Named = Pick<HistoryTable, 'name'>;

/**
 * Makes deleted rows unreadable in Athena now, without waiting for the weekly run: rewrites the files that have them, and removes the
 * old snapshots with their files. OPTIMIZE and VACUUM may have to be repeated.
 */
export function expireNow(table: Named): string[] {
  const { name } = table;
  const age = (seconds: number) =>
    `ALTER TABLE ${name} SET TBLPROPERTIES ('vacuum_max_snapshot_age_seconds' = '${seconds}')`;
  return [optimize(table, 'athena'), age(60), `VACUUM ${name}`, age(SNAPSHOT_DAYS * 86_400)];
}

/** The same in Trino. @param table in the catalog of Iceberg, which must allow that no snapshot is kept */
export function expireNowInTrino(table: Named): string[] {
  const { name } = table;
  return [
    optimize(table, 'trino'),
    `ALTER TABLE ${name} EXECUTE expire_snapshots(retention_threshold => '0s')`,
    `ALTER TABLE ${name} EXECUTE remove_orphan_files(retention_threshold => '0s')`,
  ];
}
