/**
 * How long change markers are kept, days. The history of the lake reads them within days, so this also outlasts a long failure of it. After a
 * longer time without a merge, every day waits to be merged.
 */
export const MARKERS_KEPT_DAYS = 90;
