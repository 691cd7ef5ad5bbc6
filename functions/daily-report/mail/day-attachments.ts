import type { MailAttachment } from '#mailing/message/mime.ts';
import { dataFile } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { Members } from '#domain/json/exact-json.ts';
import { attachmentCells } from '#rendering/attachments/attachment-cells.ts';
import { ATTACHMENT_COLUMNS } from '#rendering/attachments/attachment-columns.ts';
import { csvHeader } from '#rendering/attachments/attachment-csv.ts';
import { CollectedCsv, CollectedWorkbook } from '#rendering/attachments/collected-attachments.ts';
import type { WorkbookLimits } from '#rendering/attachments/collected-attachments.ts';
import type { AttachmentFormat, ReportAttachment } from '#rendering/report/report-input.ts';
import { textsIn } from '#rendering/texts/texts.ts';
import type { WorkbookCell } from '#rendering/attachments/workbook-cell.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';

/**
 * The most bytes of all attachments of a mail. SES takes messages of 10 MB, base64 makes an attachment a
 * third larger, and the report itself needs room.
 */
const LARGEST_ATTACHMENTS = 7_000_000;

/** The largest workbook that fits into the function's 512 MB (docs/performance.md). */
const WORKBOOK_LIMITS: WorkbookLimits = { rows: 20_000, characters: 8_000_000 };

/** The attachments of a report, and what the report says of them. */
export interface BuiltAttachments {
  files: MailAttachment[];
  described: ReportAttachment[];
}

/** Builds the attachments that a merchant has asked for, row by row. */
export class DayAttachments {
  readonly #settings: MerchantSettings;
  readonly #csv: CollectedCsv | undefined;
  readonly #workbook: CollectedWorkbook | undefined;

  /** @param rows the number of rows of the day */
  constructor(settings: MerchantSettings, rows: number) {
    this.#settings = settings;
    this.#csv = settings.attachCsv
      ? new CollectedCsv(csvHeader(textsIn(settings.language)), rows, LARGEST_ATTACHMENTS)
      : undefined;
    this.#workbook = settings.attachXlsx ? new CollectedWorkbook(rows, WORKBOOK_LIMITS) : undefined;
  }

  /** @param row from a sealed invoices file, redacted */
  add(row: Members): void {
    const open = [this.#csv, this.#workbook].filter((collected) => collected?.isTooBig === false);
    if (open.length === 0) return;
    const cells = attachmentCells(row, this.#settings.invoiceStatuses);
    for (const collected of open) collected?.add(cells);
  }

  /** When both files do not fit, the CSV is attached: programs may read it. */
  async build(manifest: Manifest): Promise<BuiltAttachments> {
    const built: BuiltAttachments = { files: [], described: [] };
    if (this.#csv !== undefined) {
      attach(built, manifest, 'csv', 'text/csv; charset=utf-8', this.#csv.content());
    }
    if (this.#workbook !== undefined) {
      const { WORKBOOK_TYPE, writeWorkbook } = await import('./workbook.ts');
      const rows = this.#workbook.rows();
      const content = rows && (await writeWorkbook(this.#sheet(manifest.day, rows)));
      attach(built, manifest, 'xlsx', WORKBOOK_TYPE, content);
    }
    return built;
  }

  #sheet(day: string, rows: WorkbookCell[][]) {
    const texts = textsIn(this.#settings.language);
    return {
      sheet: day,
      columns: ATTACHMENT_COLUMNS.map(({ name, holds, width }) => ({
        head: texts.say(`columns.${name}`),
        holds,
        width,
      })),
      rows,
      rightToLeft: texts.direction === 'rtl',
    };
  }
}

/** Attaches the content if there is still room. */
function attach(
  built: BuiltAttachments,
  manifest: Manifest,
  format: AttachmentFormat,
  contentType: string,
  content: Buffer | undefined,
): void {
  const { merchantCode, day, revision } = manifest;
  const { rows } = dataFile(manifest, 'invoices', 'json');
  const attached = built.files.reduce((bytes, file) => bytes + file.content.length, 0);
  if (content === undefined || attached + content.length > LARGEST_ATTACHMENTS) {
    built.described.push({ kind: 'too-big', format, rows });
    return;
  }
  const filename = `invoices-${merchantCode}-${day}-r${revision}.${format}`;
  built.files.push({ filename, content, contentType });
  built.described.push({ kind: 'attached', format, filename, rows });
}
