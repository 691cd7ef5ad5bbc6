import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/sealed-row.ts';
import type { Members } from '#records/json/exact-json.ts';
import type { Day } from '#records/day/business-day.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { TABLES, dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import type { Statement } from '#page/figures/statement.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { WORKBOOK_TYPE } from '#page/workbook/write-workbook.ts';
import { WORKBOOK_LIMITS } from '#page/rendering/attachments/attachment-limits.ts';
import { pageFileName } from '#page/rendering/attachments/file-name.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { statementDocument } from '#page/rendering/statement/statement-document.ts';
import { StatementWorkbook } from '#page/rendering/statement/statement-workbook.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import { attachedFiles } from './attached-files.ts';
import type { AttachableFile, BuiltAttachments } from './attached-files.ts';

export type StatedMerchant = MerchantSettings & MailedMerchant;

const PREFIX = 'statement';

/**
 * The PDF, and the workbook with `attachXlsx`.
 * @throws {StoredObjectError} when a page or a file of it cannot be read
 */
export async function statementAttachments(
  snapshots: SnapshotStore,
  merchant: StatedMerchant,
  { statement, preview }: { statement: Statement; preview: boolean },
): Promise<BuiltAttachments> {
  const { merchantCode, name } = merchant;
  const { period, revision } = statement;
  const fileOf = (format: 'pdf' | 'xlsx') =>
    pageFileName(PREFIX, { name, code: merchantCode }, { time: period, revision }, format);
  // The code that writes a PDF is large, and a run without a mail does not need it.
  const { writePdf } = await import('#page/rendering/document/write-pdf.ts');
  const document = statementDocument({ merchant, statement, preview });
  const files: AttachableFile[] = [
    {
      format: 'pdf',
      filename: fileOf('pdf'),
      contentType: 'application/pdf',
      content: await writePdf(document, await readDocumentFonts()),
      rows: statement.days.length,
    },
  ];
  if (merchant.attachXlsx) {
    const { content, rows } = await workbookOf(snapshots, merchant, statement);
    files.push({ format: 'xlsx', filename: fileOf('xlsx'), contentType: WORKBOOK_TYPE, content, rows });
  }
  return attachedFiles(files);
}

async function workbookOf(
  snapshots: SnapshotStore,
  merchant: StatedMerchant,
  statement: Statement,
): Promise<Pick<AttachableFile, 'content' | 'rows'>> {
  const pages = await pagesOf(snapshots, statement);
  const count = (table: Table) => pages.reduce((sum, page) => sum + dataFile(page, table, 'json').rows, 0);
  const rows = { invoices: count('invoices'), refunds: count('refunds') };
  const words = new Map(pages.map((page) => [page.day, pageSettings(page, merchant)]));
  const wordsOf = (day: Day) => words.get(day) ?? merchant;
  const collected = new StatementWorkbook(merchant, statement, wordsOf, rows, WORKBOOK_LIMITS);
  const columns = redactedColumns(merchant.redact);
  for (const page of pages) {
    for (const table of TABLES) {
      const file = dataFile(page, table, 'json');
      if (collected.isTooBig || file.rows === 0) continue;
      const add = (row: Members) =>
        table === 'invoices' ? collected.addInvoice(page.day, row) : collected.addRefund(page.day, row);
      for await (const line of snapshots.lines(file)) takeSealedRow(line, columns, add);
    }
  }
  const workbook = collected.workbook();
  const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  return { content: workbook && (await writeWorkbook(workbook)), rows: rows.invoices + rows.refunds };
}

async function pagesOf(snapshots: SnapshotStore, { merchantCode, days }: Statement): Promise<Manifest[]> {
  const pages: Manifest[] = [];
  for (const { day, revision } of days) {
    const page = await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
    if (page !== undefined) pages.push(page);
  }
  return pages;
}
