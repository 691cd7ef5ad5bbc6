import type { MailAttachment } from '#mail/message/mime.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import type { Members } from '#records/json/exact-json.ts';
import { csvCells, peopleCells } from '#page/rendering/attachments/attachment-cells.ts';
import {
  INVOICE_COLUMNS,
  workbookInvoiceColumns,
  workbookRefundColumns,
} from '#page/rendering/attachments/attachment-columns.ts';
import type { AttachmentColumn } from '#page/rendering/attachments/attachment-columns.ts';
import { LARGEST_ATTACHMENTS, WORKBOOK_LIMITS } from '#page/rendering/attachments/attachment-limits.ts';
import { csvHeader } from '#page/rendering/attachments/attachment-csv.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { CollectedCsv, CollectedWorkbook } from '#page/rendering/attachments/collected-attachments.ts';
import type { CollectedTable } from '#page/rendering/attachments/collected-attachments.ts';
import { attachmentFileName } from '#page/rendering/attachments/file-name.ts';
import { collectedSheet, summarySheet } from '#page/rendering/attachments/workbook-sheets.ts';
import { summaryRows } from '#page/rendering/attachments/summary-rows.ts';
import type { TableSheet, Workbook } from '#page/rendering/attachments/workbook-model.ts';
import type { AttachmentFormat, ReportAttachment } from '#page/rendering/report/report-input.ts';
import type { PageSettings } from '#page/page-settings.ts';

const TABLE_NAMES = { invoices: 'Invoices', refunds: 'Refunds' } as const;

export interface BuiltAttachments {
  files: MailAttachment[];
  described: ReportAttachment[];
}

export class DayAttachments {
  readonly #settings: PageSettings;
  readonly #manifest: Manifest;
  readonly #words: AttachmentWords;
  readonly #csvColumns: readonly AttachmentColumn[] = INVOICE_COLUMNS;
  readonly #workbookColumns: Record<Table, readonly AttachmentColumn[]>;
  readonly #csv: CollectedCsv | undefined;
  readonly #workbook: CollectedWorkbook | undefined;

  constructor(settings: PageSettings, manifest: Manifest, rows: Record<Table, number>) {
    const { invoiceStatuses, refunds, timeZone } = settings;
    this.#settings = settings;
    this.#manifest = manifest;
    this.#words = new AttachmentWords(settings, manifest.day);
    this.#workbookColumns = {
      invoices: workbookInvoiceColumns(invoiceStatuses),
      refunds: workbookRefundColumns(refunds.statuses),
    };
    if (settings.attachCsv) {
      const size = { count: rows.invoices, columns: this.#csvColumns.length };
      this.#csv = new CollectedCsv(csvHeader(this.#csvColumns, this.#words.texts), size, LARGEST_ATTACHMENTS);
    }
    if (settings.attachXlsx) {
      const all = rows.invoices + rows.refunds;
      this.#workbook = new CollectedWorkbook(this.#workbookColumns, all, WORKBOOK_LIMITS, timeZone);
    }
  }

  /** @param row of a sealed file, redacted */
  addInvoice(row: Members): void {
    if (this.#csv?.isTooBig === false) this.#csv.add(csvCells(row, this.#csvColumns, this.#words));
    this.#addToWorkbook('invoices', row);
  }

  get hasRefunds(): boolean {
    return this.#workbook?.isTooBig === false;
  }

  /** @param row of a sealed file, redacted */
  addRefund(row: Members): void {
    this.#addToWorkbook('refunds', row);
  }

  #addToWorkbook(table: Table, row: Members): void {
    if (this.#workbook?.isTooBig !== false) return;
    this.#workbook.add(table, peopleCells(row, this.#workbookColumns[table], this.#words));
  }

  /** When both do not fit, the CSV is attached: programs may read it. */
  async build(): Promise<BuiltAttachments> {
    const built: BuiltAttachments = { files: [], described: [] };
    if (this.#csv !== undefined) {
      this.#attach(built, 'csv', 'text/csv; charset=utf-8', this.#csv.content());
    }
    if (this.#workbook !== undefined) {
      const { WORKBOOK_TYPE, writeWorkbook } = await import('#page/workbook/write-workbook.ts');
      const tables = this.#workbook.tables();
      const content = tables && (await writeWorkbook(this.#sheets(tables)));
      this.#attach(built, 'xlsx', WORKBOOK_TYPE, content);
    }
    return built;
  }

  #sheets(tables: Record<Table, CollectedTable>): Workbook {
    const { texts } = this.#words;
    return {
      sheets: [
        summarySheet(summaryRows(this.#settings, this.#manifest, this.#words), texts),
        this.#sheet('invoices', tables.invoices),
        this.#sheet('refunds', tables.refunds),
      ],
      rightToLeft: texts.direction === 'rtl',
    };
  }

  #sheet(table: Table, collected: CollectedTable): TableSheet {
    const { texts } = this.#words;
    return collectedSheet(
      { name: texts.say(`workbook.${table}`), table: TABLE_NAMES[table] },
      collected,
      texts,
    );
  }

  #attach(
    built: BuiltAttachments,
    format: AttachmentFormat,
    contentType: string,
    content: Buffer | undefined,
  ): void {
    const manifest = this.#manifest;
    const { rows } = dataFile(manifest, 'invoices', 'json');
    const attached = built.files.reduce((bytes, file) => bytes + file.content.length, 0);
    if (content === undefined || attached + content.length > LARGEST_ATTACHMENTS) {
      built.described.push({ kind: 'too-big', format, rows });
      return;
    }
    const filename = attachmentFileName(this.#settings.name, manifest, format);
    built.files.push({ filename, content, contentType });
    built.described.push({ kind: 'attached', format, filename, rows });
  }
}
