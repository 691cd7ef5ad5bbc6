import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { MisplacedInvoices } from '#records/balance/misplaced-invoices.ts';
import { invoiceSchema, type Invoice } from '#records/rows/contract-records.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';

function invoice(change: Record<string, unknown>): Invoice {
  return invoiceSchema.parse({ ...invoiceRecord(), ...change });
}

function foundIn(invoices: readonly Invoice[], invoiceType = '1') {
  const misplaced = new MisplacedInvoices(DAY);
  for (const one of invoices) misplaced.add([one], invoiceType);
  return misplaced.found();
}

it('the day of an invoice is another one if the requested day is not between its creation and its last update', () => {
  const daysAround = fc.integer({ min: -3, max: 3 });
  const time = fc.constantFrom('00:00:00', '11:59:59', '23:59:59');
  const life = fc.record({ created: daysAround, age: fc.nat(5), at: time, until: time });
  forAll([fc.array(life, { maxLength: 20 })], (lives) => {
    const invoices = lives.map(({ created, age, at, until }, id) =>
      invoice({
        id,
        created_at: `${addDays(DAY, created)} ${at}`,
        updated_at: `${addDays(DAY, created + age)} ${until}`,
      }),
    );
    const { otherDay, perhapsOtherDay } = foundIn(invoices);
    const isOther = ({ created, age }: (typeof lives)[number]) => created > 0 || created + age < 0;
    expect(otherDay.count).toBe(lives.filter(isOther).length);
    expect(perhapsOtherDay.count).toBe(
      lives.filter((one) => one.created < 0 && one.created + one.age >= 0).length,
    );
    const ids = lives.flatMap((one, id) => (isOther(one) ? [String(id)] : []));
    expect(otherDay.ids).toEqual(ids.slice(0, 5));
  });
});

describe('the type of an invoice', () => {
  it('is compared with the requested type, in any spelling', () => {
    expect(foundIn([invoice({ invoice_type: 1 })], '0001').otherTypes).toEqual([]);
    expect(foundIn([invoice({ invoice_type: 0, id: 7 }), invoice({ invoice_type: 1 })]).otherTypes).toEqual([
      { invoiceType: '1', rows: 2, count: 1, ids: ['7'] },
    ]);
    const large = JSON.rawJSON('10000000000000000000000001');
    expect(foundIn([invoice({ invoice_type: large })]).otherTypes).toMatchObject([{ count: 1 }]);
  });

  it('is reported with the first ids, and an id of any length takes little space', () => {
    const id = JSON.rawJSON('9'.repeat(100));
    const [type] = foundIn(Array.from({ length: 9 }, () => invoice({ invoice_type: 6, id }))).otherTypes;
    expect(type).toMatchObject({ count: 9, ids: Array.from({ length: 5 }, () => `${'9'.repeat(40)}…`) });
  });
});
