import type { LakeTable } from './lake-table.ts';

/** How Glue describes the way to read a table. */
export interface Serde {
  library: string;
  /** Options of the SerDe. Athena reads them here, and not among the table's own parameters. */
  parameters: Record<string, string>;
  /** The table's parameters. */
  tableParameters: Record<string, string>;
}

/**
 * A character that the CSV files never contain, because the writer replaces it. Any other choice loses data: without it, or
 * with a quote, the SerDe uses the backslash and would remove our backslashes.
 */
const NEVER_THERE = '\uE000';

const SERDES: Record<LakeTable['format'], Serde> = {
  json: {
    library: 'org.openx.data.jsonserde.JsonSerDe',
    /*
     * AWS documents one thing of `ignore.malformed.json`: TRUE skips JSON with wrong syntax, and FALSE is the default.
     * Trino's reader stops the query at JSON that ends too early. It makes a row of nulls of a blank line, of an array
     * (whose items are the first columns) and of text that is not JSON. So the views compare each row with its page.
     */
    parameters: { 'ignore.malformed.json': 'FALSE', 'case.insensitive': 'TRUE', 'dots.in.keys': 'FALSE' },
    tableParameters: { classification: 'json' },
  },
  csv: {
    library: 'org.apache.hadoop.hive.serde2.OpenCSVSerde',
    parameters: { separatorChar: ',', quoteChar: '"', escapeChar: NEVER_THERE },
    tableParameters: {
      classification: 'csv',
      // A gzip file is never read in parts, so each reader sees its header line.
      'skip.header.line.count': '1',
    },
  },
};

export function serdeOf({ format }: Pick<LakeTable, 'format'>): Serde {
  return SERDES[format];
}
