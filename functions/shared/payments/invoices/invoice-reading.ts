import { listAsSent } from '#domain/records/as-sent.ts';
import { neededInvoiceSchema } from '#domain/records/invoice.ts';
import type { Invoice } from '#domain/records/invoice.ts';
import type { RecordReader } from '../envelope/parsed-answer.ts';
import { invoiceListSchema } from './invoice-list-schema.ts';

/** The names on the path to the invoices of an answer, below `response`. */
export const INVOICES_AT = ['invoices', 'data'] as const;

/** How the invoices of a list are read. */
export interface InvoiceReading<Row> {
  /** The schema of an answer, with the invoices. */
  answer: ReturnType<typeof invoiceListSchema<Row>>;
  /** Gives the reader of one type's invoices in the bytes of an answer. Left out when they are always parsed. */
  inBytes?: (invoiceType: string) => RecordReader;
  /** Called when all that is needed of a page was taken from its invoices. */
  taken?: (invoices: readonly Row[]) => void;
  /** Called after the last page. */
  ended?: () => void;
}

/** Every invoice is parsed, with all of its members. */
export const PARSED_INVOICES: InvoiceReading<Invoice> = {
  answer: invoiceListSchema(listAsSent(neededInvoiceSchema)),
};
