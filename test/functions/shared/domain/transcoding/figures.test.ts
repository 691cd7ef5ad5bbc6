import { describe, expect, it } from 'vitest';
import { invoice, invoiceWith } from '#support/hostile-shapes/answers.ts';
import { answerOf, bothWays } from '#support/transcoding/both-ways.ts';

/** Checks that both ways give the same figures, and that these are not those of another record. */
function expectFigures(record: string, redact: string[] = []): void {
  const { isTaken, transcoded, parsed } = bothWays(answerOf(invoice(7), record, invoice(8)), redact);
  expect(isTaken).toBe(true);
  expect(parsed?.figures).toHaveLength(3);
  expect(transcoded?.figures).toEqual(parsed?.figures);
}

describe('the figures of an invoice', () => {
  it.each([
    ...[
      'null',
      '"knet"',
      '""',
      '"ك/نت"',
      '"a\\"b"',
      '"a\\\\"',
      '"\\u0043\\u0000"',
      '"\\ud800"',
      '"\ue000"',
      '" a "',
      ' "a"',
    ],
    ...[
      '0',
      '-0',
      '7',
      '-7',
      '1.50',
      '1e5',
      '1e400',
      '9007199254740993',
      '-12345678901234567890',
      ' 7',
      'true',
      'false',
    ],
    ...['[]', '{}', '["a"]', '[9007199254740993]', '{"b":1,"a":"\\n"}', '{"__proto__":1}'],
  ])('have the payment type %s', (value) => {
    const record = invoice(1).replace('"payment_type":null', () => `"payment_type":${value}`);
    expectFigures(record);
    expectFigures(record, ['transaction_payment_type']);
    expectFigures(record, ['transaction_auth']);
  });

  it.each([
    '""',
    '"1084"',
    '"01"',
    '"ق"',
    '"a\\nb"',
    '"\\\\"',
    '"a,\\"b\\""',
    '"\\u0031"',
    '"\ue000"',
    '"\\ud83e\\uddfe"',
  ])('have the merchant id %s', (value) => {
    expectFigures(invoiceWith('merchant_id', value));
    expectFigures(invoiceWith('merchant_id', value), ['merchant_id']);
  });

  it.each(['id', 'invoice_type', 'invoice_status'])('have the whole number %s', (name) => {
    for (const value of ['0', '1', '-1', '42', '123456789012345', '-123456789012345', '999999999999999']) {
      expectFigures(name === 'id' ? invoice(value) : invoiceWith(name, value));
    }
  });

  it.each(['amount', 'admin_charge', 'service_charge'])('have the amount %s', (name) => {
    for (const value of ['"0.000"', '"-0.000"', '"12.345"', `"-${'9'.repeat(30)}.999"`]) {
      expectFigures(invoiceWith(name, value));
    }
    if (name !== 'amount') expectFigures(invoiceWith(name, '"5.000"'), [name]);
  });

  it.each(['created_at', 'updated_at'])('have the time %s', (name) => {
    expectFigures(invoiceWith(name, '"1999-12-31 23:59:58"'));
  });
});
