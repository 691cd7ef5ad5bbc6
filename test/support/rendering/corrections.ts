import type { PageAttachment } from '#page/rendering/mail-parts.ts';
import type { ChangedRow } from '#records/revision/changed-rows.ts';
import type { CorrectionInput } from '#page/rendering/correction/render-correction.ts';
import { MERCHANT, aManifest, earlierFigures, type Changes } from './reports.ts';

/** An invoice that changed: unpaid before, paid now, unless other states are given. */
export function aChangedInvoice(id: string, changes: Partial<ChangedRow> = {}): ChangedRow {
  return {
    id,
    was: { state: 'notPaid', amount: '37.500' },
    is: { state: 'paid', amount: '37.500' },
    ...changes,
  };
}

export function aNewRefund(id: string, changes: Partial<ChangedRow> = {}): ChangedRow {
  return { id, was: null, is: { state: 'pending', amount: '3.000' }, ...changes };
}

/** Files of the day's invoices that are attached. */
export function attachedFiles(rows: number, ...formats: ('csv' | 'xlsx')[]): PageAttachment[] {
  return formats.map((format) => ({ kind: 'attached', format, rows }));
}

/** What a correction of {@link earlierFigures} is rendered from. */
export function aCorrection(changes: Changes<CorrectionInput> = {}): CorrectionInput {
  return {
    manifest: aManifest({ revision: 2 }),
    before: earlierFigures(),
    earlier: null,
    rows: {
      invoices: { count: 1, first: [aChangedInvoice('70000318')] },
      refunds: { count: 1, first: [aNewRefund('1400')] },
    },
    paidTwice: { count: 0, first: [] },
    attachments: attachedFiles(1_428, 'csv'),
    ...changes,
    merchant: { ...MERCHANT, ...changes.merchant },
  };
}
