import * as z from 'zod';
import { invoiceState } from '#records/figures/invoice-state-totals.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import type { EarlierOutcomes } from '#records/figures/outcome-tally.ts';
import { integerText, parseExactJson } from '#records/json/exact-json.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { DataFile, Manifest } from '#records/revision/manifest.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { IdSet } from '#records/rows/id-set.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { unlessSpoilt } from './page-store.ts';
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

const openRowSchema = z.lazy(() => invoiceSchema.unwrap().pick({ id: true, invoice_status: true }));

/**
 * Which invoices a revision knew as unpaid, so that the next one knows what was settled since. `undefined` when
 * there is none, or its rows cannot be read.
 * @param names of the registry, or as sealed
 */
export async function earlierOutcomes(
  snapshots: SnapshotStore,
  manifest: Manifest | undefined,
  names: InvoiceStatusNames | undefined,
): Promise<EarlierOutcomes | undefined> {
  if (manifest === undefined || names === undefined) return undefined;
  const open = new IdSet();
  const seen = manifest.outcomes?.seen ?? [];
  const wasOpen: EarlierOutcomes['wasOpen'] = (id) => open.has(id);
  if (manifest.outcomes?.open.length === 0) return { seen, wasOpen };
  return unlessSpoilt(async () => {
    const file = dataFile(manifest, 'invoices', 'json');
    for await (const { id, invoice_status: status } of sealedRows(snapshots, file, openRowSchema)) {
      if (invoiceState(names, status) === 'notPaid') open.add(id);
    }
    return { seen, wasOpen };
  });
}
