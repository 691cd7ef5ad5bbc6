import type { Day } from '#records/day/business-day.ts';
import type { Members } from '#records/json/exact-json.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { Statement } from '#page/figures/statement.ts';
import { countedAmount, peopleCells } from '../attachments/attachment-cells.ts';
import { workbookInvoiceColumns, workbookRefundColumns } from '../attachments/attachment-columns.ts';
import type { AttachmentColumn } from '../attachments/attachment-columns.ts';
import { AttachmentWords } from '../attachments/attachment-words.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import { CollectedWorkbook } from '../attachments/collected-attachments.ts';
import type { WorkbookLimits } from '../attachments/collected-attachments.ts';
import type { Workbook } from '../attachments/workbook-model.ts';
import { collectedSheet, summarySheet } from '../attachments/workbook-sheets.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { daysSheet } from './statement-days-sheet.ts';
import { statementSummaryRows } from './statement-summary-rows.ts';
import type { WorkbookMerchant } from './workbook-merchant.ts';

const DAY_COLUMN: AttachmentColumn = { head: 'workbook.day', path: ['_day'], holds: 'day', width: 14 };
/** What a refund adds to the sum of the period, behind its own columns. */
const COUNTED_COLUMN: AttachmentColumn = {
  head: 'statement.refundsOfPeriod',
  path: ['amount'],
  holds: 'amount',
  width: 28,
  summed: true,
};

/** A refund may be in the pages of two days, so its own amount has no sum. */
function withoutSum({ summed: _, ...column }: AttachmentColumn): AttachmentColumn {
  return column;
}

/** Collects a statement's workbook row by row, no more than the limits. */
export class StatementWorkbook {
  readonly #merchant: WorkbookMerchant;
  readonly #statement: Statement;
  readonly #settingsOf: (day: Day) => WordSettings;
  readonly #columns: Record<Table, readonly AttachmentColumn[]>;
  readonly #collected: CollectedWorkbook;
  /** Of each day, because a refund counts by the day of its page. */
  readonly #words = new Map<Day, AttachmentWords>();

  /**
   * @param words of each day as its page was sealed @param rows in all pages; too many, and nothing is kept
   */
  constructor(
    merchant: WorkbookMerchant,
    statement: Statement,
    words: (day: Day) => WordSettings,
    rows: Record<Table, number>,
    limits: WorkbookLimits,
  ) {
    const { invoiceStatuses, refunds, timeZone } = merchant;
    this.#merchant = merchant;
    this.#statement = statement;
    this.#settingsOf = words;
    const invoices = workbookInvoiceColumns(invoiceStatuses);
    this.#columns = {
      // Amounts of different currencies are never added.
      invoices: statement.currency === null ? invoices.map(withoutSum) : invoices,
      refunds: workbookRefundColumns(refunds.statuses).map(withoutSum),
    };
    const columns = {
      invoices: [DAY_COLUMN, ...this.#columns.invoices],
      refunds: [
        DAY_COLUMN,
        ...this.#columns.refunds,
        statement.currency === null ? withoutSum(COUNTED_COLUMN) : COUNTED_COLUMN,
      ],
    };
    this.#collected = new CollectedWorkbook(columns, rows.invoices + rows.refunds, limits, timeZone);
  }

  get isTooBig(): boolean {
    return this.#collected.isTooBig;
  }

  /** @param row from a sealed invoices file, redacted */
  addInvoice(day: Day, row: Members): void {
    if (this.isTooBig) return;
    const cells = peopleCells(row, this.#columns.invoices, this.#wordsOf(day));
    this.#collected.add('invoices', [day, ...cells]);
  }

  /** @param row from a sealed refunds file, redacted */
  addRefund(day: Day, row: Members): void {
    if (this.isTooBig) return;
    const words = this.#wordsOf(day);
    const cells = peopleCells(row, this.#columns.refunds, words);
    this.#collected.add('refunds', [day, ...cells, countedAmount(row, words)]);
  }

  /** `undefined` when it is too large. */
  workbook(): Workbook | undefined {
    const tables = this.#collected.tables();
    if (tables === undefined) return undefined;
    const texts = textsIn(this.#merchant.language);
    const invoices = { name: texts.say('workbook.invoices'), table: 'Invoices' };
    const refunds = { name: texts.say('workbook.refunds'), table: 'Refunds' };
    return {
      sheets: [
        summarySheet(statementSummaryRows(this.#merchant, this.#statement), texts),
        daysSheet(this.#merchant, this.#statement),
        collectedSheet(invoices, tables.invoices, texts),
        collectedSheet(refunds, tables.refunds, texts),
      ],
      rightToLeft: texts.direction === 'rtl',
    };
  }

  #wordsOf(day: Day): AttachmentWords {
    const known = this.#words.get(day);
    if (known !== undefined) return known;
    const words = new AttachmentWords(this.#settingsOf(day), day);
    this.#words.set(day, words);
    return words;
  }
}
