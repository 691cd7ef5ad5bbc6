import type { Shade } from './mail-page.ts';

/** Visible on the white and on the dark sheet: contrast of at least three to one on both. */
export const COLOURS: Record<Shade, string> = {
  paid: '#15803d',
  notPaid: '#d97706',
  cancelled: '#64748b',
  other: '#8b5cf6',
};
