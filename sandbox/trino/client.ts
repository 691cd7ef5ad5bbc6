import * as z from 'zod';

/** A value of an answer. What JSON's numbers cannot hold is text: integers of 64 bits, amounts, dates and timestamps. */
export type TrinoValue = string | number | boolean | null | TrinoValue[] | { [name: string]: TrinoValue };

export interface TrinoColumn {
  name: string;
  /** Such as `decimal(38,3)`. */
  type: string;
}

export interface TrinoAnswer {
  columns: TrinoColumn[];
  rows: TrinoValue[][];
  /** Such as `MERGE`; not set for a query. */
  updateType?: string | undefined;
  /** How many rows the statement wrote or removed. */
  updateCount?: number | undefined;
  /** Milliseconds of CPU, and objects' bytes read. */
  stats: { cpuMillis: number; physicalInputBytes: number };
}

/** Trino refused a statement. */
export class TrinoError extends Error {
  override readonly name = 'TrinoError';
  /** Such as `ICEBERG_COMMIT_ERROR`. */
  readonly code: string;
  /** `USER_ERROR`, `INTERNAL_ERROR`, `EXTERNAL` or `INSUFFICIENT_RESOURCES`. */
  readonly type: string;
  constructor(code: string, message: string, type = 'INTERNAL_ERROR') {
    super(`${code}: ${message}`);
    this.code = code;
    this.type = type;
  }
}

/** A number as its digits, so that none is lost: the protocol writes a bigint as a JSON number. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const signatureSchema = z.looseObject({ rawType: z.string(), arguments: z.array(z.looseObject({})) });
type Signature = z.infer<typeof signatureSchema>;

const number = z.instanceof(Digits).transform(({ text }) => Number(text));
const pageSchema = z.object({
  nextUri: z.string().optional(),
  columns: z
    .array(z.object({ name: z.string(), type: z.string(), typeSignature: signatureSchema }))
    .optional(),
  data: z.array(z.array(z.unknown())).optional(),
  updateType: z.string().optional(),
  updateCount: number.optional(),
  stats: z.object({ cpuTimeMillis: number, physicalInputBytes: number }),
  error: z
    .object({ errorName: z.string(), errorType: z.string().optional(), message: z.string().default('') })
    .optional(),
});

function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value;
}

const NUMBERS = ['integer', 'smallint', 'tinyint', 'double', 'real'];
const typeArgument = z.object({ kind: z.literal('TYPE'), value: signatureSchema });
const namedArgument = z.object({
  kind: z.literal('NAMED_TYPE'),
  value: z.object({ fieldName: z.object({ name: z.string() }).optional(), typeSignature: signatureSchema }),
});

/** A value of the protocol as its type makes it: rows become objects. */
function valueOf(value: unknown, type: Signature): TrinoValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Digits) return NUMBERS.includes(type.rawType) ? Number(value.text) : value.text;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (type.rawType === 'array') {
    const [item] = type.arguments.map((argument) => typeArgument.parse(argument).value);
    if (item !== undefined)
      return z
        .array(z.unknown())
        .parse(value)
        .map((one) => valueOf(one, item));
  }
  if (type.rawType === 'map') {
    const of = typeArgument.parse(type.arguments[1]).value;
    const entries = Object.entries(z.record(z.string(), z.unknown()).parse(value));
    return Object.fromEntries(entries.map(([name, one]) => [name, valueOf(one, of)]));
  }
  if (type.rawType === 'row') {
    const members = type.arguments.map((argument) => namedArgument.parse(argument).value);
    const values = z.array(z.unknown()).parse(value);
    return Object.fromEntries(
      members.map(({ fieldName, typeSignature }, index) => [
        fieldName?.name ?? `_${index}`,
        valueOf(values[index], typeSignature),
      ]),
    );
  }
  throw new Error(`a value of ${type.rawType} cannot be read`);
}

export class TrinoClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  /** @param url `http://127.0.0.1:<port>` */
  constructor(url: string, catalog: string, schema: string) {
    this.#url = url;
    this.#headers = {
      'X-Trino-User': 'daybook',
      'X-Trino-Time-Zone': 'UTC',
      // Without it, a timestamp has milliseconds, and its type does not say how many digits it has.
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
      'X-Trino-Catalog': catalog,
      'X-Trino-Schema': schema,
    };
  }

  /** Runs one statement to its end. `signal` cancels it in Trino, too. @throws {TrinoError} when Trino refuses it */
  async run(sql: string, signal?: AbortSignal): Promise<TrinoAnswer> {
    let page = await this.#page(`${this.#url}/v1/statement`, { method: 'POST', body: sql });
    let columns = page.columns;
    const rows: TrinoValue[][] = [];
    for (;;) {
      if (page.error !== undefined) {
        const { errorName, message, errorType } = page.error;
        throw new TrinoError(errorName, message, errorType);
      }
      const described = (columns ??= page.columns) ?? [];
      for (const row of page.data ?? []) {
        rows.push(described.map(({ typeSignature }, index) => valueOf(row[index], typeSignature)));
      }
      if (page.nextUri === undefined) break;
      page = await this.#next(page.nextUri, signal);
    }
    const { cpuTimeMillis, physicalInputBytes } = page.stats;
    return {
      columns: (columns ?? []).map(({ name, type }) => ({ name, type: type.replaceAll(', ', ',') })),
      rows,
      updateType: page.updateType,
      updateCount: page.updateCount,
      stats: { cpuMillis: cpuTimeMillis, physicalInputBytes },
    };
  }

  async #next(url: string, signal: AbortSignal | undefined): Promise<z.infer<typeof pageSchema>> {
    try {
      return await this.#page(url, { signal: signal ?? null });
    } catch (error) {
      if (signal?.aborted === true) await fetch(url, { method: 'DELETE', headers: this.#headers });
      throw error;
    }
  }

  async #page(url: string, init: RequestInit): Promise<z.infer<typeof pageSchema>> {
    const response = await fetch(url, { ...init, headers: this.#headers });
    const text = await response.text();
    if (!response.ok) throw new TrinoError(`HTTP ${response.status}`, text.slice(0, 500));
    return pageSchema.parse(JSON.parse(text, exact));
  }
}
