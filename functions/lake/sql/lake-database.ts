/**
 * The database of a stage's lake. A group's database has `_` and the group's name after it, and a name of a group has no `__`. So `-` becomes
 * `__`: the group `x` of the stage `prod` has `daybook_prod_x`, and the stage `prod-x` has `daybook_prod__x`.
 */
export function lakeDatabase(stage: string): string {
  return `daybook_${stage.replaceAll('-', '__')}`;
}

/** The workgroup for queries on a lake, or on a group's copy of it. */
export function lakeWorkGroup(databaseName: string): string {
  return databaseName.replaceAll('_', '-');
}

/** The workgroup of the function `lake`. No group may have the name `history`. */
export function historyWorkGroup(databaseName: string): string {
  return `${lakeWorkGroup(databaseName)}-history`;
}

/**
 * A folder in the bucket of query results. Each workgroup has its own, and no folder is inside another. The function `lake`
 * merges the days that its answers say. So nobody else may write into its folder.
 */
export type AnswerFolder = `${string}/`;

export const PEOPLE_ANSWERS: AnswerFolder = 'people/';

export const HISTORY_ANSWERS: AnswerFolder = 'history/';

/** The prefix of the history's files in the data bucket. Iceberg owns all of them. */
export const HISTORY_PREFIX = 'lake/';
