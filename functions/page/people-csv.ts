import { csvCells, type AttachmentColumn } from './rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from './rendering/attachments/attachment-words.ts';
import { csvHeader, csvRow } from './rendering/attachments/collected-attachments.ts';
import type { AttachableFile } from './compose-page-mail.ts';
import { pageSettings } from './page-settings.ts';
import type { DayStore } from './day-store.ts';
import { rowsIn } from './sealed-rows.ts';
import { dataFile, type Manifest } from '#records/revision/manifest.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';

/**
 * The invoices of sealed pages as one CSV for people, of any size: the sealed files are read once more, row by row.
 * @throws {SealedLineError} while it is made: when a line of a sealed file is not one that Daybook writes
 */
export function peopleCsv(
  snapshots: Pick<DayStore, 'lines'>,
  merchant: MerchantSettings,
  pages: readonly Manifest[],
  columns: readonly AttachmentColumn[],
): AttachableFile {
  const left = redactedColumns(merchant.redact);
  async function* pieces(): AsyncGenerator<string> {
    yield csvHeader(columns, textsIn(merchant.language));
    for (const page of pages) {
      const words = new AttachmentWords(pageSettings(page, merchant), page.day);
      const file = dataFile(page, 'invoices', 'json');
      if (file.rows === 0) continue;
      for await (const line of snapshots.lines(file)) {
        yield takeSealedRow(line, left, (row) => csvRow(csvCells(row, columns, words)));
      }
    }
  }
  return { format: 'csv', pieces, rows: rowsIn(pages, ['invoices']) };
}
