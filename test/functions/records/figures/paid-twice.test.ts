import { describe, expect, it } from 'vitest';
import { PaidTwiceFinder } from '#records/figures/paid-twice.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const NAMES = { 0: 'not_paid', 1: 'paid' } as const;

function invoice(id: number, changes: object = {}, customer: object = {}) {
  return {
    _query_type: '1',
    id,
    amount: '5.000',
    invoice_status: 1,
    reference_number: 'R-1',
    customer: { name: 'Noura', email: 'noura@example.com', phone_number: '96555500001', ...customer },
    ...changes,
  };
}

function found(rows: ReturnType<typeof invoice>[]) {
  const finder = new PaidTwiceFinder(NAMES);
  for (const row of rows) finder.add(row);
  return finder.found();
}

describe('invoices that may have been paid twice', () => {
  it('are paid, and have the same reference, amount and customer', () => {
    expect(found([invoice(1), invoice(2, { reference_number: 'R-2' }), invoice(3), invoice(4)])).toEqual({
      count: 2,
      first: [
        { ids: ['1', '3'], amount: '5.000' },
        { ids: ['1', '4'], amount: '5.000' },
      ],
    });
  });

  it.each<[string, object, object]>([
    ['not paid', { invoice_status: 0 }, {}],
    ['of another amount', { amount: '5.001' }, {}],
    ['of another reference', { reference_number: 'R-2' }, {}],
    ['of another customer', {}, { phone_number: '96555500002' }],
    ['of a customer who is redacted', { customer: null }, {}],
  ])('are none when one is %s', (_what, changes, customer) => {
    expect(found([invoice(1), invoice(2, changes, customer)]).count).toBe(0);
  });

  it.each<[string, object, object]>([
    ['an empty reference', { reference_number: ' ' }, {}],
    ['a redacted reference', { reference_number: null }, {}],
    ['no customer', {}, { name: '', email: ' ', phone_number: '' }],
  ])('are none when both have %s', (_what, changes, customer) => {
    expect(found([invoice(1, changes, customer), invoice(2, changes, customer)]).count).toBe(0);
  });

  it('are of one customer by the phone number, else by the address, else by the name', () => {
    expect(found([invoice(1), invoice(2, {}, { name: 'N.', email: '' })]).count).toBe(1);
    const mail = { phone_number: '', name: 'N.', email: 'Noura@Example.com ' };
    expect(found([invoice(1, {}, { phone_number: '' }), invoice(2, {}, mail)]).count).toBe(1);
    const name = { phone_number: '', email: '' };
    expect(found([invoice(1, {}, name), invoice(2, {}, name)]).count).toBe(1);
  });

  it.each<[string, object, object]>([
    ['the reference', { reference_number: 1201 }, { reference_number: '1201' }],
    [
      'a long reference',
      { reference_number: JSON.rawJSON('12345678901234567890') },
      { reference_number: '12345678901234567890' },
    ],
    ['the phone number', { customer: { phone_number: 96555500001 } }, {}],
    ['zeros before the amount', { amount: '05.000' }, {}],
  ])('are the same when the service writes %s in another form', (_what, one, other) => {
    expect(found([invoice(1, one), invoice(2, other)]).count).toBe(1);
  });

  it('are not known when the registry does not say which are paid', () => {
    const finder = new PaidTwiceFinder(undefined);
    finder.add(invoice(1));
    finder.add(invoice(2));
    expect(finder.found().count).toBe(0);
  });

  it('are looked for among the first 250,000 and not beyond: memory is bounded', () => {
    const finder = new PaidTwiceFinder(NAMES);
    const of = (reference: number) => invoice(reference, { reference_number: reference });
    for (let reference = 1; reference <= 250_001; reference += 1) finder.add(of(reference));
    finder.add(of(250_001));
    expect(finder.found().count).toBe(0);
    finder.add(of(250_000));
    expect(finder.found().count).toBe(1);
  });

  it('are as many as a simple count finds, in any order', () => {
    const row = fc.record({ reference: fc.constantFrom('', 'A', 'B'), status: fc.nat({ max: 1 }) });
    forAll([fc.array(row, { maxLength: 30 })], (rows) => {
      const invoices = rows.map(({ reference, status }, id) =>
        invoice(id, { reference_number: reference, invoice_status: status }),
      );
      const paid = rows.filter(({ reference, status }) => status === 1 && reference !== '');
      const wanted = paid.length - new Set(paid.map(({ reference }) => reference)).size;
      expect(found(invoices).count).toBe(wanted);
      expect(found(invoices.toReversed()).count).toBe(wanted);
    });
  });
});
