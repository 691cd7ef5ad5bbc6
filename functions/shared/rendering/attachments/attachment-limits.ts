import type { WorkbookLimits } from './collected-attachments.ts';

/**
 * The most bytes of all attachments of a mail. `SendRawEmail` of SES's first API takes messages of 10 MB; the second API would take 40 MB.
 * Base64 makes an attachment a third larger, and the mail itself needs room.
 */
export const LARGEST_ATTACHMENTS = 7_000_000;

/** The largest workbook that fits into the function's 512 MB (docs/performance.md). */
export const WORKBOOK_LIMITS: WorkbookLimits = { rows: 20_000, characters: 8_000_000 };
