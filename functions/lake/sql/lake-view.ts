import type { Meaning } from './columns.ts';

export type ViewType =
  'varchar' | 'bigint' | 'double' | 'boolean' | 'date' | 'timestamp(3)' | 'decimal(38,3)' | 'array(varchar)';

export interface ViewColumn extends Meaning {
  name: string;
  type: ViewType;
  /** Its SQL, over the view's `from`. */
  expression: string;
  nullable: boolean;
  contract: string;
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

const GLUE_TYPES: Record<ViewType, string> = {
  varchar: 'string',
  bigint: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  'timestamp(3)': 'timestamp',
  'decimal(38,3)': 'decimal(38,3)',
  'array(varchar)': 'array<string>',
};

export function glueViewType(type: ViewType): string {
  return GLUE_TYPES[type];
}
