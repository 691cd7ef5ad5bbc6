import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '../page/mail-page.ts';
import { moreLines } from '../report/more-lines.ts';
import { changeText } from './change-words.ts';
import type { ChangedFigure, FigureName } from './changed-figures.ts';

type Row = PageFigures['rows'][number];

/** The count and the amount of the same invoices or refunds. */
interface Pair {
  label: string;
  /** For refunds of one status: the name of the status. */
  status?: string;
  /** For refunds: those of all statuses. */
  of?: string;
  count?: ChangedFigure;
  amount?: ChangedFigure;
}

/** What a figure is about, without saying whether it is the count or the amount. */
function pairFor(figure: FigureName, formatter: FigureFormatter): Pair {
  const { texts } = formatter;
  switch (figure.of) {
    case 'count':
    case 'amount':
      return { label: texts.say(`correction.figures.${figure.state}`) };
    case 'refunds': {
      const of = texts.say(`correction.figures.${figure.basis}`);
      if (figure.status === null) return { label: of, of };
      const status = formatter.refundStatus(figure.status);
      return { label: texts.say('correction.ofStatus', { figure: of, status }), status, of };
    }
    case 'balance':
      return { label: texts.say('correction.matches') };
  }
}

function isAmount(figure: FigureName): boolean {
  return figure.of === 'amount' || (figure.of === 'refunds' && figure.measure === 'total');
}

/** Counts and amounts of the same thing together, in the order of their first figure. */
function pairsOf(changes: readonly ChangedFigure[], formatter: FigureFormatter): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const change of changes) {
    const { figure } = change;
    const pair = pairFor(figure, formatter);
    // Two statuses may have the same name in the mail's language.
    const key = figure.of === 'refunds' ? JSON.stringify([figure.basis, figure.status]) : pair.label;
    const known = pairs.get(key) ?? pair;
    pairs.set(key, { ...known, ...(isAmount(figure) ? { amount: change } : { count: change }) });
  }
  return [...pairs.values()];
}

/** The amount is below its count. An amount that changed alone names what it is an amount of. */
function rowsOf(
  { label, status, of, count, amount }: Pair,
  above: Pair | undefined,
  formatter: FigureFormatter,
): Row[] {
  const { texts } = formatter;
  const text = ({ was, is }: ChangedFigure) => changeText(was, is, formatter);
  if (status !== undefined && above?.of === of) {
    const values = [count, amount].filter((change) => change !== undefined).map(text);
    return [{ label: status, values: [values.join(' · ')], under: true }];
  }
  const ofAmount = amount === undefined ? [] : [text(amount)];
  if (count === undefined) {
    return ofAmount.map((value) => ({
      label: texts.say('correction.amountOf', { figure: label }),
      values: [value],
    }));
  }
  return [
    { label, values: [text(count)] },
    ...ofAmount.map((value) => ({ label: texts.say('correction.amount'), values: [value], under: true })),
  ];
}

/** Each figure that changed, with its old and new value. Empty when none did. */
export function figureSection(changes: readonly ChangedFigure[], formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const pairs = pairsOf(changes, formatter);
  if (pairs.length === 0) return [];
  const shown = pairs.slice(0, formatter.limits.list);
  const values = [texts.say('correction.was'), texts.say('correction.is')].join(texts.say('arrow'));
  return [
    {
      heading: texts.say('correction.figures'),
      figures: {
        columns: [texts.say('correction.figure'), values],
        rows: shown.flatMap((pair, index) => rowsOf(pair, shown[index - 1], formatter)),
      },
      notes: moreLines(pairs.length, shown.length, formatter).map(({ text }) => text),
    },
  ];
}
