import { brandOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { ChargeSum, unreadCharges } from '#records/figures/charges.ts';
import type { DayCharges } from '#records/figures/charges.ts';
import { HighlightFinder } from '#records/figures/invoice-highlights.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import { NONE_PAID_TWICE, PaidTwiceFinder } from '#records/figures/paid-twice.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow, SealedLineError } from '#records/rows/read-sealed-row.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import { DayAttachments } from './day-attachments.ts';
import { pageMail } from '#page/compose-page-mail.ts';
import type { BuiltAttachments, PageMail } from '#page/compose-page-mail.ts';
import type { MailBrand } from '#mail/template/mailed-merchant.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import type { Members } from '#records/json/exact-json.ts';
import { RowComparison, comparedInvoice, comparedRefund } from '#records/revision/changed-rows.ts';
import type { ChangedRows, ComparedRow } from '#records/revision/changed-rows.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import type { CorrectionInput } from '#page/rendering/correction/render-correction.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';

function dayMail(
  senderProfile: SenderProfile,
  brand: MailBrand,
  { merchantCode, day, revision, pull, pulledAt }: Manifest,
  mail: Pick<PageMail, 'kind' | 'rendered' | 'files'>,
): ComposedMail {
  const place = { ...merchantDay(merchantCode, day), revision };
  return pageMail(senderProfile, brand, { ...mail, place, pull, at: pulledAt });
}

interface ReportMail {
  manifest: Manifest;
  preview: boolean;
}

/** @param take gets each row of a sealed file, redacted */
async function readAll(
  snapshots: SnapshotStore,
  { redact }: PageSettings,
  manifest: Manifest,
  table: Table,
  take: (row: Members) => void,
): Promise<void> {
  const columns = redactedColumns(redact);
  for await (const line of snapshots.lines(dataFile(manifest, table, 'json')))
    takeSealedRow(line, columns, take);
}

interface ReadRows {
  highlights: InvoiceHighlights | null;
  charges: DayCharges;
  paidTwice: PaidTwice;
  attachments: BuiltAttachments;
}

const NOTHING_READ = {
  highlights: null,
  paidTwice: NONE_PAID_TWICE,
  attachments: { files: [], described: [] },
};

/** Reads once for all purposes. What is kept does not grow with the day. */
async function readRows(
  snapshots: SnapshotStore,
  settings: PageSettings,
  manifest: Manifest,
): Promise<ReadRows> {
  const file = dataFile(manifest, 'invoices', 'json');
  const charges = new ChargeSum(settings);
  if (file.rows === 0) return { ...NOTHING_READ, charges: charges.charges() };
  const finder = new HighlightFinder(settings, manifest.pulledAt);
  const paidTwice = new PaidTwiceFinder(settings.invoiceStatuses);
  const refunds = dataFile(manifest, 'refunds', 'json');
  const rows = { invoices: file.rows, refunds: refunds.rows };
  const attachments = new DayAttachments(settings, manifest, rows);
  await readAll(snapshots, settings, manifest, 'invoices', (row) => {
    finder.add(row);
    charges.add(row);
    paidTwice.add(row);
    attachments.addInvoice(row);
  });
  if (attachments.hasRefunds && refunds.rows > 0) {
    await readAll(snapshots, settings, manifest, 'refunds', (row) => attachments.addRefund(row));
  }
  return {
    highlights: finder.highlights(),
    charges: charges.charges(),
    paidTwice: paidTwice.found(),
    attachments: await attachments.build(),
  };
}

/**
 * Renders the mail from manifest and sealed files alone: a run that continues sends the same mail.
 * @param snapshots `null` for a day that is not sealed: no invoices, charges or attachments
 * @throws {SealedLineError} when a line of a sealed file is not one that Daybook writes
 */
export async function composeReport(
  settings: PageSettings,
  senderProfile: SenderProfile,
  snapshots: SnapshotStore | null,
  mail: ReportMail,
): Promise<ComposedMail> {
  const { manifest, preview } = mail;
  const { highlights, charges, paidTwice, attachments }: ReadRows =
    snapshots === null
      ? { ...NOTHING_READ, charges: unreadCharges(settings.charges) }
      : await readRows(snapshots, settings, manifest);
  const brand = brandOf(senderProfile, settings);
  const rendered = renderReport({
    merchant: { ...settings, brand },
    manifest,
    preview,
    history: manifest.history.filter(({ day }) => day >= (settings.reportFrom ?? '')),
    highlights,
    paidTwice,
    charges,
    isReadAgain: settings.lookbackDays.length > 0,
    attachments: attachments.described,
  });
  const kind = preview ? 'preview' : 'report';
  return dayMail(senderProfile, brand, manifest, { kind, rendered, files: attachments.files });
}

/** No column is left out: only columns that cannot be redacted are read. */
const ALL_COLUMNS: ReadonlySet<string> = new Set();

type Reading = (row: Members) => ComparedRow | null;

function readingOf(table: Table, settings: PageSettings, day: string): Reading {
  return table === 'invoices'
    ? (row) => comparedInvoice(row, settings.invoiceStatuses)
    : (row) => comparedRefund(row, day, settings.refunds.statuses);
}

/** Whether it can never be read: after any other failure a later run may succeed. */
function isSpoilt(error: unknown): boolean {
  return isUnreadableObject(error) || error instanceof SealedLineError;
}

/** `null` when the earlier rows cannot be read, or are too many. */
async function comparedWith(
  snapshots: SnapshotStore,
  earlier: Manifest,
  table: Table,
  reading: Reading,
): Promise<RowComparison | null> {
  const file = dataFile(earlier, table, 'json');
  const comparison = new RowComparison(file.rows);
  if (comparison.isTooLarge) return null;
  try {
    for await (const line of snapshots.lines(file)) {
      takeSealedRow(line, ALL_COLUMNS, (members) => {
        const row = reading(members);
        if (row !== null) comparison.addEarlier(row);
      });
    }
  } catch (error) {
    if (!isSpoilt(error)) throw error;
    return null;
  }
  return comparison;
}

interface CorrectionMail {
  manifest: Manifest;
  /** The revision whose mail it corrects, and the figures in that mail. */
  before: { revision: number; figures: Figures };
}

function isSameFile(earlier: Manifest, later: Manifest, table: Table): boolean {
  return dataFile(earlier, table, 'json').sha256 === dataFile(later, table, 'json').sha256;
}

/** `null` when they cannot be compared. @param take gets each row of the later revision, too */
async function changesOf(
  snapshots: SnapshotStore,
  settings: PageSettings,
  earlier: Manifest | undefined,
  later: Manifest,
  table: Table,
  take?: (row: Members) => void,
): Promise<ChangedRows | null> {
  if (earlier !== undefined && isSameFile(earlier, later, table)) {
    if (take !== undefined) await readAll(snapshots, settings, later, table, take);
    return { count: 0, first: [] };
  }
  const reading = readingOf(table, settings, later.day);
  const comparison = earlier === undefined ? null : await comparedWith(snapshots, earlier, table, reading);
  if (comparison === null && take === undefined) return null;
  await readAll(snapshots, settings, later, table, (members) => {
    take?.(members);
    const row = comparison === null ? null : reading(members);
    if (row !== null) comparison?.addLater(row);
  });
  return comparison?.changes() ?? null;
}

function bothOf(invoices: ChangedRows | null, refunds: ChangedRows | null): CorrectionInput['rows'] {
  return invoices === null || refunds === null ? null : { invoices, refunds };
}

/**
 * Renders a correction from manifests and sealed files alone: a run that continues sends the same mail. It
 * has the figures alone when the earlier revision cannot be read.
 * @throws {SealedLineError} when a line of its own files is not one that Daybook writes
 */
export async function composeCorrection(
  settings: PageSettings,
  senderProfile: SenderProfile,
  snapshots: SnapshotStore,
  { manifest, before }: CorrectionMail,
): Promise<ComposedMail> {
  const place = { ...merchantDay(manifest.merchantCode, manifest.day), revision: before.revision };
  const earlier = await unlessSpoilt(() => snapshots.revision(place));
  const { rows } = dataFile(manifest, 'invoices', 'json');
  const ofRefunds = dataFile(manifest, 'refunds', 'json').rows;
  const attachments = new DayAttachments(settings, manifest, { invoices: rows, refunds: ofRefunds });
  const paidTwice = new PaidTwiceFinder(settings.invoiceStatuses);
  const addInvoice = (row: Members) => {
    paidTwice.add(row);
    attachments.addInvoice(row);
  };
  const addRefund = attachments.hasRefunds ? (row: Members) => attachments.addRefund(row) : undefined;
  const invoices = await changesOf(snapshots, settings, earlier, manifest, 'invoices', addInvoice);
  const refunds = await changesOf(snapshots, settings, earlier, manifest, 'refunds', addRefund);
  const built: BuiltAttachments = rows === 0 ? { files: [], described: [] } : await attachments.build();
  const brand = brandOf(senderProfile, settings);
  const rendered = renderCorrection({
    merchant: { ...settings, brand },
    manifest,
    before: before.figures,
    rows: bothOf(invoices, refunds),
    paidTwice: paidTwice.found(),
    attachments: built.described,
  });
  return dayMail(senderProfile, brand, manifest, { kind: 'correction', rendered, files: built.files });
}
