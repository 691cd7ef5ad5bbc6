export {
  groupAnswers,
  groupDatabase,
  groupPrefix,
  groupResource,
  groupTables,
  groupWorkGroup,
} from './lake-group.ts';
export type { GroupTable, GroupTables, LakeGroup } from './lake-group.ts';
export { createGroupTables } from './statements/create-group-tables.ts';
export { lookAtGroup } from './statements/look-at-group.ts';
export { mergeGroup } from './statements/merge-group.ts';
export type { Window } from './statements/merge-group.ts';
