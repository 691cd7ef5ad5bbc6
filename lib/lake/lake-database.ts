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

/** The workgroup of the state machine that keeps a lake's history. No group may have the name `history`. */
export function historyWorkGroup(databaseName: string): string {
  return `${lakeWorkGroup(databaseName)}-history`;
}
