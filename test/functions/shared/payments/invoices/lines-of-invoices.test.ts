import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { outlineOf } from '#domain/json/json-outline.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { AnswerTooLargeError, ContractError } from '#payments/errors.ts';
import { WHOLE, parsedAnswer, parsedBesideRecords } from '#payments/envelope/parsed-answer.ts';
import type { ReadRecords } from '#payments/envelope/parsed-answer.ts';
import { linesOfInvoices } from '#payments/invoices/lines-of-invoices.ts';
import type { InvoiceReading } from '#payments/invoices/invoice-reading.ts';
import type { PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { defined } from '#support/assertions/defined.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { invoice, invoicePage, invoiceWith, listOf } from '#support/hostile-shapes/answers.ts';
import { answerOf } from '#support/transcoding/both-ways.ts';
import { easyStyle, printed } from '#support/transcoding/printed.ts';
import { usualRecord } from '#support/transcoding/records.ts';

const EXCHANGE = { operation: 'invoice list' };
const reading = (redact: string[] = []) => linesOfInvoices('700001', '2026-11-20', redact);

function readIn(answer: Buffer, from = reading(), type = '1'): ReadRecords | undefined {
  return from.inBytes?.(type)(answer);
}

/** The invoices of an answer that is read in its bytes. */
function invoicesOf(answer: Buffer, from: InvoiceReading<PulledInvoice>, type = '1'): TranscodedInvoice[] {
  const opening = { ...WHOLE, records: from.inBytes?.(type) };
  const parsed = defined(parsedBesideRecords(answer, EXCHANGE, opening));
  const { invoices } = from.answer.parse(Reflect.get(Object(parsed.body), 'response'));
  return invoices.data.filter((item) => item instanceof TranscodedInvoice);
}

const jsonOf = ({ lines, json }: TranscodedInvoice) =>
  lines.of('json').bytes.toString('utf8', json.start, json.end);

describe('records that are read in the bytes of an answer', () => {
  it('have a place, an upper bound of values, and a size', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(usualRecord, easyStyle), { maxLength: 3 }), (records) => {
        const answer = answerOf(...records.map(([record, style]) => printed(record, style)));
        const read = defined(readIn(answer));
        const list = answer.toString('utf8', read.start, read.end);
        expect(list).toBe(records.map(([record, style]) => printed(record, style)).join(','));
        const { values } = outlineOf(`[${list}]`);
        // The brackets around them are two values too.
        expect(read.values).toBeGreaterThanOrEqual(values - 2);
        expect(read.values).toBeLessThanOrEqual(2 * values);
        const lines = invoicesOf(answer, reading()).map(
          ({ json, csv }) => json.end - json.start + csv.end - csv.start + 2,
        );
        expect(read.size).toBe(lines.reduce((sum, bytes) => sum + bytes + 600, 0));
      }),
      runs(300),
    );
  });

  it.each([
    ['products', `[${listOf('{"a":[1,2]}', 2_500)}]`],
    ['rentperiod', `{"a":[${listOf('1', 1_500)}]}`],
    ['payment_method', `[${listOf('"1"', 4_000)}]`],
  ])('count the values inside of %s', (name, value) => {
    const answer = answerOf(invoice(1), invoiceWith(name, value), invoiceWith(name, value));
    const same = reading();
    for (let time = 0; time < 2; time += 1) {
      const read = defined(readIn(answer, same));
      const { values } = outlineOf(`[${answer.toString('utf8', read.start, read.end)}]`);
      expect(read.values).toBeGreaterThanOrEqual(values - 2);
      expect(read.values).toBeLessThanOrEqual(1.2 * values);
    }
  });

  it('begin with the type that was asked for', () => {
    const both = reading();
    const [first] = invoicesOf(answerOf(invoice(1)), both, '1');
    const [second] = invoicesOf(answerOf(invoice(2)), both, '2');
    expect(jsonOf(defined(first))).toMatch(
      /^\{"_merchant_code":"700001","_day":"2026-11-20","_query_type":"1","id":1,/,
    );
    expect(jsonOf(defined(second))).toMatch(
      /^\{"_merchant_code":"700001","_day":"2026-11-20","_query_type":"2","id":2,/,
    );
    expect(both.inBytes?.('1')).toBe(both.inBytes?.('1'));
  });

  it('are not read when a column must be left out that the bytes do not show', () => {
    expect(reading(['customer']).inBytes).toBeUndefined();
    expect(reading(['customer_name']).inBytes).toBeDefined();
  });

  it('are parsed after a page that had to be parsed, and the other way round', () => {
    const same = reading();
    const good = answerOf(invoice(1), invoice(2));
    const half = answerOf(
      invoiceWith('description', `"${'secret'.repeat(1_000)}\\n"`),
      invoiceWith('discount', '1'),
    );
    const expected = invoicesOf(good, reading()).map(jsonOf);
    for (let time = 0; time < 3; time += 1) {
      expect(readIn(half, same)).toBeUndefined();
      const invoices = invoicesOf(good, same);
      expect(invoices.map(jsonOf)).toEqual(expected);
      same.taken?.(invoices);
    }
  });

  it('use the memory of a page that had to be parsed again', () => {
    const transcoder = reading();
    const half = answerOf(invoice(1), invoiceWith('discount', '1'));
    readIn(half, transcoder);
    const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
    onTestFinished(() => allocate.mockRestore());
    for (let time = 0; time < 3; time += 1) expect(readIn(half, transcoder)).toBeUndefined();
    expect(allocate).not.toHaveBeenCalled();
  });

  it('use the memory of a page that was taken, and no other page’s', () => {
    const same = reading();
    const [first, second] = [invoicesOf(answerOf(invoice(1)), same), invoicesOf(answerOf(invoice(2)), same)];
    const memory = first[0]?.lines.of('json');
    expect(second[0]?.lines.of('json')).not.toBe(memory);
    same.taken?.(first);
    expect(() => jsonOf(defined(first[0]))).toThrow('given back');
    const third = invoicesOf(answerOf(invoice(3)), same);
    expect(third[0]?.lines.of('json')).toBe(memory);
    expect(second.map(jsonOf)).toEqual(invoicesOf(answerOf(invoice(2)), reading()).map(jsonOf));
    same.taken?.([]);
  });
});

describe('an answer beside its records', () => {
  const page = answerOf(invoice(1), invoice(2));
  /** The records, and the most that a text around them can take when it is parsed. */
  const sizeOf = ({ size, start, end }: ReadRecords) => size + (page.length - (end - start)) * 49;

  it('is parsed as a whole when its records do not fit into memory', () => {
    const records = reading().inBytes?.('1');
    const size = sizeOf(defined(records?.(page)));
    const within = (room: number) => parsedBesideRecords(page, EXCHANGE, { ...WHOLE, room, records });
    expect(within(size)).toBeDefined();
    expect(within(size - 1)).toBeUndefined();
  });

  it('is parsed as a whole when its records have too many values', () => {
    const many = answerOf(invoiceWith('payment_method', `[${listOf('""', 150_000)}]`));
    expect(readIn(many)).toBeDefined();
    expect(
      parsedBesideRecords(many, EXCHANGE, { ...WHOLE, records: reading().inBytes?.('1') }),
    ).toBeUndefined();
    expect(() => parsedAnswer(many.toString(), EXCHANGE, WHOLE)).toThrow(AnswerTooLargeError);
  });

  it('says what its records take', () => {
    const sized: number[] = [];
    const records = reading().inBytes?.('1');
    const opening = { ...WHOLE, records, sized: (bytes: number) => void sized.push(bytes) };
    parsedBesideRecords(page, EXCHANGE, opening);
    expect(sized.at(-1)).toBe(sizeOf(defined(records?.(page))));
  });

  it('is refused with the same error when it nests too deep around them', () => {
    const deep = invoicePage(invoice(1)).replace(
      '"status":true',
      () => `"status":true,"a":${'['.repeat(101)}${']'.repeat(101)}`,
    );
    const opening = { ...WHOLE, records: reading().inBytes?.('1') };
    expect(() => parsedBesideRecords(Buffer.from(deep), EXCHANGE, opening)).toThrow(ContractError);
    expect(() => parsedAnswer(deep, EXCHANGE, WHOLE)).toThrow(ContractError);
  });

  it('is parsed as a whole when a name appears twice around them', () => {
    const twice = page.toString().replace('"pagination":', '"a":1,"a":2,"pagination":');
    const opening = { ...WHOLE, records: reading().inBytes?.('1') };
    expect(parsedBesideRecords(Buffer.from(twice), EXCHANGE, opening)).toBeUndefined();
  });

  it('is parsed as a whole when nobody reads records in bytes', () => {
    expect(parsedBesideRecords(page, EXCHANGE, WHOLE)).toBeUndefined();
  });

  it('has no place for them when its list is not empty, or not there', () => {
    const { put } = defined(readIn(page));
    const list = (data: unknown) => ({ response: { invoices: { data } } });
    const empty = list([]);
    expect(put(empty)).toBe(true);
    expect(empty.response.invoices.data).toHaveLength(2);
    const others = [
      list([1]),
      list({}),
      list(null),
      {},
      { response: [] },
      { response: { invoices: [] } },
      undefined,
      null,
      [],
    ];
    for (const body of others) expect(put(body)).toBe(false);
  });
});
