import { describe, expect, it } from 'vitest';
import { CHARGE_COLUMNS, ChargeTotals, bornCharges, chargesSchema } from '#records/figures/charges.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';

const PAID = { admin_charge: '0.250', service_charge: '0.100' };
const SEALED = [
  { column: 'admin_charge', total: '900719925474099.301' },
  { column: 'service_charge', total: '-0.002' },
] as const;

describe('the charges that the merchant bears', () => {
  it('are the exact sum of the columns that the registry names, and of no other', () => {
    expect(bornCharges(SEALED, CHARGE_COLUMNS)).toEqual({
      kind: 'known',
      columns: CHARGE_COLUMNS,
      total: '900719925474099.299',
    });
    expect(bornCharges(SEALED, ['service_charge'])).toMatchObject({ total: '-0.002' });
  });

  it('are none when the registry names no column, whatever is sealed', () => {
    for (const sealed of [SEALED, [], null, undefined]) {
      expect(bornCharges(sealed, [])).toEqual({ kind: 'none' });
    }
  });

  it.each([
    ['nobody knows which invoices are paid', null, 'states'],
    ['the page is of an earlier version', undefined, 'not-sealed'],
    ['a column is unknown', [{ column: 'admin_charge', total: null }], 'column'],
    ['a column is missing', [], 'column'],
  ] as const)('are unknown when %s', (_when, sealed, why) => {
    expect(bornCharges(sealed, ['admin_charge'])).toEqual({ kind: 'unknown', why });
  });

  it.each([
    ['redacted', PAID, ['service_charge']],
    ['missing', { admin_charge: '0.250' }, []],
    ['a number', { ...PAID, service_charge: 0.25 }, []],
    ['no amount of the contract', { ...PAID, service_charge: '0.25' }, []],
    ['words', { ...PAID, service_charge: 'free' }, []],
  ] as const)('have no total in a column in which one is %s', (_what, row, redact) => {
    const totals = new ChargeTotals();
    for (const each of [PAID, row, PAID]) {
      const columns = redactedColumns([...redact]);
      takeSealedRow(JSON.stringify(each), columns, (members) => {
        totals.add(members);
      });
    }
    expect(totals.totals()).toContainEqual({ column: 'service_charge', total: null });
  });
});

it.each([
  [[], true],
  [['admin_charge'], true],
  [['service_charge', 'admin_charge'], true],
  [['admin_charge', 'admin_charge'], false],
  [['discount'], false],
  ['admin_charge', false],
  [[7], false],
])('the columns of charges in the registry %j are usable: %s', (columns, usable) => {
  expect(chargesSchema.safeParse(columns).success).toBe(usable);
});
