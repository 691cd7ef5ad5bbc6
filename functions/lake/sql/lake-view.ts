import type { Meaning } from './columns.ts';

/** The types of views, in Athena's words. */
export type ViewType =
  'varchar' | 'bigint' | 'double' | 'boolean' | 'date' | 'timestamp(3)' | 'decimal(38,3)' | 'array(varchar)';

/** A column of a view. */
export interface ViewColumn extends Meaning {
  name: string;
  type: ViewType;
  /** Its SQL, over the view's `from`. */
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
  /** The text after `FROM`. */
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

/** The type in the spelling of Glue's catalogue. */
export function glueViewType(type: ViewType): string {
  return GLUE_TYPES[type];
}
