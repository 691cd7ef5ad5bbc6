import { headOfRevision } from './head-of-revision.ts';
import { brandOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { composeMail } from '#mail/message/mime.ts';
import { ChargeSum, unreadCharges } from '#records/figures/charges.ts';
import type { DayCharges } from '#records/figures/charges.ts';
import { HighlightFinder } from '#records/figures/invoice-highlights.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import { NONE_PAID_TWICE, PaidTwiceFinder } from '#records/figures/paid-twice.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/sealed-row.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import { DayAttachments } from './day-attachments.ts';
import type { BuiltAttachments } from './day-attachments.ts';

export interface ReportMail {
  manifest: Manifest;
  preview: boolean;
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
  settings: PageSettings,
  manifest: Manifest,
  lines: SnapshotStore['lines'],
): Promise<ReadRows> {
  const file = dataFile(manifest, 'invoices', 'json');
  const charges = new ChargeSum(settings);
  if (file.rows === 0) return { ...NOTHING_READ, charges: charges.charges() };
  const finder = new HighlightFinder(settings, manifest.pulledAt);
  const paidTwice = new PaidTwiceFinder(settings.invoiceStatuses);
  const refunds = dataFile(manifest, 'refunds', 'json');
  const rows = { invoices: file.rows, refunds: refunds.rows };
  const attachments = new DayAttachments(settings, manifest, rows);
  const columns = redactedColumns(settings.redact);
  for await (const line of lines(file)) {
    takeSealedRow(line, columns, (row) => {
      finder.add(row);
      charges.add(row);
      paidTwice.add(row);
      attachments.addInvoice(row);
    });
  }
  if (attachments.hasRefunds && refunds.rows > 0) {
    for await (const line of lines(refunds)) {
      takeSealedRow(line, columns, (row) => attachments.addRefund(row));
    }
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
      : await readRows(settings, manifest, (file) => snapshots.lines(file));
  const brand = brandOf(senderProfile, settings);
  const rendered = renderReport({
    merchant: { ...settings, brand },
    manifest,
    preview,
    history: manifest.history,
    highlights,
    paidTwice,
    charges,
    isReadAgain: settings.lookbackDays.length > 0,
    attachments: attachments.described,
  });
  const head = headOfRevision(senderProfile, brand, preview ? 'preview' : 'report', manifest);
  return (to) =>
    composeMail({
      ...head,
      to,
      ...rendered,
      attachments: attachments.files,
      at: Date.parse(manifest.pulledAt),
    });
}
