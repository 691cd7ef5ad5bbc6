import type { Day } from '#domain/day/business-day.ts';
import { isMembers } from '#domain/json/exact-json.ts';
import { listAsSent } from '#domain/records/as-sent.ts';
import { neededInvoiceSchema } from '#domain/records/invoice.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import { InvoiceTranscoder } from '#domain/transcoding/invoice-transcoder.ts';
import { listInAnswer, pathInAnswer } from '#domain/transcoding/list-in-answer.ts';
import { ownBytes } from '#domain/transcoding/row-transcoder.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { RecordReader } from '../envelope/parsed-answer.ts';
import { invoiceListSchema } from './invoice-list-schema.ts';
import { INVOICES_AT } from './invoice-reading.ts';
import type { InvoiceReading } from './invoice-reading.ts';

const LIST_AT = pathInAnswer(['response', ...INVOICES_AT]);
/** Bytes of memory for an invoice besides its lines, an estimate. */
const BYTES_AN_INVOICE = 600;

/** Made once: zod compiles a schema when it is first used. */
const ANSWER = invoiceListSchema(
  listAsSent(neededInvoiceSchema, (record) => record instanceof TranscodedInvoice),
);

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
  const redacted = redactedColumns(redact);
  if (!InvoiceTranscoder.canRedact(redacted)) return { answer: ANSWER };
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
    answer: ANSWER,
    inBytes: (queryType) => {
      const reader = readers.get(queryType) ?? readerOf(queryType);
      readers.set(queryType, reader);
      return reader;
    },
    taken: ([first]) => {
      if (first instanceof TranscodedInvoice) first.lines.giveBack();
    },
    ended: () => transcoder.close(),
  };
}
