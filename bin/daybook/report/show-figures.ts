import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, Counts, InvoiceState, RefundFigures } from '#records/figures/figure-schemas.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { Output } from '../terminal/output.ts';
import type { Cell } from '../terminal/table.ts';

/** The figures of a day, a statement, or one currency of a group. */
export interface ShownFigures {
  counts: Counts;
  amounts: Amounts | null;
  refunds: RefundFigures;
}

const STATES: Record<InvoiceState, string> = {
  paid: 'Paid',
  notPaid: 'Unpaid',
  cancelled: 'Cancelled',
  other: 'Other',
};

function invoiceRows({ counts, amounts }: ShownFigures, formatter: FigureFormatter): Cell[][] {
  const number = (text: string): Cell => ({ text, side: 'right' });
  return INVOICE_STATES.filter((state) => state !== 'other' || counts.other !== 0).map((state) => [
    STATES[state],
    number(formatter.count(counts[state])),
    number(amounts === null ? '' : formatter.amount(amounts[state])),
  ]);
}

function refundRows({ refunds }: ShownFigures, formatter: FigureFormatter): Cell[][] {
  const row = (label: string, of: { count: number; total: string | null }): Cell[] => [
    label,
    { text: formatter.count(of.count), side: 'right' },
    { text: formatter.amount(of.total), side: 'right' },
  ];
  return [
    row('Refunds', refunds),
    ...Object.entries(refunds.byStatus).map(([status, of]) => row(`  ${formatter.refundStatus(status)}`, of)),
  ];
}

/** Prints a table of figures, as a mail has them. */
export function showFigures(output: Output, figures: ShownFigures, formatter: FigureFormatter): void {
  const invoices: Cell[] = [
    'Invoices',
    { text: formatter.count(figures.counts.total), side: 'right' },
    { text: '', side: 'right' },
  ];
  output.table(
    ['', 'Count', 'Amount'],
    [invoices, ...invoiceRows(figures, formatter), ...refundRows(figures, formatter)],
  );
}
