import { median } from 'simple-statistics';

/** A measured amount that grows with the rows of a day. */
export interface Line {
  /** Of a day without rows. */
  fixed: number;
  perRow: number;
}

/**
 * What a day costs, and what each row of it: the median of the smallest tenth, and whatever all have above that. Few large
 * days neither tilt the first nor drown in many small ones.
 */
export function lineThrough(points: readonly { rows: number; amount: number }[]): Line {
  if (points.length === 0) return { fixed: 0, perRow: 0 };
  const bySize = points.toSorted((a, b) => a.rows - b.rows);
  const smallest = bySize.slice(0, Math.max(1, Math.floor(points.length / 10)));
  const fixed = median(smallest.map(({ amount }) => amount));
  const rows = points.reduce((sum, point) => sum + point.rows, 0);
  const above = points.reduce((sum, point) => sum + point.amount - fixed, 0);
  return { fixed, perRow: rows === 0 ? 0 : Math.max(0, above / rows) };
}
