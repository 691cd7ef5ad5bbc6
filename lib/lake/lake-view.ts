import type { Meaning } from './lake-column.ts';

/** The types that views use, in Athena's words. */
export type ViewType =
  'varchar' | 'bigint' | 'double' | 'boolean' | 'date' | 'timestamp(3)' | 'decimal(18,3)' | 'array(varchar)';

/** A column of a view. */
export interface ViewColumn extends Meaning {
  name: string;
  type: ViewType;
  /** SQL for it, over what the view's `from` names. */
  expression: string;
  nullable: boolean;
  contract: string;
}

/** A view of the lake. */
export interface LakeView {
  name: string;
  /** What a row is. */
  description: string;
  columns: readonly ViewColumn[];
  /** What stands behind `FROM`. */
  from: string;
}

/** The view's own statement. Its names are found in the database that the view belongs to. */
export function viewSql({ columns, from }: LakeView): string {
  const selected = columns.map(({ name, expression }) => `  ${expression} AS "${name}"`);
  return `SELECT\n${selected.join(',\n')}\nFROM ${from}`;
}

const GLUE_TYPES: Record<ViewType, string> = {
  varchar: 'string',
  bigint: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  'timestamp(3)': 'timestamp',
  'decimal(18,3)': 'decimal(18,3)',
  'array(varchar)': 'array<string>',
};

/** The type as Glue's catalogue spells it. */
export function glueViewType(type: ViewType): string {
  return GLUE_TYPES[type];
}
