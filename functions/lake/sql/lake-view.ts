import type { Meaning } from './columns.ts';

export type ViewType =
  'varchar' | 'bigint' | 'double' | 'boolean' | 'date' | 'timestamp(3)' | 'decimal(38,3)' | 'array(varchar)';

export interface ViewColumn extends Meaning {
  name: string;
  type: ViewType;
  /** Its SQL, over the view's `from`. */
  expression: string;
  nullable: boolean;
}

export interface LakeView {
  name: string;
  description: string;
  columns: readonly ViewColumn[];
  from: string;
}

/** The view's own statement. It finds its names in the view's database. */
export function viewSql({ columns, from }: LakeView): string {
  const selected = columns.map(({ name, expression }) => `  ${expression} AS "${name}"`);
  return `SELECT\n${selected.join(',\n')}\nFROM ${from}`;
}

/** The type of a column of a view, or of the history, in Glue's words and in the DDL of Athena. */
export function glueViewType(type: ViewType | 'timestamp(6)'): string {
  switch (type) {
    case 'varchar':
      return 'string';
    case 'timestamp(3)':
    case 'timestamp(6)':
      return 'timestamp';
    case 'array(varchar)':
      return 'array<string>';
    default:
      return type;
  }
}
