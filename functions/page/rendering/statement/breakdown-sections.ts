import type { Breakdown, MethodBreakdown } from '#records/figures/breakdown.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-page.ts';
import { typesSection } from '../report/report-sections.ts';
import { moreLines } from '../report/more-lines.ts';

export type MethodWords = Readonly<Record<string, string>>;

export function methodLabel(method: string | null, words: MethodWords, formatter: FigureFormatter): string {
  if (method === null) return formatter.texts.say('method.rest');
  const word = Object.hasOwn(words, method) ? words[method] : undefined;
  return formatter.paymentMethod(word ?? method);
}

function methodsSection(
  methods: readonly MethodBreakdown[],
  words: MethodWords,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const present = methods.filter(({ count }) => count > 0);
  if (present.length === 0) return [];
  const rows = present.slice(0, formatter.limits.list).map(({ method, count, amount }) => ({
    label: methodLabel(method, words, formatter),
    values: [formatter.count(count), formatter.amount(amount)],
  }));
  return [
    {
      heading: texts.say('byMethod'),
      figures: { columns: [texts.say('method'), texts.say('count'), texts.say('amount')], rows },
      notes: [
        ...moreLines(present.length, rows.length, formatter).map(({ text }) => text),
        texts.say('byMethod.meaning'),
      ],
    },
  ];
}

/** Invoices by type, and paid ones by payment method. Empty when unknown of one of the days. */
export function breakdownSections(
  breakdown: Breakdown | null,
  words: MethodWords,
  formatter: FigureFormatter,
): PageSection[] {
  if (breakdown === null) return [];
  const types = breakdown.byType.map(({ type, all }) => ({ type, ...all }));
  return [...typesSection(types, formatter), ...methodsSection(breakdown.byMethod ?? [], words, formatter)];
}
