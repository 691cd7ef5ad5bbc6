import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHARGE_COLUMNS, ChargeSum, chargesSchema, unreadCharges } from '#records/figures/charges.ts';
import type { ChargeSettings, DayCharges } from '#records/figures/charges.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';

const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled', '4': 'paid' } as const;
const BOTH: ChargeSettings = { charges: CHARGE_COLUMNS, invoiceStatuses: STATUSES };
const PAID = { invoice_status: 1, admin_charge: '0.250', service_charge: '0.100' };

function chargesOf(
  rows: readonly object[],
  settings: ChargeSettings = BOTH,
  redact: string[] = [],
): DayCharges {
  const sum = new ChargeSum(settings);
  for (const row of rows) {
    takeSealedRow(JSON.stringify(row), redactedColumns(redact), (members) => sum.add(members));
  }
  return sum.charges();
}

const charge = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((units) => `${units}.125`);
const rows = fc.array(
  fc.record({
    invoice_status: fc.constantFrom(0, 1, 3, 4, 8),
    admin_charge: charge,
    service_charge: charge,
  }),
  { maxLength: 30 },
);
const thousandths = (amount: string) => BigInt(amount.replace('.', ''));

describe('the charges of a day', () => {
  it('are the exact sum of the named columns over the paid invoices, and over no other', () => {
    fc.assert(
      fc.property(rows, fc.subarray([...CHARGE_COLUMNS], { minLength: 1 }), (all, charges) => {
        const found = chargesOf(all, { charges, invoiceStatuses: STATUSES });
        const expected = all
          .filter(({ invoice_status: status }) => status === 1 || status === 4)
          .flatMap((row) => charges.map((column) => thousandths(row[column])))
          .reduce((sum, each) => sum + each, 0n);
        expect(found.kind === 'known' && thousandths(found.total)).toBe(expected);
      }),
    );
  });

  it('are none when the registry names no column, whatever the rows hold', () => {
    expect(chargesOf([PAID], { charges: [], invoiceStatuses: STATUSES })).toEqual({ kind: 'none' });
    expect(unreadCharges([])).toEqual({ kind: 'none' });
  });

  it('are unknown when the registry does not say which invoices are paid', () => {
    expect(chargesOf([PAID], { ...BOTH, invoiceStatuses: undefined })).toEqual({
      kind: 'unknown',
      why: 'states',
    });
  });

  it.each([
    ['redacted', PAID, ['service_charge']],
    ['missing', { invoice_status: 1, admin_charge: '0.250' }, []],
    ['a number', { ...PAID, admin_charge: 0.25 }, []],
    ['no amount of the contract', { ...PAID, admin_charge: '0.25' }, []],
    ['words', { ...PAID, admin_charge: 'free' }, []],
  ] as const)('are unknown when one of a paid invoice is %s', (_what, row, redact) => {
    expect(chargesOf([PAID, row, PAID], BOTH, [...redact])).toEqual({ kind: 'unknown', why: 'column' });
  });

  it('are known when only an unpaid invoice has no charge', () => {
    expect(chargesOf([PAID, { invoice_status: 0, admin_charge: null }])).toEqual({
      kind: 'known',
      columns: CHARGE_COLUMNS,
      total: '0.350',
    });
  });

  it('are unknown when the invoices were not read', () => {
    expect(unreadCharges(['admin_charge'])).toEqual({ kind: 'unknown', why: 'not-read' });
  });
});

describe('the columns of charges in the registry', () => {
  it.each([
    [[], true],
    [['admin_charge'], true],
    [['service_charge', 'admin_charge'], true],
    [['admin_charge', 'admin_charge'], false],
    [['discount'], false],
    ['admin_charge', false],
    [[7], false],
  ])('%j are usable: %s', (columns, usable) => {
    expect(chargesSchema.safeParse(columns).success).toBe(usable);
  });
});
