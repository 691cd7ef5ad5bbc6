import { parseExactJson } from '../json/exact-json.ts';
import { BYTE, NOT_THERE, endOfLiteral } from './json-bytes.ts';
import { LineMemory } from './page-lines.ts';
import { invoiceLayout } from './row-layout.ts';
import { RowTranscoder } from './row-transcoder.ts';
import type { OwnBytes, Span } from './row-transcoder.ts';
import { TranscodedInvoice } from './transcoded-invoice.ts';
import type { InvoiceFigures } from './transcoded-invoice.ts';

/** An invoice has four objects and two lists. */
const MOST_BRACKETS = 6;
const COMMA = Buffer.from(',');

/** The invoices of a page, and what was seen of its text. */
export interface TranscodedInvoices {
  invoices: TranscodedInvoice[];
  /** Where the list ends: at its closing bracket. */
  end: number;
  /** An upper bound of the values in the list. */
  values: number;
  /** Bytes of the lines in both formats. */
  bytes: number;
}

/** Where the values stand that figures and comparisons need. */
function neededSpans(rows: RowTranscoder) {
  return {
    id: rows.spanOf('id'),
    invoice_type: rows.spanOf('invoice_type'),
    invoice_status: rows.spanOf('invoice_status'),
    merchant_id: rows.spanOf('merchant_id'),
    amount: rows.spanOf('amount'),
    admin_charge: rows.spanOf('admin_charge'),
    service_charge: rows.spanOf('service_charge'),
    created_at: rows.spanOf('created_at'),
    updated_at: rows.spanOf('updated_at'),
    transaction_payment_type: rows.spanOf('transaction_payment_type'),
  };
}

/** An integer of at most fifteen digits. */
function integerAt(json: Buffer, { start, end }: Span): number {
  const isNegative = json[start] === BYTE.minus;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) {
    value = value * 10 + (json[at] ?? 0) - BYTE.zero;
  }
  return isNegative ? -value : value;
}

/** A text of which its format says that it has no escapes. */
function plainTextAt(json: Buffer, { start, end }: Span): string {
  return json.toString('latin1', start + 1, end - 1);
}

function valueAt(json: Buffer, { start, end }: Span): unknown {
  const text = json.toString('utf8', start, end);
  const isPlain = text.startsWith('"') && !text.includes('\\');
  return isPlain ? text.slice(1, -1) : parseExactJson(text);
}

/** Whether the value of another column may have a member with this column: `id` in `transaction.payment_type`. */
function mayBeInside(column: string): boolean {
  return invoiceLayout().values.some(
    ({ column: outer, kind }) =>
      (kind === 'open' || kind === 'list') && column.startsWith(`${outer.toLowerCase()}_`),
  );
}

/**
 * Writes the invoices of a page as lines, straight from the bytes of an answer. The lines, and what is kept of an invoice, are the
 * same as those of the parsed record.
 */
export class InvoiceTranscoder {
  readonly #rows: RowTranscoder;
  readonly #memory = new LineMemory();
  readonly #redacted: ReadonlySet<string>;
  readonly #spans: ReturnType<typeof neededSpans>;
  /** The values of an invoice without those inside of its lists, as an outline counts them: commas and opening brackets. */
  readonly #ownValues: number;

  /** @param redacted columns of `redactedColumns`, all of them in {@link canRedact} */
  constructor(redacted: ReadonlySet<string>) {
    const layout = invoiceLayout();
    this.#redacted = redacted;
    this.#rows = new RowTranscoder(layout, redacted);
    this.#spans = neededSpans(this.#rows);
    this.#ownValues = layout.values.length + MOST_BRACKETS;
  }

  /** Whether all columns can be left out. It cannot leave out a whole object, or a member inside of a list or an open value. */
  static canRedact(redacted: ReadonlySet<string>): boolean {
    const columns = new Set(invoiceLayout().values.map(({ column }) => column.toLowerCase()));
    return [...redacted].every((column) => columns.has(column) && !mayBeInside(column));
  }

  /**
   * Writes the records of a list.
   *
   * @param json UTF-8
   * @param start after the opening bracket of the list
   * @param own what each line begins with
   * @returns `undefined` when a record must be parsed
   */
  page(json: Buffer, start: number, own: OwnBytes): TranscodedInvoices | undefined {
    const lines = this.#memory.newPage();
    const [jsonLines, csvLines] = [lines.of('json'), lines.of('csv')];
    const invoices: TranscodedInvoice[] = [];
    const innerValues = this.#rows.innerValues;
    let at = start;
    while (at !== NOT_THERE && json[at] !== BYTE.closingBracket) {
      const [jsonStart, csvStart] = [jsonLines.used, csvLines.used];
      const record = invoices.length === 0 ? at : endOfLiteral(json, at, COMMA);
      at = record === NOT_THERE ? NOT_THERE : this.#rows.add(json, record, own, jsonLines, csvLines);
      if (at === NOT_THERE) break;
      const places = {
        json: { start: jsonStart, end: jsonLines.used - 1 },
        csv: { start: csvStart, end: csvLines.used - 1 },
      };
      invoices.push(new TranscodedInvoice(this.#figures(json), lines, places));
    }
    if (at === NOT_THERE || invoices.length === 0) lines.giveBack();
    if (at === NOT_THERE) return undefined;
    const bytes = jsonLines.used + csvLines.used;
    const values = invoices.length * this.#ownValues + this.#rows.innerValues - innerValues;
    return { invoices, end: at, values, bytes };
  }

  /** Frees the memory of pages that were given back. */
  close(): void {
    this.#memory.close();
  }

  /** What the record that came last has. */
  #figures(json: Buffer): InvoiceFigures {
    const spans = this.#spans;
    return {
      id: integerAt(json, spans.id),
      invoice_type: integerAt(json, spans.invoice_type),
      invoice_status: integerAt(json, spans.invoice_status),
      merchant_id: String(valueAt(json, spans.merchant_id)),
      amount: plainTextAt(json, spans.amount),
      created_at: plainTextAt(json, spans.created_at),
      updated_at: plainTextAt(json, spans.updated_at),
      row: {
        admin_charge: this.#sealed('admin_charge', json, plainTextAt),
        service_charge: this.#sealed('service_charge', json, plainTextAt),
        transaction: { payment_type: this.#sealed('transaction_payment_type', json, valueAt) },
      },
    };
  }

  #sealed(
    column: keyof ReturnType<typeof neededSpans>,
    json: Buffer,
    read: (json: Buffer, span: Span) => unknown,
  ): unknown {
    return this.#redacted.has(column) ? null : read(json, this.#spans[column]);
  }
}
