import * as z from 'zod';
import { integerText, parseExactJson } from '#records/json/exact-json.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { DataFile, Manifest } from '#records/revision/manifest.ts';
import { refundSchema } from '#records/rows/contract-records.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** The rows of a sealed file. @throws {StoredObjectError} when a line is none, or the file cannot be read */
export async function* sealedRows<Row>(
  snapshots: SnapshotStore,
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

const refundIdSchema = z.lazy(() => refundSchema.unwrap().pick({ id: true }));

/** A revision's refunds, and those that the service did not know. */
export async function sealedRefundIds(
  snapshots: SnapshotStore,
  manifest: Manifest | undefined,
): Promise<string[]> {
  if (manifest === undefined) return [];
  const ids = [...manifest.missingRefundIds];
  const file = dataFile(manifest, 'refunds', 'json');
  for await (const { id } of sealedRows(snapshots, file, refundIdSchema)) ids.push(integerText(id));
  return ids;
}
