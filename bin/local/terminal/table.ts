/** One column: its title, the side to align its cells to, and the text of each row's cell. */
export interface Column<Row> {
  title: string;
  side: 'left' | 'right';
  cell: (row: Row) => string;
}

const GAP = '  ';

/**
 * Lays rows out in columns below a heading. The last column is not padded, so that it may hold names in any script:
 * the width of Arabic text depends on the terminal.
 */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, index) => {
        const width = widths[index] ?? 0;
        if (columns[index]?.side === 'right') return text.padStart(width);
        return index === columns.length - 1 ? text : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
}
