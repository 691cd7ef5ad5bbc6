import type { LakeTable } from './lake-table.ts';

/** How Glue says that a table is read. */
export interface Serde {
  library: string;
  /** Options of the SerDe. Athena reads them here, and not among the table's own parameters. */
  parameters: Record<string, string>;
  /** Of the table. */
  tableParameters: Record<string, string>;
}

/**
 * A character that the CSV files never have, since the writer replaces it. Any other choice eats data: left out or
 * a quote, the SerDe falls back to the backslash, and would take ours away.
 */
const NEVER_THERE = '\uE000';

const SERDES: Record<LakeTable['format'], Serde> = {
  json: {
    library: 'org.openx.data.jsonserde.JsonSerDe',
    // A line that is no JSON fails the query, instead of turning into a row of nulls.
    parameters: { 'ignore.malformed.json': 'FALSE', 'case.insensitive': 'TRUE', 'dots.in.keys': 'FALSE' },
    tableParameters: { classification: 'json' },
  },
  csv: {
    library: 'org.apache.hadoop.hive.serde2.OpenCSVSerde',
    parameters: { separatorChar: ',', quoteChar: '"', escapeChar: NEVER_THERE },
    tableParameters: {
      classification: 'csv',
      // A gzip file is never read in parts, so each reader meets its header line.
      'skip.header.line.count': '1',
    },
  },
};

export function serdeOf({ format }: Pick<LakeTable, 'format'>): Serde {
  return SERDES[format];
}
