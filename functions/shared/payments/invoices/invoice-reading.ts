import type { Day } from '#domain/day/business-day.ts';
import { isMembers } from '#domain/json/exact-json.ts';
import { listAsSent } from '#domain/records/as-sent.ts';
import { invoiceSchema } from '#domain/records/invoice.ts';
import type { Invoice } from '#domain/records/invoice.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import { InvoiceTranscoder } from '#domain/transcoding/invoice-transcoder.ts';
import { listInAnswer, pathInAnswer } from '#domain/transcoding/list-in-answer.ts';
import { ownBytes } from '#domain/transcoding/row-transcoder.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { RecordReader } from '../envelope/parsed-answer.ts';
import { invoiceListSchema } from './invoice-list-schema.ts';

/** The names on the path to the invoices of an answer, below `response`. */
export const INVOICES_AT = ['invoices', 'data'] as const;
const LIST_AT = pathInAnswer(['response', ...INVOICES_AT]);
/** Bytes of memory for an invoice besides its lines, an estimate. */
const BYTES_AN_INVOICE = 600;

/** How the invoices of a list are read. */
export interface InvoiceReading<Row> {
  /** The schema of an answer, with the invoices. */
  answer: ReturnType<typeof invoiceListSchema<Row>>;
  /** Gives the reader of one type's invoices in the bytes of an answer. Left out when they are always parsed. */
  inBytes?: (invoiceType: string) => RecordReader;
  /** Called when all that is needed of a page was taken from its invoices. */
  taken?: (invoices: readonly Row[]) => void;
}

/** Every invoice is parsed, with all of its members. */
export const PARSED_INVOICES: InvoiceReading<Invoice> = {
  answer: invoiceListSchema(listAsSent(invoiceSchema)),
};

/** Puts the invoices into the empty list of an answer. */
function putInvoices(body: unknown, invoices: readonly TranscodedInvoice[]): boolean {
  let members = body;
  for (const name of ['response', ...INVOICES_AT.slice(0, -1)]) {
    members = isMembers(members) ? members[name] : undefined;
  }
  const list = isMembers(members) ? members['data'] : undefined;
  if (!isMembers(members) || !Array.isArray(list) || list.length > 0) return false;
  members['data'] = invoices;
  return true;
}

/**
 * Invoices are written as lines straight from the bytes of an answer, and parsed only when they are not exactly as the contract
 * shows them. Both give the same lines (docs/adr/0028-lines-from-bytes.md).
 */
export function linesOfInvoices(
  merchantCode: string,
  day: Day,
  redact: readonly string[],
): InvoiceReading<PulledInvoice> {
  const answer = invoiceListSchema(
    listAsSent(invoiceSchema, (record) => record instanceof TranscodedInvoice),
  );
  const redacted = redactedColumns(redact);
  if (!InvoiceTranscoder.canRedact(redacted)) return { answer };
  const transcoder = new InvoiceTranscoder(redacted);
  const readers = new Map<string, RecordReader>();
  const readerOf = (queryType: string): RecordReader => {
    const own = ownBytes({ merchantCode, day, queryType });
    return (bytes) => {
      const start = listInAnswer(bytes, LIST_AT);
      const page = start === undefined ? undefined : transcoder.page(bytes, start, own);
      if (start === undefined || page === undefined) return undefined;
      const { invoices, end, values } = page;
      const size = page.bytes + invoices.length * BYTES_AN_INVOICE;
      return { start, end, values, size, put: (body) => putInvoices(body, invoices) };
    };
  };
  return {
    answer,
    inBytes: (queryType) => {
      const reader = readers.get(queryType) ?? readerOf(queryType);
      readers.set(queryType, reader);
      return reader;
    },
    taken: ([first]) => {
      if (first instanceof TranscodedInvoice) first.lines.giveBack();
    },
  };
}
