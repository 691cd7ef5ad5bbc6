import * as z from 'zod';

/** A statement failed in Trino. The name is Trino's, such as `ICEBERG_COMMIT_ERROR`. */
export class TrinoError extends Error {
  override readonly name = 'TrinoError';
  readonly errorName: string;
  /** `USER_ERROR`, `INTERNAL_ERROR`, `EXTERNAL` or `INSUFFICIENT_RESOURCES`. */
  readonly errorType: string;

  constructor(errorName: string, errorType: string, message: string) {
    super(message);
    this.errorName = errorName;
    this.errorType = errorType;
  }
}

/** What a statement gave. Numbers are texts, as Trino wrote them, so that no digit is lost. */
export interface TrinoResult {
  columns: { name: string; type: string }[];
  rows: unknown[][];
  /** Rows that were written; `undefined` for a statement that writes none. */
  updateCount: number | undefined;
  /** Such as `MERGE` or `CREATE VIEW`; `undefined` for a query. */
  updateType: string | undefined;
  /** Bytes that were read. */
  scannedBytes: number;
}

/** Where and how a statement runs. */
export interface TrinoSession {
  /** `http://127.0.0.1:<port>` */
  url: string;
  catalog: string;
  schema: string;
  /** Ends the statement in Trino, too. */
  signal?: AbortSignal;
}

const number = z.coerce.number();
const pageSchema = z.object({
  nextUri: z.url().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  data: z.array(z.array(z.unknown())).optional(),
  updateCount: number.optional(),
  updateType: z.string().optional(),
  stats: z.object({ processedBytes: number.optional() }).optional(),
  error: z.object({ errorName: z.string(), errorType: z.string(), message: z.string() }).optional(),
});
const sourceSchema = z.object({ source: z.string() });

/** JSON with every number as its text. */
function parse(text: string): unknown {
  const keepDigits: (this: unknown, key: string, value: unknown, context?: unknown) => unknown = (
    _key,
    value,
    context,
  ) => (typeof value === 'number' ? (sourceSchema.safeParse(context).data?.source ?? String(value)) : value);
  return JSON.parse(text, keepDigits);
}

/**
 * Runs one statement and reads all of its pages.
 *
 * @throws {TrinoError} when the statement fails
 */
export async function runOnTrino(statement: string, session: TrinoSession): Promise<TrinoResult> {
  const { url, catalog, schema, signal } = session;
  const headers = { 'x-trino-user': 'athena', 'x-trino-catalog': catalog, 'x-trino-schema': schema };
  const ask = async (uri: string, more: RequestInit = {}) => {
    const response = await fetch(uri, { headers, signal: signal ?? null, ...more });
    const text = await response.text();
    if (!response.ok) throw new Error(`Trino answered ${response.status}: ${text.slice(0, 500)}`);
    return pageSchema.parse(parse(text));
  };
  const result: TrinoResult = {
    columns: [],
    rows: [],
    updateCount: undefined,
    updateType: undefined,
    scannedBytes: 0,
  };
  let page = await ask(`${url}/v1/statement`, { method: 'POST', body: statement });
  for (;;) {
    if (page.error !== undefined) {
      throw new TrinoError(page.error.errorName, page.error.errorType, page.error.message);
    }
    result.columns = page.columns ?? result.columns;
    result.rows.push(...(page.data ?? []));
    result.updateCount = page.updateCount ?? result.updateCount;
    result.updateType = page.updateType ?? result.updateType;
    result.scannedBytes = page.stats?.processedBytes ?? result.scannedBytes;
    const { nextUri } = page;
    if (nextUri === undefined) return result;
    try {
      page = await ask(nextUri);
    } catch (error) {
      if (signal?.aborted === true) await fetch(nextUri, { method: 'DELETE', headers });
      throw error;
    }
  }
}
