import { headOfRevision } from './head-of-revision.ts';
import { brandOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import { composeMail } from '#mail/message/mime.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { PaidTwiceFinder } from '#records/figures/paid-twice.ts';
import type { Members } from '#records/json/exact-json.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow, SealedLineError } from '#records/rows/sealed-row.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { ChangedRows, ComparedRow } from '#records/revision/changed-rows.ts';
import { RowComparison, comparedInvoice, comparedRefund } from '#records/revision/changed-rows.ts';
import { dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import type { AttachedInvoices, CorrectionInput } from '#page/rendering/correction/correction-input.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import { DayAttachments } from './day-attachments.ts';
import type { BuiltAttachments } from './day-attachments.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';

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

export interface CorrectionMail {
  manifest: Manifest;
  /** The revision whose mail it corrects, and the figures in that mail. */
  before: { revision: number; figures: Figures };
}

function isSameFile(earlier: Manifest, later: Manifest, table: Table): boolean {
  return dataFile(earlier, table, 'json').sha256 === dataFile(later, table, 'json').sha256;
}

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

/** Files that were too large are as if they were not asked for. */
function attachedOf({ described }: BuiltAttachments, rows: number): AttachedInvoices | null {
  const formats = described.filter(({ kind }) => kind === 'attached').map(({ format }) => format);
  return formats.length === 0 ? null : { formats, rows };
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
    attached: attachedOf(built, rows),
  });
  const head = headOfRevision(senderProfile, brand, 'correction', manifest);
  return (to) =>
    composeMail({
      ...head,
      to,
      ...rendered,
      attachments: built.files,
      at: Date.parse(manifest.pulledAt),
    });
}
