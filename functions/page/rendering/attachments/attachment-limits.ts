import type { WorkbookLimits } from './collected-attachments.ts';

/** Bytes of all attachments: SES's first API takes 10 MB, and Base64 makes them a third larger. */
export const LARGEST_ATTACHMENTS = 7_000_000;

/** The largest workbook that fits into the function's 512 MB (docs/performance.md). */
export const WORKBOOK_LIMITS: WorkbookLimits = { rows: 20_000, characters: 8_000_000 };
