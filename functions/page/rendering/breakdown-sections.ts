import type { MethodBreakdown } from '#records/figures/breakdown.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { inCurrency, moreNotes, paragraph } from './mail-parts.ts';

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
  name: string;
  count: number;
  amount: string | null;
}

/** `Single 350 (11,020.000), Split 25 (700.000)`: a mail has no room for a table of each. */
function partsText(all: readonly Part[], formatter: FigureFormatter): string {
  const { texts, limits } = formatter;
  const shown = all.slice(0, limits.list);
  const said = shown.map(({ name, count, amount }) =>
    texts.say('part', { name, count: formatter.count(count), amount: formatter.bareAmount(amount) }),
  );
  return [...said, ...moreNotes(all.length, shown.length, formatter)].join(texts.say('comma'));
}

function refundsText({ byStatus }: RefundTotals, formatter: FigureFormatter): string {
  const parts = Object.entries(byStatus)
    .filter(([, of]) => of.count > 0)
    .map(([status, of]) => ({ name: formatter.refundStatus(status), count: of.count, amount: of.total }));
  return partsText(parts, formatter);
}

/** What came in by payment method, and the refunds by their own date and status. */
export function moneySection(
  { byMethod, refunds }: { byMethod: readonly MethodBreakdown[] | null; refunds: RefundTotals },
  of: 'day' | 'period',
  words: MethodWords,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const methods = (byMethod ?? [])
    .filter(({ count }) => count > 0)
    .map(({ method, ...sum }) => ({ ...sum, name: methodLabel(method, words, formatter) }));
  const none = of === 'day' ? 'refunds.none' : 'refunds.period.none';
  return {
    heading: inCurrency('money', formatter),
    lines: [
      ...(methods.length === 0
        ? []
        : [texts.say('money.byMethod', { methods: partsText(methods, formatter) })]),
      refunds.count === 0
        ? texts.say(none)
        : texts.say('money.refunds', { refunds: refundsText(refunds, formatter) }),
    ].map(paragraph),
  };
}

/** Invoices by type. Empty when all are of one type. */
export function typesSentence(
  byType: readonly { type: string | null; count: number; amount: string }[],
  formatter: FigureFormatter,
): string[] {
  const parts = byType
    .filter(({ count }) => count > 0)
    .map(({ type, ...sum }) => ({ ...sum, name: typeLabel(type, formatter) }));
  if (parts.length < 2) return [];
  return [formatter.texts.say('byType.sentence', { types: partsText(parts, formatter) })];
}
