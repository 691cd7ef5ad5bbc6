import { describe, expect, it } from 'vitest';
import { redactedColumns } from '#domain/records/redaction.ts';
import { csvColumns } from '#domain/records/row-shape.ts';
import { InvoiceTranscoder } from '#domain/transcoding/invoice-transcoder.ts';
import { invoice, invoiceWith } from '#support/hostile-shapes/answers.ts';
import { answerOf, bothWays } from '#support/transcoding/both-ways.ts';

const canRedact = (...columns: string[]) => InvoiceTranscoder.canRedact(redactedColumns(columns));

describe('a column that is left out', () => {
  const own = new Set(['_merchant_code', '_day', '_query_type']);
  const columns = csvColumns('invoices').filter((column) => !own.has(column));
  /** A column whose name is that of a member of `transaction.payment_type`, too. */
  const TWOFOLD = 'transaction_payment_type_id';

  it.each(columns.filter((column) => column !== TWOFOLD))('is null in the lines: %s', (column) => {
    const redact = [column.toUpperCase()];
    const { isTaken, transcoded, parsed } = bothWays(answerOf(invoice(1), invoice(2)), redact);
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });

  it('may be every column at once', () => {
    const redact = columns.filter((column) => column !== TWOFOLD);
    const { isTaken, transcoded, parsed } = bothWays(answerOf(invoice(1), invoice(2)), redact);
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });

  it.each([
    'customer',
    'transaction',
    'created_by_merchant',
    'products_name',
    'rentperiod_from',
    'zebra',
    '',
  ])('is left to the parser when it is no single value of a record: %j', (column) => {
    expect(canRedact(column)).toBe(false);
    expect(canRedact('token', column)).toBe(false);
    expect(bothWays(answerOf(invoice(1)), [column]).isTaken).toBe(false);
  });

  it('is left to the parser when an open value may have a member of that name', () => {
    expect(canRedact(TWOFOLD)).toBe(false);
    const type = '"transaction":{"payment_type_id":1,"payment_id":null';
    const secret = invoice(1)
      .replace('"transaction":{"payment_type_id":null,"payment_id":null', type)
      .replace('"payment_type":null', '"payment_type":{"id":"secret"}');
    expect(secret).toContain(type);
    expect(bothWays(answerOf(secret)).isTaken).toBe(true);
    expect(bothWays(answerOf(secret), [TWOFOLD]).isTaken).toBe(false);
  });

  it('is a column of each list and open value, also when these are large or in another order', () => {
    for (const column of ['products', 'rentperiod'] as const) {
      const { isTaken, transcoded, parsed } = bothWays(
        answerOf(invoiceWith(column, '[{"b":"a,\\"b\\"","a":[1.50,12345678901234567890]}]'), invoice(2)),
        [column],
      );
      expect(isTaken).toBe(true);
      expect(transcoded).toEqual(parsed);
    }
  });

  it('is still checked: a page with a wrong value in it is refused', () => {
    for (const [column, value] of [
      ['token', '1'],
      ['discount', '"1.0"'],
      ['invoice_type', '"1"'],
      ['payment_method', '[1]'],
      ['products', '{}'],
    ] as const) {
      expect(bothWays(answerOf(invoiceWith(column, value)), [column]).isTaken).toBe(false);
    }
  });

  it('of a whole reading needs no column', () => {
    expect(canRedact()).toBe(true);
  });
});
