import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Members } from '#domain/json/exact-json.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { answerOf, bothWays } from '#support/transcoding/both-ways.ts';
import { PLAIN, anyStyle, easyStyle, printed } from '#support/transcoding/printed.ts';
import { anyRecord, usualRecord } from '#support/transcoding/records.ts';

const REDACT = fc.oneof(
  { weight: 4, arbitrary: fc.constant<string[]>([]) },
  fc.uniqueArray(
    fc.constantFrom(
      ...['token', 'Description', 'invoice_type', 'merchant_id', 'admin_charge', 'service_charge'],
      ...['payment_method', 'spliturl', 'rentperiod', 'transaction_Auth', 'transaction_payment_type'],
      ...['transaction_payment_id', 'customer_name', 'created_by_merchant_id', 'products'],
    ),
    { minLength: 1, maxLength: 5 },
  ),
);
const REDACT_MORE = fc.oneof(
  { weight: 3, arbitrary: REDACT },
  fc.constantFrom(
    ...[['customer'], ['transaction'], ['no_such_column'], ['products_id'], ['token', 'rentperiod_a']],
    ...[['transaction_payment_type_id'], ['transaction_auth_id', 'token']],
  ),
);

type Change = (record: Members) => Members;
const same: Change = (record) => record;
const inOtherOrder: Change = (record) => Object.fromEntries(Object.entries(record).reverse());
const withUnknown: Change = (record) => ({ ...record, zebra: 1 });
const withInnerUnknown: Change = (record) => ({
  ...record,
  customer: { name: 'a', email: 'b', phone_number: 'c', d: 1 },
});
const without: Change = ({ url_status, ...record }) => ({ ...record, other: url_status });

const twice = (text: string) => text.replace('"amount":', '"amount":"0.001","amount":');

const anyText = fc
  .tuple(
    anyRecord,
    anyStyle,
    fc.constantFrom(same, same, same, same, same, same, inOtherOrder, withUnknown, withInnerUnknown, without),
    fc.constantFrom(String, String, String, String, String, String, String, twice),
  )
  .map(([record, style, change, last]) => last(printed(change(record), style)));

describe('a page of generated records', () => {
  it('is left to the parser, or has the lines and figures of the parsed records', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 3 }), REDACT_MORE, (records, redact) => {
        const { isTaken, transcoded, parsed } = bothWays(answerOf(...records), redact);
        if (isTaken) taken += 1;
        expect(transcoded).toEqual(parsed);
      }),
      runs(1_000),
    );
    expect(taken).toBeGreaterThan(runs(1_000).numRuns / 15);
  });

  it('is never left to the parser when its records are as the contract shows them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(usualRecord, easyStyle), { maxLength: 3 }), REDACT, (records, redact) => {
        const texts = records.map(([record, style]) => printed(record, style));
        const { isTaken, transcoded, parsed } = bothWays(answerOf(...texts), redact);
        expect(isTaken).toBe(true);
        expect(transcoded).toEqual(parsed);
      }),
      runs(500),
    );
  });

  it('is printed as JSON.stringify prints it, when nothing is asked for', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(printed(record, PLAIN)).toBe(JSON.stringify(record));
      }),
      runs(100),
    );
  });
});
