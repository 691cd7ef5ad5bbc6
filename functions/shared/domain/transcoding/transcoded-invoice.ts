import type { Members } from '../json/exact-json.ts';
import type { Invoice } from '../records/invoice.ts';
import type { PageLines } from './page-lines.ts';

/** What figures and comparisons need of an invoice that was not parsed. */
export interface InvoiceFigures {
  id: number;
  invoice_type: number;
  invoice_status: number;
  merchant_id: string;
  amount: string;
  created_at: string;
  updated_at: string;
  /** The other members that the breakdown needs, as they are sealed: redacted. */
  row: Members;
}

/** Where a line begins and ends, without the line end. */
export interface LinePlace {
  start: number;
  end: number;
}

/** An invoice that is already written as lines, with what figures need of it. */
export class TranscodedInvoice implements InvoiceFigures {
  readonly id: number;
  readonly invoice_type: number;
  readonly invoice_status: number;
  readonly merchant_id: string;
  readonly amount: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly row: Members;
  /** The lines of its page. */
  readonly lines: PageLines;
  /** Its own lines in them. */
  readonly json: LinePlace;
  readonly csv: LinePlace;

  constructor(figures: InvoiceFigures, lines: PageLines, places: { json: LinePlace; csv: LinePlace }) {
    this.id = figures.id;
    this.invoice_type = figures.invoice_type;
    this.invoice_status = figures.invoice_status;
    this.merchant_id = figures.merchant_id;
    this.amount = figures.amount;
    this.created_at = figures.created_at;
    this.updated_at = figures.updated_at;
    this.row = figures.row;
    this.lines = lines;
    this.json = places.json;
    this.csv = places.csv;
  }
}

/** An invoice of a pull: parsed, or written as lines. */
export type PulledInvoice = Invoice | TranscodedInvoice;
