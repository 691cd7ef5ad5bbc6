import { describe, expect, it } from 'vitest';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import { MOST_NAMED, breakdownSchema, redactedBreakdown } from '#records/figures/breakdown.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { TypeSettings } from '#records/figures/invoice-state-totals.ts';
import { isMembers, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { redacted, redactedColumns } from '#records/rows/redaction.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled', '4': 'paid', '5': 'other' } as const;
const SETTINGS: TypeSettings = { invoiceTypes: ['1', '0', '6', '7'], invoiceStatuses: STATUSES };
const STATES = { 0: 'notPaid', 1: 'paid', 3: 'cancelled', 4: 'paid', 5: 'other', 8: 'other' } as const;

interface Sent {
  type: string;
  status: keyof typeof STATES;
  amount: string;
  /** JSON of `transaction.payment_type`. */
  payment: string;
  admin: string;
  service: string;
}

const A_PAID: Sent = {
  type: '1',
  status: 1,
  amount: '12.500',
  payment: '"KNET"',
  admin: '0.150',
  service: '0.100',
};

/** The record as it comes from the service: parsed, with every member of the contract. */
function recordOf(sent: Sent): Members {
  const json = JSON.stringify(
    invoiceRecord({
      invoice_status: sent.status,
      amount: sent.amount,
      admin_charge: sent.admin,
      service_charge: sent.service,
      transaction: { ...Object(invoiceRecord()['transaction']), payment_type: 'HERE' },
    }),
  );
  const record = parseExactJson(json.replace('"HERE"', () => sent.payment));
  return isMembers(record) ? record : {};
}

const rowOf = (sent: Sent, redact: readonly string[] = []) =>
  redacted(recordOf(sent), redactedColumns(redact));

function pulled(rows: readonly Sent[], settings = SETTINGS, redact: readonly string[] = []): Breakdown {
  const tally = new BreakdownTally(settings);
  for (const sent of rows) {
    tally.add(sent.type, { invoice_status: sent.status, amount: sent.amount }, rowOf(sent, redact));
  }
  return tally.breakdown();
}

/** @param redact what the registry redacts when the rows are read */
function sealed(
  rows: readonly Sent[],
  settings = SETTINGS,
  sealedWith: readonly string[] = [],
  redact: readonly string[] = sealedWith,
): Breakdown {
  const tally = new BreakdownTally(settings);
  for (const sent of rows) {
    const own = beginningsOf({ merchantCode: '700001', day: '2026-11-20', queryType: sent.type });
    const { json } = new RowLines('invoices', new Map()).of(rowOf(sent, sealedWith), own);
    takeSealedRow(json.toString(), redactedColumns(redact), (row) => tally.addSealed(row));
  }
  return tally.breakdown();
}

const thousandths = (amount: string) => BigInt(amount.replace('.', ''));

/** The number and the sum, by code of its own. */
function summed(rows: readonly Sent[]) {
  const sum = rows.reduce((all, { amount }) => all + thousandths(amount), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(4, '0');
  return {
    count: rows.length,
    amount: `${sum < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`,
  };
}

const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((units) => `${units}.125`);
const anySent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom('1', '0', '6', '7', '9', '12'),
  status: fc.constantFrom(0, 1, 3, 4, 5, 8),
  amount,
  payment: fc.oneof(fc.constantFrom('"KNET"', '"Apple Pay"', '"بطاقة"', '2', '"2"', 'null', '""'), fc.json()),
  admin: amount,
  service: amount,
});
const rows = fc.array(anySent, { maxLength: 40 });
const isPaid = ({ status }: Sent) => STATES[status] === 'paid';

describe('for any rows, the breakdown has', () => {
  it('exact numbers and sums of each type and state', () =>
    forAll([rows], (all) => {
      const { byType } = pulled(all);
      const others = new Set(all.map(({ type }) => type).filter((type) => type === '9' || type === '12'));
      const types = [
        ...['1', '0', '6', '7'].filter((type) => all.some((row) => row.type === type)),
        ...others,
      ];
      expect(byType.map(({ type }) => type)).toEqual(types);
      for (const each of byType) {
        const ofType = all.filter(({ type }) => type === each.type);
        expect(each.all).toEqual(summed(ofType));
        for (const state of INVOICE_STATES) {
          const inState = ofType.filter(({ status }) => STATES[status] === state);
          expect(each.states?.[state]).toEqual(summed(inState));
        }
      }
    }));

  it('exact numbers and sums of each method of the paid ones, sorted, with the unknown ones last', () =>
    forAll([rows], (all) => {
      const named = {
        '"KNET"': 'KNET',
        '"Apple Pay"': 'Apple Pay',
        '"بطاقة"': 'بطاقة',
        '2': '2',
        '"2"': '2',
      };
      const known: Record<string, string> = named;
      const plain = all.filter(({ payment }) => payment in named || payment === 'null' || payment === '""');
      const paid = plain.filter(isPaid);
      const methods = [...new Set(paid.map(({ payment }) => known[payment] ?? null))];
      const names = methods.filter((method) => method !== null).sort();
      const expected = [...names, ...(methods.includes(null) ? [null] : [])].map((method) => ({
        method,
        ...summed(paid.filter(({ payment }) => (known[payment] ?? null) === method)),
      }));
      expect(pulled(plain).byMethod).toEqual(expected);
    }));

  it('exact sums of each charge of the paid ones', () =>
    forAll([rows], (all) => {
      const sumOf = (column: 'admin' | 'service') =>
        summed(all.filter(isPaid).map((row) => ({ ...row, amount: row[column] }))).amount;
      expect(pulled(all).charges).toEqual([
        { column: 'admin_charge', total: sumOf('admin') },
        { column: 'service_charge', total: sumOf('service') },
      ]);
    }));

  it('the same content from a pull and from the sealed rows, whatever is redacted', () => {
    const columns = ['transaction', 'Transaction_Payment_Type', 'admin_charge', 'SERVICE_CHARGE', 'customer'];
    forAll([rows, fc.subarray(columns), fc.boolean()], (all, redact, namesStates) => {
      const settings = namesStates ? SETTINGS : { ...SETTINGS, invoiceStatuses: undefined };
      const found = pulled(all, settings, redact);
      expect(sealed(all, settings, redact)).toEqual(found);
      // The files may be older than the entry in the registry, and so may the breakdown itself.
      expect(sealed(all, settings, [], redact)).toEqual(found);
      expect(redactedBreakdown(pulled(all, settings), redactedColumns(redact))).toEqual(found);
    });
  });

  it('what its schema allows, and it is read from a manifest as it was sealed', () =>
    forAll([rows], (all) => {
      const found = pulled(all);
      expect(breakdownSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
    }));
});

describe('the breakdown of a day', () => {
  it('has types alone when the registry does not name the statuses', () => {
    expect(pulled([A_PAID, A_PAID], { invoiceTypes: ['1'] })).toEqual({
      byType: [{ type: '1', all: { count: 2, amount: '25.000' }, states: null }],
      byMethod: null,
      charges: null,
    });
  });

  it.each([['transaction'], ['transaction_payment_type'], ['TRANSACTION_Payment_Type']])(
    'does not say how invoices were paid when %s is redacted',
    (column) => {
      const found = pulled([A_PAID, { ...A_PAID, payment: '"Visa"' }], SETTINGS, [column]);
      expect(found.byMethod).toEqual([{ method: null, count: 2, amount: '25.000' }]);
    },
  );

  it('does not say what a redacted charge comes to', () => {
    expect(pulled([A_PAID], SETTINGS, ['admin_charge']).charges).toEqual([
      { column: 'admin_charge', total: null },
      { column: 'service_charge', total: '0.100' },
    ]);
  });

  it('names the largest of very many methods, and adds up all others', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ ...A_PAID, payment: `"method ${index}"` }));
    const { byMethod } = pulled([
      ...many,
      { ...A_PAID, payment: '"method 7"' },
      { ...A_PAID, payment: 'null' },
    ]);
    expect(byMethod).toHaveLength(MOST_NAMED + 1);
    expect(byMethod).toContainEqual({ method: 'method 7', count: 2, amount: '25.000' });
    expect(byMethod?.at(-1)).toEqual({ method: null, count: 2_981, amount: '37262.500' });
  });

  it('names the largest of very many types in the order of the registry', () => {
    const invoiceTypes = Array.from({ length: 30 }, (_, index) => String(100 - index));
    const one = invoiceTypes.toReversed().map((type) => ({ ...A_PAID, type }));
    const { byType } = pulled([...one, ...one.slice(0, MOST_NAMED)], { ...SETTINGS, invoiceTypes });
    expect(byType.map(({ type }) => type)).toEqual([...invoiceTypes.slice(10), null]);
    expect(byType.at(-1)?.all).toEqual({ count: 10, amount: '125.000' });
  });

  it('reads `_query_type` of a sealed row only, never one that the service sent', () => {
    const tally = new BreakdownTally(SETTINGS);
    tally.add('6', { invoice_status: 1, amount: '1.000' }, { ...rowOf(A_PAID), _query_type: '0' });
    expect(tally.breakdown().byType.map(({ type }) => type)).toEqual(['6']);
  });

  it.each([
    ['type', { invoice_status: 1, amount: '1.000' }],
    ['status', { _query_type: '1', amount: '1.000' }],
    ['amount', { _query_type: '1', invoice_status: 1 }],
  ])('is not made of a sealed line without its %s', (_what, row) => {
    const tally = new BreakdownTally(SETTINGS);
    const take = () => takeSealedRow(JSON.stringify(row), new Set(), (members) => tally.addSealed(members));
    expect(take).toThrow(SealedLineError);
  });
});
