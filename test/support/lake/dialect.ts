/**
 * Where DuckDB and Athena (Trino) read the same SQL differently. Everything else in the lake's views and queries runs in
 * both as it stands.
 */
interface Rule {
  why: string;
  from: RegExp;
  to: string;
}

const RULES: Rule[] = [
  {
    why: 'Trino gives UNNEST of rows one column per member; DuckDB gives one struct unless told to unfold it.',
    from: /CROSS JOIN UNNEST\(([\w.]+)\) AS/g,
    to: 'CROSS JOIN LATERAL (SELECT unnest($1, max_depth := 2)) AS',
  },
];

/** Functions that DuckDB knows by another name. */
export const MACROS = [
  // ISO 8601 to a timestamp with its zone.
  'CREATE MACRO from_iso8601_timestamp(text) AS CAST(text AS TIMESTAMPTZ)',
];

/**
 * A statement of the lake as DuckDB reads it.
 *
 * @param today stands for `current_date`: the tests' days are fixed, and the clock of the machine is not
 */
export function forDuckDb(sql: string, today: string): string {
  const translated = RULES.reduce((text, { from, to }) => text.replace(from, to), sql);
  return translated.replaceAll('current_date', `DATE '${today}'`);
}
