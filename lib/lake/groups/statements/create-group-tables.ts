import { createTable } from '../../history/statements/create-table.ts';
import type { Dialect } from '../../history/statements/create-table.ts';
import { groupDatabase, groupTables } from '../lake-group.ts';
import type { LakeGroup } from '../lake-group.ts';

/**
 * Makes the tables of a group's copy if they are not there. The database has to be there.
 *
 * @param databaseName of the lake
 * @param bucketUrl such as `s3://bucket/`
 */
export function createGroupTables(
  databaseName: string,
  group: LakeGroup,
  bucketUrl: string,
  dialect: Dialect,
): string[] {
  const database = groupDatabase(databaseName, group);
  return Object.values(groupTables(databaseName, group)).map(({ short, prefix, ...table }) =>
    createTable({ ...table, name: short }, { database, location: bucketUrl + prefix }, dialect),
  );
}
