import { paymentMethod } from '#domain/figures/breakdown-tally.ts';
import { isMembers } from '#domain/json/exact-json.ts';
import type { Members } from '#domain/json/exact-json.ts';
import { canonicalRecord, ordered } from '#domain/records/canonical-record.ts';
import { NamesOfRecord, RenamedMembersError } from '#domain/records/names-of-record.ts';
import { redacted, redactedColumns } from '#domain/records/redaction.ts';
import { RowLines } from '#domain/records/row-lines.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { InvoiceFigures, PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { WHOLE, parsedAnswer, parsedBesideRecords } from '#payments/envelope/parsed-answer.ts';
import type { Parsed } from '#payments/envelope/parsed-answer.ts';
import { linesOfInvoices } from '#payments/invoices/lines-of-invoices.ts';
import { invoicePage } from '#support/hostile-shapes/answers.ts';
import { orNamedError } from '#support/fuzz/mutations.ts';

export const ORIGIN = { merchantCode: '700001', day: '2026-11-20', queryType: '1' };
const EXCHANGE = { operation: 'invoice list' };

/** What becomes of a page: the bytes of its lines as Latin-1, and all else that a pull takes from it. */
export interface WrittenPage {
  json: string[];
  csv: string[];
  figures: unknown[];
  /** Names that the contract does not have. */
  unknown: string[];
}

/** An answer with these texts as its records. */
export function answerOf(...records: readonly string[]): Buffer {
  return Buffer.from(invoicePage(records.join(',')));
}

/** Any value as a text that is the same for equal values. */
function shown(value: unknown): string {
  const inOrder = ordered(value, '', new NamesOfRecord(new Map()));
  return `${typeof value} ${Object.is(value, -0) ? '-0' : JSON.stringify(inOrder)}`;
}

function figuresOf(
  invoice: Partial<Record<Exclude<keyof InvoiceFigures, 'row'>, unknown>>,
  row: Members,
): unknown {
  const { id, invoice_type, invoice_status, merchant_id, amount, created_at, updated_at } = invoice;
  const { transaction } = row;
  return {
    own: [id, invoice_type, invoice_status, merchant_id, amount, created_at, updated_at].map(shown),
    charges: [row['admin_charge'], row['service_charge']].map(shown),
    paymentType: isMembers(transaction) ? shown(transaction['payment_type']) : '',
    method: paymentMethod(row),
  };
}

function readingOf(redact: readonly string[]) {
  return linesOfInvoices(ORIGIN.merchantCode, ORIGIN.day, redact);
}

function invoicesIn({ body, repeating }: Parsed, redact: readonly string[]): PulledInvoice[] | undefined {
  if (repeating !== undefined || !isMembers(body) || body['status'] !== true) return undefined;
  const read = readingOf(redact).answer.safeParse(body['response']);
  return read.success ? read.data.invoices.data : undefined;
}

function writtenParsed(records: readonly PulledInvoice[], redact: readonly string[]): WrittenPage {
  const written: WrittenPage = { json: [], csv: [], figures: [], unknown: [] };
  const lines = new RowLines('invoices', ORIGIN);
  const unknown = new Map<string, string>();
  for (const record of records) {
    if (record instanceof TranscodedInvoice) throw new TypeError('this was not parsed');
    const kept = redacted(record, redactedColumns(redact));
    const row = canonicalRecord('invoices', kept, unknown);
    written.json.push(Buffer.from(lines.json(row).join('')).toString('latin1'));
    written.csv.push(Buffer.from(lines.csv(row, kept)).toString('latin1'));
    written.figures.push(figuresOf(record, row));
  }
  return { ...written, unknown: [...unknown.keys()] };
}

/** The lines of an answer that is parsed. `undefined` when it is refused. */
export function parsedWay(answer: Buffer, redact: readonly string[] = []): WrittenPage | undefined {
  const parsed = orNamedError(() => parsedAnswer(answer.toString('utf8'), EXCHANGE, WHOLE));
  const records = parsed === undefined ? undefined : invoicesIn(parsed, redact);
  try {
    return records === undefined ? undefined : writtenParsed(records, redact);
  } catch (error) {
    if (error instanceof RenamedMembersError) return undefined;
    throw error;
  }
}

function writtenInvoices(invoices: readonly PulledInvoice[]): WrittenPage {
  const written: WrittenPage = { json: [], csv: [], figures: [], unknown: [] };
  for (const invoice of invoices) {
    if (!(invoice instanceof TranscodedInvoice)) throw new TypeError('this was parsed');
    const { json, csv, lines } = invoice;
    written.json.push(lines.of('json').bytes.toString('latin1', json.start, json.end));
    written.csv.push(lines.of('csv').bytes.toString('latin1', csv.start, csv.end));
    written.figures.push(figuresOf(invoice, invoice.row));
  }
  return written;
}

/** The lines of an answer whose records are not parsed. `undefined` when they must be parsed, or the answer is refused. */
export function transcodedWay(answer: Buffer, redact: readonly string[] = []): WrittenPage | undefined {
  const records = readingOf(redact).inBytes?.(ORIGIN.queryType);
  const parsed = orNamedError(() => parsedBesideRecords(answer, EXCHANGE, { ...WHOLE, records }));
  const invoices = parsed === undefined ? undefined : invoicesIn(parsed, redact);
  return invoices === undefined ? undefined : writtenInvoices(invoices);
}

/** A page that is not taken, or has the same lines when it is parsed. */
export interface Comparison {
  isTaken: boolean;
  transcoded: WrittenPage | undefined;
  parsed: WrittenPage | undefined;
}

/** What both ways make of an answer. `parsed` is left out when the page must be parsed anyway. */
export function bothWays(answer: Buffer, redact: readonly string[] = []): Comparison {
  const transcoded = transcodedWay(answer, redact);
  const isTaken = transcoded !== undefined;
  return { isTaken, transcoded, parsed: isTaken ? parsedWay(answer, redact) : undefined };
}
