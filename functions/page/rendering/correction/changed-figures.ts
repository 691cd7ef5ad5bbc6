import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Figures, InvoiceState, RefundTotals } from '#records/figures/figure-schemas.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { inCurrency, moreNotes } from '../mail-parts.ts';

/**
 * `status: null` means all refunds. Charges, nets, types and methods are of statements only, and `balance`
 * there is whether the statement is final.
 */
type FigureName =
  | { of: 'cameIn'; measure: 'count' | 'total' }
  | { of: 'count'; state: InvoiceState | 'total' }
  | { of: 'amount'; state: InvoiceState }
  | { of: 'refunds'; status: string | null; measure: 'count' | 'total' }
  | { of: 'balance' }
  | {
      of: 'sum';
      name:
        'statement.received' | 'statement.payments' | 'charges' | 'net' | 'net.withoutCharges' | 'net.ofMade';
    }
  | { of: 'open'; name: 'statement.open.before' | 'statement.open.after'; measure: 'count' | 'total' }
  /** `null`: invoices beyond the named types or methods. `word`: the registry's, or the name. */
  | { of: 'type' | 'method'; name: string | null; word: string | null; measure: 'count' | 'total' };

/** A count, an amount (decimal string), whether it balances, or unknown (`null`). */
export type FigureValue = number | string | boolean | null;

export interface ChangedFigure {
  figure: FigureName;
  was: FigureValue;
  is: FigureValue;
}

/** Those of one status, none where there is no such status. */
export function refundsOf(
  { byStatus }: RefundTotals,
  status: string,
): { count: number; total: string | null } {
  return (Object.hasOwn(byStatus, status) ? byStatus[status] : undefined) ?? { count: 0, total: '0.000' };
}

function refundFigures(before: RefundTotals, after: RefundTotals): ChangedFigure[] {
  const statuses = [...new Set([...Object.keys(before.byStatus), ...Object.keys(after.byStatus)])];
  const pairs = [
    { status: null, was: before, is: after },
    ...statuses.map((status) => ({ status, was: refundsOf(before, status), is: refundsOf(after, status) })),
  ];
  return pairs.flatMap(({ status, was, is }): ChangedFigure[] => [
    { figure: { of: 'refunds', status, measure: 'count' }, was: was.count, is: is.count },
    { figure: { of: 'refunds', status, measure: 'total' }, was: was.total, is: is.total },
  ]);
}

/** What came in, where both know it: the page of one may be of an earlier version. */
function cameInFigures({ received: was }: Figures, { received: is }: Figures): ChangedFigure[] {
  if (was === undefined || is === undefined) return [];
  return [
    { figure: { of: 'cameIn', measure: 'count' }, was: was.count, is: is.count },
    { figure: { of: 'cameIn', measure: 'total' }, was: was.sum, is: is.sum },
  ];
}

/**
 * Every figure that differs, in the report's order. A refund status that one of them lacks had no refunds.
 */
export function changedFigures(before: Figures, after: Figures): ChangedFigure[] {
  const all: ChangedFigure[] = [
    ...cameInFigures(before, after),
    ...([...INVOICE_STATES, 'total'] as const).map((state): ChangedFigure => ({
      figure: { of: 'count', state },
      was: before.counts[state],
      is: after.counts[state],
    })),
    ...INVOICE_STATES.map((state): ChangedFigure => ({
      figure: { of: 'amount', state },
      was: before.amounts?.[state] ?? null,
      is: after.amounts?.[state] ?? null,
    })),
    ...refundFigures(before.refunds, after.refunds),
    { figure: { of: 'balance' }, was: before.balanced, is: after.balanced },
  ];
  return all.filter(({ was, is }) => was !== is);
}

function valueText(value: FigureValue, formatter: FigureFormatter): string {
  if (value === null || typeof value === 'number') return formatter.count(value);
  if (typeof value === 'string') return formatter.amount(value);
  return formatter.texts.say(value ? 'correction.yes' : 'correction.no');
}

function bareText(value: FigureValue, formatter: FigureFormatter): string {
  return typeof value === 'string' ? formatter.bareAmount(value) : valueText(value, formatter);
}

/** The old and the new value of a figure, in the direction of reading. Two amounts share the currency. */
export function changeText(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  const before = typeof is === 'string' ? bareText(was, formatter) : valueText(was, formatter);
  return [before, valueText(is, formatter)].join(formatter.texts.say('arrow'));
}

/** {@link changeText} below a heading that names the currency. */
export function bareChange(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  return [was, is].map((value) => bareText(value, formatter)).join(formatter.texts.say('arrow'));
}

type Row = PageFigures['rows'][number];

interface Pair {
  label: string;
  /** For refunds of one status: the name of the status. */
  status?: string;
  of?: string;
  count?: ChangedFigure;
  amount?: ChangedFigure;
}

type FiguresOf = 'day' | 'period';

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
    case 'cameIn':
      return { label: texts.say('correction.figures.cameIn') };
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
    case 'open':
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
  const text = ({ was, is }: ChangedFigure) => bareChange(was, is, formatter);
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
      heading: inCurrency('correction.figures', formatter),
      figures: {
        columns: [texts.say('correction.figure'), values],
        rows: shown.flatMap((pair, index) => rowsOf(pair, shown[index - 1], formatter)),
      },
      notes: moreNotes(pairs.length, shown.length, formatter),
    },
  ];
}
