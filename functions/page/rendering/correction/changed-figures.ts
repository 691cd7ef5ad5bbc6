import { INVOICE_STATES, type Figures, type RefundTotals } from '#records/figures/figure-schemas.ts';
import type { ChangedRow, RowState } from '#records/revision/changed-rows.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { inCurrency, methodLabel, moreNotes, typeLabel, type MethodWords } from '../mail-parts.ts';

type FigureName =
  | { of: 'named'; name: TextName }
  /** `null`: all refunds. */
  | { of: 'refunds'; status: string | null }
  /** Whether the day balances, or the statement is final. */
  | { of: 'balance' }
  /** `null`: invoices beyond the named types or methods. */
  | { of: 'type' | 'method'; name: string | null };

/** A count, an amount (decimal string), whether it balances, or unknown (`null`). */
export type FigureValue = number | string | boolean | null;

export type Change = readonly [was: FigureValue, is: FigureValue];

/** `amount` is that of a count. `null`: it did not change. */
export interface ChangedFigure {
  figure: FigureName;
  value: Change | null;
  amount: Change | null;
}

/** Empty when neither the value nor its amount differs. */
export function changedFigure(
  figure: FigureName,
  ofValue: Change | null,
  ofAmount: Change | null = null,
): ChangedFigure[] {
  const differing = (change: Change | null) => (change === null || change[0] === change[1] ? null : change);
  const [value, amount] = [differing(ofValue), differing(ofAmount)] as const;
  return value === null && amount === null ? [] : [{ figure, value, amount }];
}

/** Those of one status, none where there is no such status. `null`: all. */
export function refundsOf(
  refunds: RefundTotals,
  status: string | null,
): { count: number; total: string | null } {
  if (status === null) return refunds;
  const { byStatus } = refunds;
  return (Object.hasOwn(byStatus, status) ? byStatus[status] : undefined) ?? { count: 0, total: '0.000' };
}

function changedRefunds(before: RefundTotals, after: RefundTotals): ChangedFigure[] {
  const statuses = new Set([...Object.keys(before.byStatus), ...Object.keys(after.byStatus)]);
  return [null, ...statuses].flatMap((status) => {
    const [was, is] = [refundsOf(before, status), refundsOf(after, status)];
    return changedFigure({ of: 'refunds', status }, [was.count, is.count], [was.total, is.total]);
  });
}

/** What came in, where both know it: the page of one may be of an earlier version. */
function changedCameIn({ received: was }: Figures, { received: is }: Figures): ChangedFigure[] {
  if (was === undefined || is === undefined) return [];
  const figure = { of: 'named', name: 'correction.figures.cameIn' } as const;
  return changedFigure(figure, [was.count, is.count], [was.sum, is.sum]);
}

/** Amounts that changed alone come after the counts. */
function changedStates(before: Figures, after: Figures): ChangedFigure[] {
  const amounts = (state: (typeof INVOICE_STATES)[number]): Change => [
    before.amounts?.[state] ?? null,
    after.amounts?.[state] ?? null,
  ];
  return [...INVOICE_STATES, 'total' as const]
    .flatMap((state) =>
      changedFigure(
        { of: 'named', name: `correction.figures.${state}` },
        [before.counts[state], after.counts[state]],
        state === 'total' ? null : amounts(state),
      ),
    )
    .sort((one, other) => Number(one.value === null) - Number(other.value === null));
}

/** Every figure that differs, in the report's order. A refund status that one of them lacks had no refunds. */
export function changedFigures(before: Figures, after: Figures): ChangedFigure[] {
  return [
    ...changedCameIn(before, after),
    ...changedStates(before, after),
    ...changedRefunds(before.refunds, after.refunds),
    ...changedFigure({ of: 'balance' }, [before.balanced, after.balanced]),
  ];
}

function valueText(value: FigureValue, formatter: FigureFormatter): string {
  if (value === null || typeof value === 'number') return formatter.count(value);
  if (typeof value === 'string') return formatter.amount(value);
  return formatter.texts.say(value ? 'correction.yes' : 'correction.no');
}

export function bareText(value: FigureValue, formatter: FigureFormatter): string {
  return typeof value === 'string' ? formatter.bareAmount(value) : valueText(value, formatter);
}

/** The old and the new value of a figure, in the direction of reading; the value where both are the same. Two amounts share the currency. */
export function changeText(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  if (was === is) return valueText(is, formatter);
  const before = typeof is === 'string' ? bareText(was, formatter) : valueText(was, formatter);
  return [before, valueText(is, formatter)].join(formatter.texts.say('arrow'));
}

/** {@link changeText} below a heading that names the currency. */
export function bareChange(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  const values = was === is ? [is] : [was, is];
  return values.map((value) => bareText(value, formatter)).join(formatter.texts.say('arrow'));
}

/** What the figures are of: a day, or a period with the registry's words for its payment methods. */
type FiguresOf = { of: 'day' } | { of: 'period'; words: MethodWords };

function labelOf(figure: FigureName, time: FiguresOf, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const partOf = (all: TextName, status: string) =>
    texts.say('correction.ofStatus', { figure: texts.say(all), status });
  switch (figure.of) {
    case 'named':
      return texts.say(figure.name);
    case 'refunds':
      return figure.status === null
        ? texts.say('correction.figures.refund')
        : partOf('correction.figures.refund', formatter.refundStatus(figure.status));
    case 'balance':
      return texts.say(time.of === 'period' ? 'correction.final' : 'correction.matches');
    case 'type':
      return partOf('invoices', typeLabel(figure.name, formatter));
    case 'method': {
      const words = time.of === 'period' ? time.words : {};
      return partOf('columns.paymentMethod', methodLabel(figure.name, words, formatter));
    }
  }
}

/** The amount is below its count. An amount that changed alone names what it is an amount of. */
function rowsOf(
  { figure, value, amount }: ChangedFigure,
  above: ChangedFigure | undefined,
  time: FiguresOf,
  formatter: FigureFormatter,
): PageFigures['rows'] {
  const { texts } = formatter;
  const text = ([was, is]: Change) => bareChange(was, is, formatter);
  if (figure.of === 'refunds' && figure.status !== null && above?.figure.of === 'refunds') {
    const values = [value, amount].filter((change) => change !== null).map(text);
    return [{ label: formatter.refundStatus(figure.status), values: [values.join(' · ')], under: true }];
  }
  const label = labelOf(figure, time, formatter);
  const ofAmount =
    value === null ? texts.say('correction.amountOf', { figure: label }) : texts.say('correction.amount');
  return [
    ...(value === null ? [] : [{ label, values: [text(value)] }]),
    ...(amount === null ? [] : [{ label: ofAmount, values: [text(amount)], under: value !== null }]),
  ];
}

/** Each figure that changed, with its old and new value. Empty when none did. */
export function figureSection(
  changes: readonly ChangedFigure[],
  formatter: FigureFormatter,
  time: FiguresOf = { of: 'day' },
): PageSection[] {
  const { texts } = formatter;
  if (changes.length === 0) return [];
  const shown = changes.slice(0, formatter.limits.list);
  const values = [texts.say('correction.was'), texts.say('correction.is')].join(texts.say('arrow'));
  return [
    {
      heading: inCurrency('correction.figures', formatter),
      figures: {
        columns: [texts.say('correction.figure'), values],
        rows: shown.flatMap((change, index) => rowsOf(change, shown[index - 1], time, formatter)),
      },
      notes: moreNotes(changes.length, shown.length, formatter),
    },
  ];
}

function stateName(table: Table, { state }: RowState, formatter: FigureFormatter): string | null {
  if (state === null) return null;
  if (table === 'refunds') return formatter.refundStatus(state);
  const name = `states.${state}`;
  return formatter.texts.has(name) ? formatter.texts.say(name) : formatter.outside(state);
}

/** The state of a row before and after, or that it is new or gone. Empty when states are unknown. */
export function stateText(
  table: Table,
  { was, is }: Pick<ChangedRow, 'was' | 'is'>,
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const [before, after] = [was, is].map((state) => state && stateName(table, state, formatter));
  const named = (name: 'new' | 'gone', state: string | null | undefined) =>
    typeof state === 'string'
      ? texts.say(`correction.${name}`, { state })
      : texts.say(`correction.${name}.unknown`);
  if (was === null) return named('new', after);
  if (is === null) return named('gone', before);
  if (typeof before !== 'string' || typeof after !== 'string') return '';
  return before === after ? after : [before, after].join(texts.say('arrow'));
}

/** The amount of a row, with the one before if it is another. */
export function amountText({ was, is }: Omit<ChangedRow, 'id'>, formatter: FigureFormatter): string {
  return changeText((was ?? is)?.amount ?? null, (is ?? was)?.amount ?? null, formatter);
}
