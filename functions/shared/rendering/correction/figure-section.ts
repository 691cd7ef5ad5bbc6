import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '../page/mail-page.ts';
import { moreLines } from '../report/more-lines.ts';
import { changeText } from './change-words.ts';
import type { ChangedFigure, FigureName } from './changed-figures.ts';

type Row = PageFigures['rows'][number];

/** The count and the amount of the same invoices or refunds. */
interface Pair {
  label: string;
  count?: ChangedFigure;
  amount?: ChangedFigure;
}

/** What a figure is about, without saying whether it is the count or the amount. */
function subjectOf(figure: FigureName, formatter: FigureFormatter): string {
  const { texts } = formatter;
  switch (figure.of) {
    case 'count':
    case 'amount':
      return texts.say(`correction.figures.${figure.state}`);
    case 'refunds': {
      const refunds = texts.say(`correction.figures.${figure.basis}`);
      if (figure.status === null) return refunds;
      const status = formatter.refundStatus(figure.status);
      return texts.say('correction.ofStatus', { figure: refunds, status });
    }
    case 'balance':
      return texts.say('correction.matches');
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
    const label = subjectOf(figure, formatter);
    const of = figure.of === 'refunds' ? [figure.basis, figure.status] : [label];
    const key = JSON.stringify(of);
    const pair = pairs.get(key) ?? { label };
    pairs.set(key, { ...pair, ...(isAmount(figure) ? { amount: change } : { count: change }) });
  }
  return [...pairs.values()];
}

/** The amount is below its count. An amount that changed alone names what it is an amount of. */
function rowsOf({ label, count, amount }: Pair, formatter: FigureFormatter): Row[] {
  const { texts } = formatter;
  const values = ({ was, is }: ChangedFigure) => [changeText(was, is, formatter)];
  return [
    ...(count === undefined ? [] : [{ label, values: values(count) }]),
    ...(amount === undefined
      ? []
      : [
          count === undefined
            ? { label: texts.say('correction.amountOf', { figure: label }), values: values(amount) }
            : { label: texts.say('correction.amount'), values: values(amount), under: true },
        ]),
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
        rows: shown.flatMap((pair) => rowsOf(pair, formatter)),
      },
      notes: moreLines(pairs.length, shown.length, formatter).map(({ text }) => text),
    },
  ];
}
