import type { LakeType } from './lake-type.ts';

/** What is known of a value, for people. */
export interface Meaning {
  /** One sentence. */
  meaning: string;
  /** Unit or format, such as "day" or "amount of the merchant's currency"; left out for plain text. */
  unit?: string;
}

/** A column of a table, or a member of an object in one (then with its path, such as `transaction.Auth`). */
export interface LakeColumn extends Meaning {
  /** As the files spell it; Glue and SQL know it in lower case. */
  name: string;
  type: LakeType;
  nullable: boolean;
  /** The section of docs/contract.md that has it, or `Daybook` for what Daybook adds. */
  contract: string;
}

/** The name as SQL knows it. */
export function sqlName(column: Pick<LakeColumn, 'name'>): string {
  return column.name.toLowerCase();
}
