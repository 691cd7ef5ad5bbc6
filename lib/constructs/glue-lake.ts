import * as glue from 'aws-cdk-lib/aws-glue';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { addDays } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import type { PeriodKind } from '#records/period/period.ts';
import { sqlName, glueType } from '#lake/sql/columns.ts';
import type { Meaning, LakeColumn } from '#lake/sql/columns.ts';
import { LAKE_TABLES, PARTITION_COMMENTS, partitionTemplate } from '../lake/tables.ts';
import type { LakeTable, PartitionColumn } from '../lake/tables.ts';
import { viewSql, glueViewType } from '#lake/sql/lake-view.ts';
import type { LakeView } from '#lake/sql/lake-view.ts';
import { LAKE_VIEWS } from '../lake/views/index.ts';

/** The longest comment that Glue accepts, characters. */
const LONGEST = 255;

/** The meaning of a column with its unit, as a comment for Glue's catalogue. @throws {RangeError} when it is too long */
function glueComment({ meaning, unit }: Meaning): string {
  const comment = unit === undefined ? meaning : `${meaning} [${unit}]`;
  if (comment.length > LONGEST) throw new RangeError(`over ${LONGEST} characters: ${comment}`);
  return comment;
}

function numbers(last: number): string[] {
  return Array.from({ length: last }, (_, index) => (index + 1).toString().padStart(2, '0'));
}

/** The days of a year with a 29 February. */
const LEAP_YEAR = daysOf({ from: '2028-01-01', to: '2028-12-31' });

const PARTS: Record<PeriodKind, readonly string[]> = {
  month: numbers(12),
  week: numbers(53).map((number) => `W${number}`),
  day: LEAP_YEAR.map((day) => day.slice(5)),
};

/** Everything that may follow the year in the name of a period: `11` of a month, `W47` of a week, `11-20` of a day. */
function periodParts(kinds: readonly PeriodKind[]): string[] {
  return kinds.flatMap((kind) => PARTS[kind]);
}

/** The most days from the first day of a week to its Thursday, which names it. */
const TO_THE_THURSDAY = 6;

/** The year in the name of the first period with a day in the tables. A week may have the name of the year before. */
function firstYear(firstDay: string): string {
  return addDays(firstDay, -TO_THE_THURSDAY).slice(0, 4);
}

/** A date of each day or year. Athena's "now" is in UTC. */
function dates(format: string, unit: 'DAYS' | 'YEARS', range: string): Record<string, string> {
  return { type: 'date', format, interval: '1', 'interval.unit': unit, range };
}

function projected(
  column: PartitionColumn,
  { periods = [] }: LakeTable,
  firstDay: string,
): Record<string, string> {
  switch (column) {
    case 'merchant':
      return { type: 'injected' };
    case 'day':
    case 'noted_on':
      // A merchant can be a day ahead of UTC.
      return dates('yyyy-MM-dd', 'DAYS', `${firstDay},NOW+1DAYS`);
    case 'year':
      // A period is sealed when it is over: by then, its year has begun in UTC as well.
      return dates('yyyy', 'YEARS', `${firstYear(firstDay)},NOW`);
    case 'part':
      return { type: 'enum', values: periodParts(periods).join(',') };
  }
}

/**
 * The table's parameters that tell Athena its partitions without a list.
 * @param firstDay the first day of the tables
 * @param bucketUrl such as `s3://bucket/`
 */
function projectionOf(table: LakeTable, firstDay: string, bucketUrl: string): Record<string, string> {
  if (table.partitions.length === 0) return {};
  const columns = table.partitions.flatMap((column) =>
    Object.entries(projected(column, table, firstDay)).map(([name, value]): [string, string] => [
      `projection.${column}.${name}`,
      value,
    ]),
  );
  return {
    'projection.enabled': 'true',
    ...Object.fromEntries(columns),
    'storage.location.template': bucketUrl + partitionTemplate(table),
  };
}

/** How Glue describes the way to read a table. */
interface Serde {
  library: string;
  /** Options of the SerDe. Athena reads them here, and not among the table's own parameters. */
  parameters: Record<string, string>;
  tableParameters: Record<string, string>;
}

/**
 * A character that the CSV files never contain, because the writer replaces it. Any other choice loses data: without it, or
 * with a quote, the SerDe uses the backslash and would remove our backslashes.
 */
const NEVER_THERE = '\uE000';

export const SERDES: Record<LakeTable['format'], Serde> = {
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

function glueColumn(column: LakeColumn): glue.CfnTable.ColumnProperty {
  return { name: sqlName(column), type: glueType(column.type), comment: glueComment(column) };
}

/** What the catalogue knows of a table over objects. Its partitions are projected, so a new day needs no change. */
function tableInput(table: LakeTable, firstDay: string, url: string): glue.CfnTable.TableInputProperty {
  const serde = SERDES[table.format];
  return {
    name: table.name,
    description: table.description,
    tableType: 'EXTERNAL_TABLE',
    parameters: { EXTERNAL: 'TRUE', ...serde.tableParameters, ...projectionOf(table, firstDay, url) },
    partitionKeys: table.partitions.map((name) => ({
      name,
      type: 'string',
      comment: PARTITION_COMMENTS[name],
    })),
    storageDescriptor: {
      location: url + table.prefix,
      columns: table.columns.map(glueColumn),
      inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
      outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
      serdeInfo: { serializationLibrary: serde.library, parameters: serde.parameters },
    },
  };
}

/** Athena's own catalogue, in the spelling of views. */
const CATALOG = 'awsdatacatalog';

/**
 * The comment in which Athena finds a view in Glue: the statement and its columns, in base64. `CREATE VIEW` would write
 * the same.
 * @param database the database of the view's tables
 */
function prestoView(view: LakeView, database: string): string {
  const definition = {
    originalSql: viewSql(view),
    catalog: CATALOG,
    schema: database,
    columns: view.columns.map(({ name, type }) => ({ name, type })),
  };
  return `/* Presto View: ${Buffer.from(JSON.stringify(definition)).toString('base64')} */`;
}

/** A view in the form in which Athena itself writes it into Glue, so that it exists after the deploy. */
function viewInput(view: LakeView, databaseName: string): glue.CfnTable.TableInputProperty {
  return {
    name: view.name,
    description: view.description,
    tableType: 'VIRTUAL_VIEW',
    parameters: { presto_view: 'true', comment: 'Presto View' },
    partitionKeys: [],
    viewOriginalText: prestoView(view, databaseName),
    viewExpandedText: '/* Presto View */',
    storageDescriptor: {
      columns: view.columns.map((column) => ({
        name: column.name,
        type: glueViewType(column.type),
        comment: glueComment(column),
      })),
      // It has no meaning, but Athena refuses a view without it.
      serdeInfo: { name: '-', serializationLibrary: '-' },
    },
  };
}

/**
 * Puts the lake's tables and views into the catalogue. The L2 construct would put a SerDe's options among the table's parameters, where Athena
 * does not look.
 * @param firstDay the first day of the tables, `YYYY-MM-DD`
 */
export function fillCatalogue(
  scope: Construct,
  database: glue.CfnDatabase,
  databaseName: string,
  dataBucket: s3.IBucket,
  firstDay: string,
): void {
  const url = `s3://${dataBucket.bucketName}/`;
  const create = (id: 'Table' | 'View', name: string, input: glue.CfnTable.TableInputProperty) =>
    new glue.CfnTable(new Construct(scope, name), id, {
      catalogId: database.catalogId,
      databaseName: database.ref,
      tableInput: input,
    });
  for (const table of LAKE_TABLES) create('Table', table.name, tableInput(table, firstDay, url));
  for (const view of LAKE_VIEWS) create('View', view.name, viewInput(view, databaseName));
}
