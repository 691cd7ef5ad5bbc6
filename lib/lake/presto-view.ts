import { viewSql } from './lake-view.ts';
import type { LakeView } from './lake-view.ts';

/** Athena's own catalogue, as views spell it. */
const CATALOG = 'awsdatacatalog';

/**
 * What Athena finds of a view in Glue: a comment that holds the statement and its columns, in base64. It is what
 * `CREATE VIEW` would have left there.
 *
 * @param database where the view's tables are
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
