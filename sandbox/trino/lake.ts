import { TrinoClient, type TrinoAnswer, type TrinoValue } from './client.ts';
import { databaseOf, metastoreFiles } from './template-metastore.ts';

/** A row by the names of its columns. */
export type TrinoRow = Record<string, TrinoValue>;

/** The catalogue as Athena calls it, and as views name it. */
const CATALOG = 'awsdatacatalog';
const ICEBERG = 'iceberg';
const METASTORE = 'metastore';

export interface TrinoLakeOptions {
  /** A Trino of {@link startTrino}. It holds one lake at a time. */
  url: string;
  /** An S3 that takes any credentials, such as the sandbox's. */
  s3Endpoint: string;
  bucket: string;
  /** The synthesised template of the stack Lake. */
  template: unknown;
  /** `YYYY-MM-DD`: `current_date` in statements (not in views), and `NOW` in projected ranges. */
  today: string;
}

/** Catalogs over the S3. Iceberg's tables are found through the first, so a statement need not name a catalog. */
function catalogSql(
  name: string,
  connector: string,
  s3Endpoint: string,
  more: Record<string, string>,
): string {
  const properties = {
    'fs.hadoop.enabled': 'false',
    'fs.native-s3.enabled': 'true',
    's3.endpoint': s3Endpoint,
    's3.region': 'us-east-1',
    's3.path-style-access': 'true',
    's3.aws-access-key': 'sandbox',
    's3.aws-secret-key': 'sandbox',
    ...more,
  };
  const list = Object.entries(properties).map(([key, value]) => `"${key}" = '${value}'`);
  return `CREATE CATALOG ${name} USING ${connector} WITH (${list.join(', ')})`;
}

/** The lake of a synthesised template in Trino, over the objects of an S3. */
export class TrinoLake {
  /** The name of Glue's database. */
  readonly database: string;
  readonly #client: TrinoClient;
  readonly #today: string;

  private constructor(url: string, database: string, today: string) {
    this.database = database;
    this.#client = new TrinoClient(url, CATALOG, database);
    this.#today = today;
  }

  /** Makes the template's tables and views. Tables of Iceberg that are in this S3 already stay. */
  static async open({ url, s3Endpoint, bucket, template, today }: TrinoLakeOptions): Promise<TrinoLake> {
    const database = databaseOf(template);
    const lake = new TrinoLake(url, database, today);
    const files = metastoreFiles(template, database, { bucket, today });
    await Promise.all(
      [...files].map(async ([path, body]) => {
        const response = await fetch(`${s3Endpoint}/${METASTORE}/${path}`, { method: 'PUT', body });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      }),
    );
    await lake.close();
    const hive = {
      'hive.metastore': 'file',
      'hive.metastore.catalog.dir': `s3://${METASTORE}/`,
      'hive.metastore.disable-location-checks': 'true',
      'hive.recursive-directories': 'true',
      'hive.partition-projection-enabled': 'true',
      'hive.security': 'allow-all',
      'hive.iceberg-catalog-name': ICEBERG,
    };
    const iceberg = {
      'iceberg.catalog.type': 'TESTING_FILE_METASTORE',
      'hive.metastore.catalog.dir': `s3://${METASTORE}/`,
      'iceberg.security': 'allow_all',
      // Athena keeps nothing from one statement to the next. So each statement must read its objects from S3.
      'iceberg.metadata-cache.enabled': 'false',
      // Athena removes snapshots of any age that the table names, and files of that age that no snapshot has.
      'iceberg.expire-snapshots.min-retention': '0s',
      'iceberg.remove-orphan-files.min-retention': '0s',
    };
    await lake.#client.run(catalogSql(ICEBERG, 'iceberg', s3Endpoint, iceberg));
    await lake.#client.run(catalogSql(CATALOG, 'hive', s3Endpoint, hive));
    return lake;
  }

  /** `signal` cancels the statement. @throws {TrinoError} when Trino refuses it */
  run(sql: string, signal?: AbortSignal): Promise<TrinoAnswer> {
    return this.#client.run(sql.replaceAll('current_date', `DATE '${this.#today}'`), signal);
  }

  /** Rows of a statement; integers of 64 bits, amounts, dates and timestamps are text. */
  async query(sql: string): Promise<TrinoRow[]> {
    const { columns, rows } = await this.run(sql);
    return rows.map((row) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
    );
  }

  /** Name and type of each column. */
  async columns(sql: string): Promise<[string, string][]> {
    const { columns } = await this.run(`SELECT * FROM (${sql}) LIMIT 0`);
    return columns.map(({ name, type }) => [name, type]);
  }

  /** Removes the catalogs, so that the Trino is free for the next lake. */
  async close(): Promise<void> {
    for (const name of [CATALOG, ICEBERG]) await this.#client.run(`DROP CATALOG IF EXISTS ${name}`);
  }
}
