/** What a column needs, in points. */
export interface ColumnNeed {
  /** For its longest cell on one line. */
  natural: number;
  /** For what no line of it may break. */
  least: number;
}

/** No column gets less than this, in points, when there are too many of them. */
const NARROWEST = 12;

/** Whether the columns have room side by side without breaking what no line may break. */
export function haveRoom(columns: readonly ColumnNeed[], width: number): boolean {
  return columns.reduce((sum, { least }) => sum + least, 0) <= width;
}

/**
 * The widths of columns that fill a width together. Each gets what it must have, then as much of what its longest cell needs as
 * there is room for. The rest is divided evenly. Without room, each gets a share of the width.
 */
export function columnWidths(columns: readonly ColumnNeed[], width: number): number[] {
  const sumOf = (need: keyof ColumnNeed) => columns.reduce((sum, column) => sum + column[need], 0);
  const [least, natural] = [sumOf('least'), sumOf('natural')];
  if (least > width) return columns.map((column) => Math.max(NARROWEST, (column.least * width) / least));
  if (natural <= width) {
    const rest = (width - natural) / columns.length;
    return columns.map((column) => column.natural + rest);
  }
  const share = (width - least) / (natural - least);
  return columns.map((column) => column.least + (column.natural - column.least) * share);
}
