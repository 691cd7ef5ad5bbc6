import { COLOURS } from './colours.ts';
import type { PageColumn } from './mail-page.ts';

/** Pixels. */
const HIGHEST_COLUMN = 56;
/** With more columns, there is no room for a label below each of them. */
const MOST_LABELS = 14;
/** The columns of a week. */
const COLUMNS_OF_TICK = 7;

/** From top to bottom. */
function columnView({ segments }: PageColumn) {
  return {
    parts: segments.toReversed().map(({ shade, percent }) => ({
      colour: COLOURS[shade],
      height: Math.max(1, Math.round((percent * HIGHEST_COLUMN) / 100)),
    })),
  };
}

/** A label for each week, below its first column. */
function ticksOf(chart: readonly PageColumn[]) {
  return chart.flatMap(({ label }, index) =>
    index % COLUMNS_OF_TICK === 0 ? [{ label, span: Math.min(COLUMNS_OF_TICK, chart.length - index) }] : [],
  );
}

/** A chart in the form that the template needs. Columns that are many stand closer. */
export function chartView(chart: readonly PageColumn[]) {
  const isLong = chart.length > MOST_LABELS;
  return {
    width: `${Math.floor(100 / chart.length)}%`,
    gap: isLong ? 1 : 2,
    columns: chart.map(columnView),
    labels: isLong ? [] : chart.map(({ label, today }) => ({ label, weight: today ? 700 : 400 })),
    ticks: isLong ? ticksOf(chart) : [],
  };
}
