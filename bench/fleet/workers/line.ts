import { median } from 'simple-statistics';

/** A measured amount that grows with a day's rows. */
export interface Line {
  /** The amount of an empty day. */
  fixed: number;
  perRow: number;
}

/**
 * The cost of a day, and of each of its rows: the median of the smallest tenth, and the total above that. So a few large
 * days do not distort the first figure, and still count in the second.
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
