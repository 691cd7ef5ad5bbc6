import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { INVOICE_STATES } from '#domain/figures/figures.ts';
import type { Counts } from '#domain/figures/figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { dayOfTrend } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { isolated } from '../formatters/outside-text.ts';
import type { PageColumn, PageSection, Segments } from '../page/mail-page.ts';

/** The number of days in the trend, including the reported day. */
const TREND_DAYS = 14;

/**
 * The counts as parts of `most` in whole percents, together at most 100. A count above zero gets at least one
 * percent, so that it is visible.
 */
export function segmentsOf(counts: Counts, most: number): Segments {
  const present = INVOICE_STATES.flatMap((shade) => {
    const count = counts[shade] ?? 0;
    return count > 0 && most > 0 ? [{ shade, count }] : [];
  });
  let left = 100;
  return present.map(({ shade, count }, index) => {
    const forThoseAfter = present.length - 1 - index;
    const percent = Math.min(left - forThoseAfter, Math.max(1, Math.round((count * 100) / most)));
    left -= percent;
    return { shade, percent };
  });
}

/** The days with the most and the fewest paid invoices, in words: not everybody sees the chart. */
function extremes(days: readonly { day: Day; paid: number }[], formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const [first, ...others] = days;
  if (first === undefined || others.length === 0) return [];
  const most = others.reduce((one, other) => (other.paid > one.paid ? other : one), first);
  const least = others.reduce((one, other) => (other.paid < one.paid ? other : one), first);
  const values = (of: { day: Day; paid: number }) => ({
    paid: formatter.count(of.paid),
    day: isolated(dayOfTrend(of.day, texts)),
  });
  return [texts.say('trend.most', values(most)), texts.say('trend.least', values(least))];
}

/** The last fourteen days up to the reported one, as columns. Empty when only that day is known. */
export function trendSection(
  manifest: Manifest,
  history: readonly DayFigures[],
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const days = Array.from({ length: TREND_DAYS }, (_, index) =>
    addDays(manifest.day, index + 1 - TREND_DAYS),
  );
  const known = new Map<string, Pick<DayFigures, 'counts' | 'balanced'>>(
    history.map((day) => [day.day, day]),
  );
  if (!days.some((day) => known.has(day))) return [];
  known.set(manifest.day, manifest);
  const most = Math.max(...days.map((day) => known.get(day)?.counts.total ?? 0));
  const chart = days.map((day): PageColumn => {
    const figures = known.get(day);
    const number = formatter.count(Number(day.slice(-2)));
    return {
      label: figures?.balanced === false ? `${number}*` : number,
      segments: figures === undefined ? [] : segmentsOf(figures.counts, most),
      today: day === manifest.day,
    };
  });
  const paid = days.flatMap((day) => {
    const count = known.get(day)?.counts.paid ?? null;
    return count === null ? [] : [{ day, paid: count }];
  });
  const isUnconfirmed = days.some((day) => known.get(day)?.balanced === false);
  const notes = [...extremes(paid, formatter), ...(isUnconfirmed ? [texts.say('trend.unbalanced')] : [])];
  return [{ heading: texts.say('trend'), chart, notes: notes.length === 0 ? [] : [notes.join(' ')] }];
}
