import { parseExactJson } from '../json/exact-json.ts';
import { BYTE, NOT_THERE } from './json-bytes.ts';
import { LineMemory } from './page-lines.ts';
import { invoiceLayout } from './row-layout.ts';
import { RowTranscoder } from './row-transcoder.ts';
import type { OwnBytes, Span } from './row-transcoder.ts';
import { TranscodedInvoice } from './transcoded-invoice.ts';
import type { InvoiceFigures } from './transcoded-invoice.ts';

/** The columns that figures and comparisons need. */
const NEEDED = [
  'id',
  'invoice_type',
  'invoice_status',
  'merchant_id',
  'amount',
  'admin_charge',
  'service_charge',
  'created_at',
  'updated_at',
  'transaction_payment_type',
] as const;

type Needed = (typeof NEEDED)[number];

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

/** An integer of at most fifteen digits. */
function integerAt(json: Buffer, { start, end }: Span): number {
  const isNegative = json[start] === BYTE.minus;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at += 1)
    value = value * 10 + (json[at] ?? 0) - BYTE.zero;
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
 * Writes the invoices of a page as lines, straight from the bytes that were decrypted. The lines, and what is kept of an invoice, are the same
 * as those of the parsed record.
 */
export class InvoiceTranscoder {
  readonly #rows: RowTranscoder;
  readonly #memory = new LineMemory();
  readonly #redacted: ReadonlySet<string>;
  readonly #spans: Record<Needed, Span>;
  /** The values of an invoice without those inside of its lists: members, and the objects around them. */
  readonly #ownValues: number;

  /** @param redacted columns of `redactedColumns`, all of them in {@link canRedact} */
  constructor(redacted: ReadonlySet<string>) {
    const layout = invoiceLayout();
    this.#redacted = redacted;
    this.#rows = new RowTranscoder(layout, redacted, NEEDED);
    const spans = NEEDED.map((column) => [column, this.#rows.spanOf(column)]);
    this.#spans = Object.fromEntries(spans) as Record<Needed, Span>;
    this.#ownValues = layout.values.length * 2;
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
    while (json[at] !== BYTE.closingBracket) {
      const isAfterComma = json[at] === BYTE.comma;
      const [jsonStart, csvStart] = [jsonLines.used, csvLines.used];
      const end =
        isAfterComma === invoices.length > 0
          ? this.#rows.add(json, isAfterComma ? at + 1 : at, own, jsonLines, csvLines)
          : NOT_THERE;
      if (end === NOT_THERE) {
        lines.giveBack();
        return undefined;
      }
      const places = {
        json: { start: jsonStart, end: jsonLines.used - 1 },
        csv: { start: csvStart, end: csvLines.used - 1 },
      };
      invoices.push(new TranscodedInvoice(this.#figures(json), lines, places));
      at = end;
    }
    const values = invoices.length * this.#ownValues + this.#rows.innerValues - innerValues;
    return { invoices, end: at, values, bytes: jsonLines.used + csvLines.used };
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

  #sealed(column: Needed, json: Buffer, read: (json: Buffer, span: Span) => unknown): unknown {
    return this.#redacted.has(column) ? null : read(json, this.#spans[column]);
  }
}
