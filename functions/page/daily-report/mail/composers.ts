import type { Members } from '#records/json/exact-json.ts';
import { dataFile, type Manifest, type Table } from '#records/revision/manifest.ts';
import { merchantDay, type PagePlace } from '#records/storage/keys.ts';
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
import { summarySheet } from '#page/rendering/attachments/workbook-sheets.ts';
import { attachedFiles, NO_ATTACHMENTS, pageFileName, pageLinks, pageMail } from '#page/compose-page-mail.ts';
import type { BuiltAttachments, PageLinks } from '#page/compose-page-mail.ts';
import { peopleCsv } from '#page/people-csv.ts';
import type { PageSettings } from '#page/page-settings.ts';
import { brandOf, type SenderProfile } from '#mail/message/mail-head.ts';
import { redactedPage } from '#page/figures/compose-statement.ts';
import { HighlightFinder, type InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import { NONE_PAID_TWICE, PaidTwiceFinder, type PaidTwice } from '#records/figures/paid-twice.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { takeRows } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { changesOf } from './compared-revisions.ts';
import { olderChanges } from './older-changes.ts';

function placeOf({ merchantCode, day, revision }: Manifest): PagePlace {
  return { ...merchantDay(merchantCode, day), revision };
}

function rowsOf(manifest: Manifest, table: Table): number {
  return dataFile(manifest, table, 'json').rows;
}

/** The files of a day's mail, as far as the merchant wants them. */
export class DayAttachments {
  readonly #snapshots: Pick<DayStore, 'lines'>;
  readonly #settings: PageSettings;
  readonly #manifest: Manifest;
  readonly #words: AttachmentWords;
  readonly #csv: CollectedCsv | undefined;
  readonly #workbook: CollectedWorkbook | undefined;

  constructor(snapshots: Pick<DayStore, 'lines'>, settings: PageSettings, manifest: Manifest) {
    const [invoices, refunds] = [rowsOf(manifest, 'invoices'), rowsOf(manifest, 'refunds')];
    this.#snapshots = snapshots;
    this.#settings = settings;
    this.#manifest = manifest;
    this.#words = new AttachmentWords(settings, manifest.day);
    if (settings.attachCsv) {
      const header = csvHeader(INVOICE_COLUMNS, this.#words.texts);
      const size = { count: invoices, columns: INVOICE_COLUMNS.length };
      this.#csv = new CollectedCsv(header, size, LARGEST_ATTACHMENTS);
    }
    if (settings.attachXlsx) {
      const columns = workbookColumns(settings);
      const words = { texts: this.#words.texts, timeZone: settings.timeZone };
      this.#workbook = new CollectedWorkbook(columns, invoices + refunds, words);
    }
  }

  get hasRefunds(): boolean {
    return this.#workbook?.isTooBig === false;
  }

  /** @param row of a sealed file, redacted */
  add(table: Table, row: Members): void {
    if (table === 'invoices' && this.#csv?.isTooBig === false)
      this.#csv.add(csvCells(row, INVOICE_COLUMNS, this.#words));
    this.#workbook?.add(table, row, this.#words);
  }

  /** When both do not fit, the CSV is attached: programs may read it. It is linked in place of a too large workbook. */
  async build(links?: PageLinks, books?: BuiltAttachments): Promise<BuiltAttachments> {
    const csv = peopleCsv(this.#snapshots, this.#settings, [this.#manifest], INVOICE_COLUMNS);
    const files = this.#csv === undefined ? [] : [{ ...csv, content: this.#csv.content() }];
    if (this.#workbook !== undefined) {
      const content = await this.#written(this.#workbook);
      const instead = this.#csv === undefined ? csv : undefined;
      files.push({ format: 'xlsx', content, rows: csv.rows, instead });
    }
    const place = placeOf(this.#manifest);
    const nameOf = pageFileName('invoices', this.#settings.name, place);
    return attachedFiles(files, nameOf, links, books);
  }

  async #written(workbook: CollectedWorkbook): Promise<Buffer | undefined> {
    const tables = workbook.sheets();
    if (tables === undefined) return undefined;
    const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
    const { texts } = this.#words;
    const summary = summaryRows(this.#settings, this.#manifest, this.#words);
    return writeWorkbook({
      sheets: [summarySheet(summary, texts), ...tables],
      rightToLeft: texts.direction === 'rtl',
    });
  }
}

interface ReportMail {
  manifest: Manifest;
  preview: boolean;
  /** When it is mailed, for its links (milliseconds UTC). Left out: it has none, as a preview. */
  now?: number;
  /** `false`: what changed on older days is left out. */
  tells?: boolean;
}

interface ReadRows {
  highlights: InvoiceHighlights | null;
  paidTwice: PaidTwice;
  attachments: BuiltAttachments;
}

const NOTHING_READ: ReadRows = {
  highlights: null,
  paidTwice: NONE_PAID_TWICE,
  attachments: NO_ATTACHMENTS,
};

/** Reads once for all purposes. What is kept does not grow with the day. */
async function readRows(
  snapshots: DayStore,
  settings: PageSettings,
  manifest: Manifest,
  links: PageLinks | undefined,
  books: BuiltAttachments,
): Promise<ReadRows> {
  const [invoices, refunds] = [dataFile(manifest, 'invoices', 'json'), dataFile(manifest, 'refunds', 'json')];
  if (invoices.rows === 0) return { ...NOTHING_READ, attachments: books };
  const finder = new HighlightFinder(settings, manifest.pulledAt);
  const paidTwice = new PaidTwiceFinder(settings.invoiceStatuses);
  const attachments = new DayAttachments(snapshots, settings, manifest);
  await takeRows(snapshots, invoices, settings.redact, (row) => {
    finder.add(row);
    paidTwice.add(row);
    attachments.add('invoices', row);
  });
  if (attachments.hasRefunds && refunds.rows > 0) {
    await takeRows(snapshots, refunds, settings.redact, (row) => attachments.add('refunds', row));
  }
  return {
    highlights: finder.highlights(),
    paidTwice: paidTwice.found(),
    attachments: await attachments.build(links, books),
  };
}

/** @param before the revision of the mail that it corrects */
async function dayBooks(snapshots: DayStore, settings: PageSettings, page: Manifest, before?: number) {
  if (settings.books?.daily !== true) return NO_ATTACHMENTS;
  const { bookedDay, bookAttachments } = await import('#page/page-books.ts');
  return bookAttachments(snapshots, settings, bookedDay(page, settings, before));
}

/**
 * Renders the mail from manifest and sealed files alone: a run that continues sends the same mail.
 * @param snapshots `null` for a day that is not sealed: no invoices or attachments
 * @throws {SealedLineError} when a line of a sealed file is not one that Daybook writes
 */
export async function composeReport(
  settings: PageSettings,
  senderProfile: SenderProfile,
  snapshots: DayStore | null,
  mail: ReportMail,
): Promise<ComposedMail> {
  const { preview, now, tells = true } = mail;
  const manifest = redactedPage(mail.manifest, settings.redact);
  const older = tells && snapshots !== null ? await olderChanges(snapshots, settings, manifest) : null;
  const place = placeOf(manifest);
  const links = snapshots === null ? undefined : pageLinks(senderProfile, snapshots, place, now);
  const booked = tells ? manifest : { ...manifest, told: [] };
  const { highlights, paidTwice, attachments } =
    snapshots === null
      ? NOTHING_READ
      : await readRows(snapshots, settings, manifest, links, await dayBooks(snapshots, settings, booked));
  const brand = brandOf(senderProfile, settings);
  const rendered = renderReport({
    merchant: { ...settings, brand },
    manifest,
    preview,
    history: manifest.history.filter(({ day }) => day >= (settings.reportFrom ?? '')),
    highlights,
    paidTwice,
    older,
    isReadAgain: settings.lookbackDays.length > 0,
    attachments: attachments.described,
  });
  const { files } = attachments;
  const { pull, pulledAt: at } = manifest;
  const kind = preview ? 'preview' : 'report';
  return pageMail(senderProfile, brand, { kind, place, rendered, files, links, at, pull });
}

interface CorrectionMail {
  manifest: Manifest;
  /** When it is mailed, for its links (milliseconds UTC). */
  now: number;
  /** The revision whose mail it corrects, and the figures in that mail. */
  before: { revision: number; figures: Figures };
}

/**
 * Renders a correction from manifests and sealed files alone: a run that continues sends the same mail. It
 * has the figures alone when the earlier revision cannot be read.
 * @throws {SealedLineError} when a line of its own files is not one that Daybook writes
 */
export async function composeCorrection(
  settings: PageSettings,
  senderProfile: SenderProfile,
  snapshots: DayStore,
  { manifest: sealed, before, now }: CorrectionMail,
): Promise<ComposedMail> {
  const manifest = redactedPage(sealed, settings.redact);
  const place = placeOf(manifest);
  const earlier = await unlessSpoilt(() => snapshots.revision({ ...place, revision: before.revision }));
  const attachments = new DayAttachments(snapshots, settings, manifest);
  const paidTwice = new PaidTwiceFinder(settings.invoiceStatuses);
  const addInvoice = (row: Members) => {
    paidTwice.add(row);
    attachments.add('invoices', row);
  };
  const addRefund = attachments.hasRefunds ? (row: Members) => attachments.add('refunds', row) : undefined;
  const invoices = await changesOf(snapshots, settings, earlier, manifest, 'invoices', addInvoice);
  const refunds = await changesOf(snapshots, settings, earlier, manifest, 'refunds', addRefund);
  const links = pageLinks(senderProfile, snapshots, place, now);
  const books = await dayBooks(snapshots, settings, manifest, before.revision);
  const isEmpty = rowsOf(manifest, 'invoices') === 0;
  const { files, described } = isEmpty ? books : await attachments.build(links, books);
  const brand = brandOf(senderProfile, settings);
  const rendered = renderCorrection({
    merchant: { ...settings, brand },
    manifest,
    before: before.figures,
    earlier: earlier === undefined ? null : redactedPage(earlier, settings.redact),
    rows: invoices && refunds && { invoices, refunds },
    paidTwice: paidTwice.found(),
    attachments: described,
  });
  const { pull, pulledAt: at } = manifest;
  return pageMail(senderProfile, brand, { kind: 'correction', place, rendered, files, links, at, pull });
}
