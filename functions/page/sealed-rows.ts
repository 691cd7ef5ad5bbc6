import * as z from 'zod';
import { integerText, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { TABLES, dataFile, type DataFile, type Manifest, type Table } from '#records/revision/manifest.ts';
import { refundSchema } from '#records/rows/contract-records.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import type { DayStore } from './day-store.ts';

/**
 * Passes on each row of a sealed file, without columns that the registry redacts.
 * @throws {SealedLineError} when a line is not one that Daybook writes
 */
export async function takeRows(
  snapshots: Pick<DayStore, 'lines'>,
  file: DataFile,
  redact: readonly string[],
  take: (row: Members) => void,
): Promise<void> {
  const columns = redactedColumns(redact);
  for await (const line of snapshots.lines(file)) takeSealedRow(line, columns, take);
}

/** The rows of a sealed file, as a schema has them. @throws {StoredObjectError} when a line is none, or the file cannot be read */
export async function* sealedRows<Row>(
  snapshots: DayStore,
  file: DataFile,
  schema: z.ZodType<Row>,
): AsyncGenerator<Row> {
  for await (const line of snapshots.lines(file)) {
    let row: Row;
    try {
      row = schema.parse(parseExactJson(line));
    } catch {
      // The parser's message quotes the line, which is a customer's data.
      throw new StoredObjectError(file.key, `has a line that is not a row of ${file.table}`);
    }
    yield row;
  }
}

export function rowsIn(pages: readonly Manifest[], tables: readonly Table[] = TABLES): number {
  const files = pages.flatMap((page) => tables.map((table) => dataFile(page, table, 'json')));
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

const refundIdSchema = z.lazy(() => refundSchema.unwrap().pick({ id: true }));

/** A revision's refunds, and those that the service did not know. */
export async function sealedRefundIds(
  snapshots: DayStore,
  manifest: Manifest | undefined,
): Promise<string[]> {
  if (manifest === undefined) return [];
  const ids = [...manifest.missingRefundIds];
  const file = dataFile(manifest, 'refunds', 'json');
  for await (const { id } of sealedRows(snapshots, file, refundIdSchema)) ids.push(integerText(id));
  return ids;
}
