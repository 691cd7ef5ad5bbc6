import { addDays } from '#domain/day/business-day.ts';
import { INVOICE_STATES } from '#domain/figures/figures.ts';
import type { Counts } from '#domain/figures/figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { dayOfTrend } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageBar, PageSection, Segments } from '../page/mail-page.ts';

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

/** The last fourteen days up to the reported one, as bars. Empty when only that day is known. */
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
  const bars = days.map((day): PageBar => {
    const figures = known.get(day);
    const label = dayOfTrend(day, texts);
    const today = day === manifest.day;
    if (figures === undefined) return { label, text: texts.say('trend.none'), segments: [], today };
    const { counts, balanced } = figures;
    const said = texts.say('trend.ofDay', {
      paid: formatter.count(counts.paid),
      total: formatter.count(counts.total),
    });
    return { label, text: balanced ? said : `${said} *`, segments: segmentsOf(counts, most), today };
  });
  const hasUnbalanced = days.some((day) => known.get(day)?.balanced === false);
  return [
    {
      heading: texts.say('trend'),
      bars,
      notes: [texts.say('trend.note'), ...(hasUnbalanced ? [texts.say('trend.unbalanced')] : [])],
    },
  ];
}
