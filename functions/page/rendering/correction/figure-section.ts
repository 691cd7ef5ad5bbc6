import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-page.ts';
import { moreLines } from '../report/more-lines.ts';
import { changeText } from './change-words.ts';
import type { ChangedFigure, FigureName } from './changed-figures.ts';

type Row = PageFigures['rows'][number];

interface Pair {
  label: string;
  /** For refunds of one status: the name of the status. */
  status?: string;
  of?: string;
  count?: ChangedFigure;
  amount?: ChangedFigure;
}

export type FiguresOf = 'day' | 'period';

function partName(
  { of, word }: Extract<FigureName, { of: 'type' | 'method' }>,
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  if (of === 'type') return word === null ? texts.say('types.rest') : formatter.invoiceType(word);
  return word === null ? texts.say('method.rest') : formatter.paymentMethod(word);
}

function pairFor(figure: FigureName, ofTime: FiguresOf, formatter: FigureFormatter): Pair {
  const { texts } = formatter;
  switch (figure.of) {
    case 'count':
    case 'amount':
      return { label: texts.say(`correction.figures.${figure.state}`) };
    case 'refunds': {
      const of = texts.say('correction.figures.refund');
      if (figure.status === null) return { label: of, of };
      const status = formatter.refundStatus(figure.status);
      return { label: texts.say('correction.ofStatus', { figure: of, status }), status, of };
    }
    case 'balance':
      return { label: texts.say(ofTime === 'period' ? 'correction.final' : 'correction.matches') };
    case 'sum':
      return { label: texts.say(figure.name) };
    case 'type':
    case 'method': {
      const all = texts.say(figure.of === 'type' ? 'invoices' : 'columns.paymentMethod');
      const status = partName(figure, formatter);
      return { label: texts.say('correction.ofStatus', { figure: all, status }) };
    }
  }
}

function isAmount(figure: FigureName): boolean {
  return figure.of === 'amount' || ('measure' in figure && figure.measure === 'total');
}

/** What pairs a count with its amount. Two statuses or methods may have the same name in the mail's language. */
function keyOf(figure: FigureName, { label }: Pair): string {
  switch (figure.of) {
    case 'refunds':
      return JSON.stringify([figure.of, figure.status]);
    case 'type':
    case 'method':
      return JSON.stringify([figure.of, figure.name]);
    default:
      return label;
  }
}

function pairsOf(changes: readonly ChangedFigure[], ofTime: FiguresOf, formatter: FigureFormatter): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const change of changes) {
    const { figure } = change;
    const pair = pairFor(figure, ofTime, formatter);
    const key = keyOf(figure, pair);
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
export function figureSection(
  changes: readonly ChangedFigure[],
  formatter: FigureFormatter,
  ofTime: FiguresOf = 'day',
): PageSection[] {
  const { texts } = formatter;
  const pairs = pairsOf(changes, ofTime, formatter);
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
