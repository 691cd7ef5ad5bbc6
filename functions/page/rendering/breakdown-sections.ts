import type { Breakdown, MethodBreakdown } from '#records/figures/breakdown.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection, PageFigures } from '#mail/template/mail-layout.ts';
import { moreNotes, paragraph } from './mail-parts.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';

export type MethodWords = Readonly<Record<string, string>>;

export function typeLabel(type: string | null, formatter: FigureFormatter): string {
  return type === null ? formatter.texts.say('types.rest') : formatter.invoiceType(type);
}

export function methodLabel(method: string | null, words: MethodWords, formatter: FigureFormatter): string {
  if (method === null) return formatter.texts.say('method.rest');
  const word = Object.hasOwn(words, method) ? words[method] : undefined;
  return formatter.paymentMethod(word ?? method);
}

interface Part {
  label: string;
  count: number;
  amount: string;
}

/** Empty when fewer parts than `least` have invoices. */
function partsSection(
  parts: readonly Part[],
  [heading, head]: readonly ['byType', 'type'] | readonly ['byMethod' | 'cameIn.byMethod', 'method'],
  least: number,
  meaning: readonly string[],
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const present = parts.filter(({ count }) => count > 0);
  if (present.length < least) return [];
  const rows = present.slice(0, formatter.limits.list).map(({ label, count, amount }) => ({
    label,
    values: [formatter.count(count), formatter.amount(amount)],
  }));
  return [
    {
      heading: texts.say(heading),
      figures: { columns: [texts.say(head), texts.say('count'), texts.say('amount')], rows },
      notes: [...moreNotes(present.length, rows.length, formatter), ...meaning],
    },
  ];
}

/** Empty when all invoices are of one type. */
export function typesSection(
  byType: readonly { type: string | null; count: number; amount: string }[],
  formatter: FigureFormatter,
): PageSection[] {
  const parts = byType.map(({ type, ...sum }) => ({ ...sum, label: typeLabel(type, formatter) }));
  return partsSection(parts, ['byType', 'type'], 2, [], formatter);
}

/** Empty when nothing is paid. */
export function methodsSection(
  byMethod: readonly MethodBreakdown[],
  words: MethodWords,
  heading: 'byMethod' | 'cameIn.byMethod',
  formatter: FigureFormatter,
): PageSection[] {
  const parts = byMethod.map(({ method, ...sum }) => ({
    ...sum,
    label: methodLabel(method, words, formatter),
  }));
  const meaning = heading === 'byMethod' ? [formatter.texts.say('byMethod.meaning')] : [];
  return partsSection(parts, [heading, 'method'], 1, meaning, formatter);
}

/** Invoices by type, and paid ones by payment method. Empty when unknown of one of the days. */
export function breakdownSections(
  breakdown: Breakdown | null,
  words: MethodWords,
  formatter: FigureFormatter,
): PageSection[] {
  if (breakdown === null) return [];
  const types = breakdown.byType.map(({ type, all }) => ({ type, ...all }));
  return [
    ...typesSection(types, formatter),
    ...methodsSection(breakdown.byMethod ?? [], words, 'byMethod', formatter),
  ];
}

function refundFigures(totals: RefundTotals, formatter: FigureFormatter): PageFigures {
  const { texts } = formatter;
  const values = (sum: { count: number; total: string | null }) => [
    formatter.count(sum.count),
    formatter.amount(sum.total),
  ];
  const statuses = Object.entries(totals.byStatus).filter(([, { count }]) => count > 0);
  const rows = statuses.slice(0, formatter.limits.list).map(([status, sum]) => ({
    label: formatter.refundStatus(status),
    values: values(sum),
  }));
  const all = { label: texts.say('allRefunds'), values: values(totals), strong: true };
  return {
    columns: [texts.say('refundStatus'), texts.say('count'), texts.say('amount')],
    rows: statuses.length === 1 ? rows : [...rows, all],
  };
}

/** Refunds of a week or month, by their own date. */
export function refundsSection(refunds: RefundTotals, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  const heading = texts.say('refunds');
  if (refunds.count === 0) return { heading, lines: [paragraph(texts.say('refunds.period.none'))] };
  const shown = Object.values(refunds.byStatus).filter((status) => status.count > 0).length;
  return {
    heading,
    figures: refundFigures(refunds, formatter),
    notes: [...moreNotes(shown, formatter.limits.list, formatter), texts.say('refunds.period.meaning')],
  };
}

/** `Single 350 (11,020.000 KWD), Split 25 (700.000 KWD)`: a daily mail has no room for a table of each. */
function sentenceOf({ rows }: PageFigures, more: readonly string[], { texts }: FigureFormatter): string {
  const parts = rows.map(({ label, values: [count = '', amount = ''] }) =>
    texts.say('part', { name: label, count, amount }),
  );
  return [...parts, ...more].join(texts.say('comma'));
}

/** Refunds of a day, by their own date. */
export function refundsOfDay(refunds: RefundTotals, formatter: FigureFormatter): PageSection {
  const { texts, limits } = formatter;
  const heading = texts.say('refunds.byDate');
  if (refunds.count === 0) return { heading, lines: [paragraph(texts.say('refunds.none'))] };
  const shown = Object.values(refunds.byStatus).filter((status) => status.count > 0).length;
  const more = moreNotes(shown, limits.list, formatter);
  return { heading, notes: [sentenceOf(refundFigures(refunds, formatter), more, formatter)] };
}

/** The invoices made on a day by type, in a sentence. Empty when all are of one type. */
export function typesOfDay(byType: Parameters<typeof typesSection>[0], formatter: FigureFormatter): string[] {
  const [section] = typesSection(byType, formatter);
  if (section?.figures === undefined) return [];
  const types = sentenceOf(section.figures, section.notes ?? [], formatter);
  return [formatter.texts.say('byType.sentence', { types })];
}
