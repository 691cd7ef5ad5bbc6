import { printTable } from '../../daybook/terminal/table.ts';
import type { Cell } from '../../daybook/terminal/table.ts';
import type { Outcome } from '../daily-round.ts';
import type { ReportAnswer } from '../functions/function-answers.ts';
import type { Terminal } from './terminal.ts';

/** A row of the table: an outcome and its merchant. */
export interface SummaryRow {
  outcome: Outcome;
  name: string;
}

interface Column {
  title: string;
  cell: (row: SummaryRow) => Cell;
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

function figures(title: string, read: (report: ReportAnswer) => string): Column {
  const text = fromReport(read);
  return { title, cell: (row) => ({ text: text(row), side: 'right' }) };
}

const MERCHANT: Column = { title: 'Merchant', cell: ({ outcome }) => outcome.merchantCode };
const SEALED: Column[] = [
  { title: 'Day', cell: ({ outcome }) => outcome.day },
  {
    title: 'Revision',
    cell: ({ outcome }) => {
      if (!('report' in outcome)) return 'failed';
      const { revision, unchanged } = outcome.report;
      return unchanged ? `${revision} unchanged` : revision.toString();
    },
  },
  { title: 'Balance', cell: fromReport(({ balanced }) => (balanced ? 'balanced' : 'differs')) },
  { title: 'Mail', cell: ({ outcome }) => mailWord(outcome) },
];
const FIGURES: Column[] = [
  figures('Invoices', ({ counts }) => figure(counts.total)),
  figures('Paid', ({ counts }) => figure(counts.paid)),
  figures('Unpaid', ({ counts }) => figure(counts.notPaid)),
  figures('Cancelled', ({ counts }) => figure(counts.cancelled)),
  figures('Refunds', ({ refunds }) => refunds.count.toString()),
  figures('Refund total KWD', ({ refunds }) => (refunds.total === null ? '' : grouped(refunds.total))),
];
const NAME: Column = { title: 'Name', cell: ({ name }) => name };

/** Prints the rows as two tables, for a terminal of 80 columns: what was sealed, and the figures. */
export function printSummary(terminal: Terminal, rows: readonly SummaryRow[]): void {
  for (const columns of [
    [MERCHANT, ...SEALED, NAME],
    [MERCHANT, ...FIGURES],
  ]) {
    const heading = columns.map(({ title }) => title);
    const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
    terminal.line();
    for (const line of printTable(heading, cells, terminal.style)) terminal.line(line);
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
