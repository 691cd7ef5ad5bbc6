import type { Outcome } from '../daily-round.ts';
import type { ReportAnswer } from '../functions/function-answers.ts';
import { tableLines } from './table.ts';
import type { Column } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A row of the table: an outcome and its merchant. */
export interface SummaryRow {
  outcome: Outcome;
  name: string;
}

const NONE = '–';

function fromReport(read: (report: ReportAnswer) => string): (row: SummaryRow) => string {
  return ({ outcome }) => ('report' in outcome ? read(outcome.report) : NONE);
}

function figure(value: number | null): string {
  return value === null ? 'unknown' : value.toString();
}

/** `1204.500` as `1,204.500`. */
function grouped(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',');
}

/** The state of a merchant's mail, in one or two words. */
export function mailWord(outcome: Outcome): string {
  if (!('report' in outcome)) return NONE;
  const { status } = outcome.report.mail;
  if (status === 'sent') return outcome.mailKind ?? 'sent';
  return status === 'already-sent' ? 'already sent' : status;
}

const MERCHANT: Column<SummaryRow> = {
  title: 'Merchant',
  side: 'left',
  cell: ({ outcome }) => outcome.merchantCode,
};
const SEALED: Column<SummaryRow>[] = [
  { title: 'Day', side: 'left', cell: ({ outcome }) => outcome.day },
  {
    title: 'Revision',
    side: 'left',
    cell: ({ outcome }) => {
      if (!('report' in outcome)) return 'failed';
      const { revision, unchanged } = outcome.report;
      return unchanged ? `${revision} unchanged` : revision.toString();
    },
  },
  { title: 'Balance', side: 'left', cell: fromReport(({ balanced }) => (balanced ? 'balanced' : 'differs')) },
  { title: 'Mail', side: 'left', cell: ({ outcome }) => mailWord(outcome) },
];
const FIGURES: Column<SummaryRow>[] = [
  { title: 'Invoices', side: 'right', cell: fromReport(({ counts }) => figure(counts.total)) },
  { title: 'Paid', side: 'right', cell: fromReport(({ counts }) => figure(counts.paid)) },
  { title: 'Unpaid', side: 'right', cell: fromReport(({ counts }) => figure(counts.notPaid)) },
  { title: 'Cancelled', side: 'right', cell: fromReport(({ counts }) => figure(counts.cancelled)) },
  { title: 'Refunds', side: 'right', cell: fromReport(({ refunds }) => refunds.count.toString()) },
  { title: 'Refund total KWD', side: 'right', cell: fromReport(({ refunds }) => grouped(refunds.total)) },
];
const NAME: Column<SummaryRow> = { title: 'Name', side: 'left', cell: ({ name }) => name };

/** Prints the rows as one table if the terminal is wide enough. Otherwise prints two: what was sealed, and the figures. */
export function printSummary(terminal: Terminal, rows: readonly SummaryRow[]): void {
  const whole = tableLines([MERCHANT, ...SEALED, ...FIGURES, NAME], rows);
  const fits = whole.every((line) => line.length <= terminal.width());
  const tables = fits
    ? [whole]
    : [tableLines([MERCHANT, ...SEALED, NAME], rows), tableLines([MERCHANT, ...FIGURES], rows)];
  for (const [heading = '', ...lines] of tables) {
    terminal.line();
    terminal.line(terminal.style('bold', heading));
    for (const line of lines) terminal.line(line);
  }
}

/** Prints what the table has no room for: differences in the balance, and why there was no mail. */
export function printRemarks(terminal: Terminal, rows: readonly SummaryRow[]): void {
  const remarks = rows.flatMap(({ outcome }) => {
    if (!('report' in outcome)) return [];
    const { differences, mail } = outcome.report;
    const about = `${outcome.merchantCode} ${outcome.day}`;
    const [first] = differences;
    const more = differences.length > 1 ? ` (and ${differences.length - 1} more)` : '';
    return [
      ...(first === undefined
        ? []
        : [
            `${about}: ${first.what}: the service says ${String(first.service)}, its rows ${String(first.rows)}${more}`,
          ]),
      ...(mail.reason === undefined ? [] : [`${about}: no mail: ${mail.reason}`]),
    ];
  });
  if (remarks.length > 0) terminal.line();
  for (const remark of remarks) terminal.line(terminal.style('yellow', remark));
}

/** Prints each failure on stderr, one line each. */
export function printFailures(terminal: Terminal, rows: readonly SummaryRow[]): void {
  for (const { outcome } of rows) {
    if (!('failure' in outcome)) continue;
    terminal.complain(`${outcome.merchantCode} ${outcome.day} failed: ${outcome.failure}`);
  }
}
