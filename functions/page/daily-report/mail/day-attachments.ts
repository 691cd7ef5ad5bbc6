import type { Members } from '#records/json/exact-json.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import {
  INVOICE_COLUMNS,
  csvCells,
  workbookColumns,
} from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import {
  CollectedCsv,
  CollectedWorkbook,
  LARGEST_ATTACHMENTS,
  csvHeader,
} from '#page/rendering/attachments/collected-attachments.ts';
import { summaryRows } from '#page/rendering/attachments/summary-rows.ts';
import { rowSheets, summarySheet } from '#page/rendering/attachments/workbook-sheets.ts';
import { attachedFiles, pageFileName } from '#page/compose-page-mail.ts';
import type { AttachableFile, BuiltAttachments } from '#page/compose-page-mail.ts';
import type { PageSettings } from '#page/page-settings.ts';

/** The files of a day's mail, as far as the merchant wants them. */
export class DayAttachments {
  readonly #settings: PageSettings;
  readonly #manifest: Manifest;
  readonly #words: AttachmentWords;
  readonly #csv: CollectedCsv | undefined;
  readonly #workbook: CollectedWorkbook | undefined;

  constructor(settings: PageSettings, manifest: Manifest, rows: Record<Table, number>) {
    this.#settings = settings;
    this.#manifest = manifest;
    this.#words = new AttachmentWords(settings, manifest.day);
    if (settings.attachCsv) {
      const header = csvHeader(INVOICE_COLUMNS, this.#words.texts);
      const size = { count: rows.invoices, columns: INVOICE_COLUMNS.length };
      this.#csv = new CollectedCsv(header, size, LARGEST_ATTACHMENTS);
    }
    if (settings.attachXlsx) {
      const all = rows.invoices + rows.refunds;
      this.#workbook = new CollectedWorkbook(workbookColumns(settings), all, settings.timeZone);
    }
  }

  /** @param row of a sealed file, redacted */
  addInvoice(row: Members): void {
    if (this.#csv?.isTooBig === false) this.#csv.add(csvCells(row, INVOICE_COLUMNS, this.#words));
    this.#workbook?.add('invoices', row, this.#words);
  }

  get hasRefunds(): boolean {
    return this.#workbook?.isTooBig === false;
  }

  /** @param row of a sealed file, redacted */
  addRefund(row: Members): void {
    this.#workbook?.add('refunds', row, this.#words);
  }

  /** When both do not fit, the CSV is attached: programs may read it. */
  async build(): Promise<BuiltAttachments> {
    const files: AttachableFile[] = [];
    if (this.#csv !== undefined)
      files.push(this.#file('csv', 'text/csv; charset=utf-8', this.#csv.content()));
    if (this.#workbook !== undefined) {
      const { WORKBOOK_TYPE, writeWorkbook } = await import('#page/workbook/write-workbook.ts');
      const { texts } = this.#words;
      const tables = this.#workbook.tables();
      const summary = summaryRows(this.#settings, this.#manifest, this.#words);
      const content =
        tables &&
        (await writeWorkbook({
          sheets: [summarySheet(summary, texts), ...rowSheets(tables, texts)],
          rightToLeft: texts.direction === 'rtl',
        }));
      files.push(this.#file('xlsx', WORKBOOK_TYPE, content));
    }
    return attachedFiles(files);
  }

  #file(format: 'csv' | 'xlsx', contentType: string, content: Buffer | undefined): AttachableFile {
    const { merchantCode, day, revision } = this.#manifest;
    const place = { ...merchantDay(merchantCode, day), revision };
    const filename = pageFileName('invoices', this.#settings.name, place, format);
    const { rows } = dataFile(this.#manifest, 'invoices', 'json');
    return { format, filename, contentType, content, rows };
  }
}
