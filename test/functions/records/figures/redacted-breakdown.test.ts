import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { redactedBreakdown } from '#records/figures/breakdown.ts';
import { redacted, redactedColumns } from '#records/rows/redaction.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';

const PAID = 1;
const SETTINGS = { invoiceTypes: ['0', '1'], invoiceStatuses: { '0': 'not_paid', '1': 'paid' } } as const;
const COLUMNS = [
  'transaction',
  'Transaction_Payment_Type',
  'admin_charge',
  'service_charge',
  'customer_name',
];

const row = fc.record({
  type: fc.constantFrom('0', '1'),
  invoice_status: fc.constantFrom(0, PAID),
  amount: fc.constantFrom('1.250', '20.000', '0.001'),
  payment: fc.constantFrom('KNET', 'Visa', 'Apple Pay', ''),
  admin_charge: fc.constantFrom('0.100', '0.250', null),
  service_charge: fc.constantFrom('0.000', '0.050'),
});

type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

function breakdownOf(rows: readonly Row[], redact: readonly string[]): Breakdown {
  const tally = new BreakdownTally({ ...SETTINGS, invoiceTypes: [...SETTINGS.invoiceTypes] });
  const columns = redactedColumns(redact);
  for (const { type, payment, ...members } of rows) {
    const transaction = { payment_type: payment };
    const record = { ...invoiceRecord(), ...members, transaction };
    tally.add(type, members, redacted(record, columns));
  }
  return tally.breakdown();
}

test('a breakdown that is redacted later is that of a day that was redacted before', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.subarray(COLUMNS), (rows, redact) => {
      const sealed = breakdownOf(rows, []);
      expect(redactedBreakdown(sealed, redactedColumns(redact))).toEqual(breakdownOf(rows, redact));
    }),
  );
});

test('a breakdown without states stays without methods and charges', () => {
  const unknown: Breakdown = { byType: [], byMethod: null, charges: null };
  expect(redactedBreakdown(unknown, redactedColumns(COLUMNS))).toEqual(unknown);
});
