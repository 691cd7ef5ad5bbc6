/**
 * A text of SQL. Codes, days, moments, names of notes and what identifies a customer become parts of statements here and nowhere else,
 * whatever is in them.
 */
export function quotedText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The same of each value, for `IN (…)` and `ARRAY[…]`. */
export function quotedTexts(values: readonly string[]): string {
  return values.map(quotedText).join(', ');
}

/**
 * The name of a database or table as it stands in a statement: the DDL of Athena quotes names in another way than its queries, so a
 * name has to need no quotes.
 * @throws {Error} when it is anything else than small letters, digits and `_`
 */
export function plainName(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a table`);
  return name;
}
