import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection, Json } from '@duckdb/node-api';
import type { LakeTable } from '#lib/lake/lake-table.ts';
import type { LakeType } from '#lib/lake/lake-type.ts';
import { viewSql } from '#lib/lake/lake-view.ts';
import { LAKE_TABLES } from '#lib/lake/tables/index.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { MACROS, forDuckDb } from './dialect.ts';

export type Row = Record<string, Json>;

/** A value of an answer as text; what is text already stays as it is. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SCALARS = { string: 'VARCHAR', bigint: 'BIGINT', double: 'DOUBLE', boolean: 'BOOLEAN' } as const;

/** DuckDB compares member names with their case, so they are written here as in the files. */
function duckType(type: LakeType): string {
  if (typeof type === 'string') return SCALARS[type];
  if ('list' in type) return `${duckType(type.list)}[]`;
  if ('map' in type) return `MAP(VARCHAR, ${duckType(type.map)})`;
  return `STRUCT(${type.members.map((member) => `"${member.name}" ${duckType(member.type)}`).join(', ')})`;
}

/** The table over files below `directory`, which stand where their keys say. */
function tableSql(table: LakeTable, directory: string, bucket: string): string {
  const columns = table.columns.map(({ name, type }) => `'${name}': '${duckType(type)}'`).join(', ');
  const files = `'${directory}/${table.prefix}day=*/**/*.*'`;
  const common = `hive_partitioning = true, hive_types = {'day': 'VARCHAR', 'merchant': 'VARCHAR'}, filename = true, columns = {${columns}}`;
  const reader =
    table.format === 'json'
      ? `read_json(${files}, format = 'newline_delimited', ${common})`
      : // A null string that no file has: the SerDe reads an empty cell as an empty string.
        `read_csv(${files}, header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '\uE000', strict_mode = true, ${common})`;
  const left = table.partitions.includes('merchant') ? 'filename' : 'filename, merchant';
  const path = `'s3://${bucket}' || substr(filename, ${directory.length + 1}) AS "$path"`;
  return `CREATE VIEW "${table.name}" AS SELECT * EXCLUDE (${left}), ${path} FROM ${reader}`;
}

/** The lake's tables and views in DuckDB, made from the same definitions as Glue's. */
export class DuckDbLake {
  readonly #connection: DuckDBConnection;
  readonly #today: string;

  private constructor(connection: DuckDBConnection, today: string) {
    this.#connection = connection;
    this.#today = today;
  }

  /** @param directory holds objects as files, at their keys */
  static async open(directory: string, options: { today: string; bucket?: string }): Promise<DuckDbLake> {
    // Nothing is ever loaded from the network.
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      threads: '2',
    });
    const lake = new DuckDbLake(await instance.connect(), options.today);
    const ofPages = LAKE_TABLES.filter(({ partitions }) => partitions.includes('day'));
    const tables = ofPages.map((table) => tableSql(table, directory, options.bucket ?? 'the-bucket'));
    const views = LAKE_VIEWS.toReversed().map((view) => {
      return `CREATE VIEW "${view.name}" AS ${forDuckDb(viewSql(view), options.today)}`;
    });
    for (const statement of [...MACROS, ...tables, ...views]) await lake.#connection.run(statement);
    return lake;
  }

  /** Rows of a statement of the lake; numbers beyond JSON's, amounts, dates and timestamps as text. */
  async query(sql: string): Promise<Row[]> {
    return (await this.#connection.runAndReadAll(forDuckDb(sql, this.#today))).getRowObjectsJson();
  }

  /** Name and type of each column, as DuckDB has it. */
  async columns(sql: string): Promise<[string, string][]> {
    const answer = await this.#connection.runAndReadAll(`${forDuckDb(sql, this.#today)} LIMIT 0`);
    return answer.columnNames().map((name, index) => [name, answer.columnType(index).toString()]);
  }

  close(): void {
    this.#connection.closeSync();
  }
}
