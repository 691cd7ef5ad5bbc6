import { describe, expect, it } from 'vitest';
import { OWN_COLUMNS, csvColumns } from '#domain/records/row-shape.ts';
import { invoiceLayout } from '#domain/transcoding/row-layout.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { membersOf } from '#support/assertions/members.ts';

const { values, after } = invoiceLayout();

/** Every value of a record in the contract's order. */
function valuesOf(record: Record<string, unknown>): unknown[] {
  return Object.entries(record).flatMap(([name, value]) =>
    ['transaction', 'customer', 'created_by_merchant'].includes(name)
      ? Object.values(membersOf(value))
      : [value],
  );
}

describe('the layout of an invoice', () => {
  it('has the columns of the CSV in their order, without Daybook’s own', () => {
    expect(values.map(({ column }) => column)).toEqual(csvColumns('invoices').slice(OWN_COLUMNS.length));
  });

  it('is the text around the values of a record in the contract’s order', () => {
    const parts = valuesOf(invoiceRecord()).map(
      (value, index) => `${Buffer.from(values[index]?.before ?? []).toString()}${JSON.stringify(value)}`,
    );
    expect(parts).toHaveLength(values.length);
    expect(`${parts.join('')}${Buffer.from(after).toString()}`).toBe(JSON.stringify(invoiceRecord()));
  });

  it('knows the kind of each value', () => {
    const columns = Map.groupBy(values, ({ kind }) => kind);
    const namesOf = (kind: (typeof values)[number]['kind']) => columns.get(kind)?.map(({ column }) => column);
    expect(namesOf('amount')).toEqual(['amount', 'admin_charge', 'service_charge', 'discount']);
    expect(namesOf('date')).toEqual(['expires_at']);
    expect(namesOf('datetime')).toEqual(['created_at', 'updated_at']);
    expect(namesOf('texts')).toEqual(['payment_method']);
    expect(namesOf('list')).toEqual(['products']);
    expect(namesOf('text or null')).toEqual(['spliturl']);
    expect(namesOf('open')).toEqual([
      'rentperiod',
      ...Object.keys(membersOf(invoiceRecord()['transaction'])).map((name) => `transaction_${name}`),
    ]);
    expect(namesOf('integer')).toHaveLength(12);
    expect(namesOf('text')).toHaveLength(13);
  });

  it('is made once', () => {
    expect(invoiceLayout()).toBe(invoiceLayout());
  });
});
