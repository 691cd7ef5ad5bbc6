import type { Figures } from '../shared/core/figures.ts';
import { dataFile } from '../shared/core/manifest.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import { attachmentCsv } from '../shared/core/rendering/attachment-csv.ts';
import { buildAttachment } from '../shared/core/rendering/build-attachment.ts';
import type { BuiltAttachment } from '../shared/core/rendering/build-attachment.ts';
import { renderReport } from '../shared/core/rendering/render-report.ts';
import type { ReportInput } from '../shared/core/rendering/report-input.ts';
import { textsIn } from '../shared/core/rendering/texts/texts.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import { composeMail } from '../shared/adapters/mime.ts';
import type { ComposedMail } from '../shared/mailing/mail-round.ts';
import type { SnapshotStore } from '../shared/ports.ts';

/** SES takes messages of 10 MB; base64 makes 4/3 of an attachment, and the report itself needs room. Bytes. */
const LARGEST_ATTACHMENT = 7_000_000;

/** Which mail of a revision. */
export interface ReportMail {
  manifest: Manifest;
  /** The figures last mailed, for a correction. */
  before: Figures | null;
  preview: boolean;
}

async function attachmentOf(
  settings: MerchantSettings,
  manifest: Manifest,
  lines: SnapshotStore['lines'],
): Promise<BuiltAttachment | undefined> {
  const file = dataFile(manifest, 'invoices', 'json');
  if (!settings.attachCsv || file.rows === 0) return undefined;
  const csv = attachmentCsv(textsIn(settings.language), settings.invoiceStatuses, settings.redact);
  return buildAttachment(csv, lines(file), LARGEST_ATTACHMENT);
}

function described(
  built: BuiltAttachment | undefined,
  filename: string,
  manifest: Manifest,
): ReportInput['attachments'] {
  if (built === undefined) return [];
  const { rows } = built;
  if (built.kind === 'csv') return [{ kind: 'attached', format: 'csv', filename, rows }];
  return [{ kind: 'too-big', format: 'csv', rows, key: dataFile(manifest, 'invoices', 'csv').key }];
}

/**
 * Renders the mail of a revision from its manifest and sealed files alone, so that a run that goes on where another
 * stopped sends the same.
 */
export async function composeReport(
  settings: MerchantSettings,
  from: string,
  snapshots: SnapshotStore,
  mail: ReportMail,
): Promise<ComposedMail> {
  const { manifest, before, preview } = mail;
  const built = await attachmentOf(settings, manifest, (file) => snapshots.lines(file));
  const filename = `invoices-${settings.merchantCode}-${manifest.day}-r${manifest.revision}.csv`;
  const rendered = renderReport({
    merchant: settings,
    manifest,
    before,
    preview,
    history: manifest.history,
    highlights: null,
    attachments: described(built, filename, manifest),
  });
  return (to) =>
    composeMail({
      from,
      to,
      ...rendered,
      ...(built?.kind === 'csv' && {
        attachment: { filename, content: built.content, contentType: 'text/csv; charset=utf-8' },
      }),
      at: Date.parse(manifest.pulledAt),
    });
}
