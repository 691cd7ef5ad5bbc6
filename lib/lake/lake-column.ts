import type { LakeType } from './lake-type.ts';

/** The description of a value, for people. */
export interface Meaning {
  /** One sentence. */
  meaning: string;
  /** Unit or format, such as "day" or "amount of the merchant's currency". Not set for plain text. */
  unit?: string;
  /** Whether it holds a person's data. Most analysts never see such columns. Not set if it does not. */
  personal?: boolean;
}

/** A column of a table, or a member of an object in a column (then with its path, such as `transaction.Auth`). */
export interface LakeColumn extends Meaning {
  /** The spelling in the files. Glue and SQL use lower case. */
  name: string;
  type: LakeType;
  nullable: boolean;
  /** The section of docs/contract.md that describes it, or `Daybook` for a member that Daybook adds. */
  contract: string;
}

/** The name in SQL. */
export function sqlName(column: Pick<LakeColumn, 'name'>): string {
  return column.name.toLowerCase();
}
