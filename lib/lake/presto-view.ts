import { viewSql } from './lake-view.ts';
import type { LakeView } from './lake-view.ts';

/** Athena's own catalogue, in the spelling of views. */
const CATALOG = 'awsdatacatalog';

/**
 * The comment in which Athena finds a view in Glue: the statement and its columns, in base64. `CREATE VIEW` would write
 * the same.
 *
 * @param database the database of the view's tables
 */
export function prestoView(view: LakeView, database: string): string {
  const definition = {
    originalSql: viewSql(view),
    catalog: CATALOG,
    schema: database,
    columns: view.columns.map(({ name, type }) => ({ name, type })),
  };
  return `/* Presto View: ${Buffer.from(JSON.stringify(definition)).toString('base64')} */`;
}
