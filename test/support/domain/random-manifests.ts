import fc from 'fast-check';
import { addDays } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { sealedManifest } from './sealed-manifest.ts';

const thousandths = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 18n });
const count = fc.integer({ min: 0, max: 1_000_000 });
const amount = thousandths.map(formatAmount);
const statusNames = fc.constantFrom('approved', 'pending', 'rejected', 'other');
const someRefunds = fc.record({
  count,
  total: amount,
  byStatus: fc.dictionary(statusNames, fc.record({ count, total: amount }), { maxKeys: 4 }),
});
const counted = fc.record({ count, amount });
const states = fc.record({ paid: counted, notPaid: counted, cancelled: counted, other: counted });

/** Once in twenty times it is not known. */
const mostly = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 20 });
const charges = fc.tuple(mostly(amount), mostly(amount)).map(([admin, service]) => [
  { column: 'admin_charge' as const, total: admin },
  { column: 'service_charge' as const, total: service },
]);
const type = fc.constantFrom('1', '0', '6', '7');
const method = fc.constantFrom('KNET', 'CARD', null);
const breakdown = fc.record({
  byType: fc.uniqueArray(fc.record({ type, all: counted, states: fc.option(states) }), {
    selector: (one) => one.type,
  }),
  byMethod: fc.option(
    fc.uniqueArray(fc.record({ method, count, amount }), { selector: (one) => one.method }),
  ),
  charges: mostly(charges),
});

const content = fc.record({
  revision: fc.integer({ min: 1, max: 40 }),
  balanced: fc.boolean(),
  counts: fc.record({
    total: mostly(count),
    paid: mostly(count),
    notPaid: count,
    cancelled: count,
    other: count,
  }),
  amounts: mostly(fc.record({ paid: amount, notPaid: amount, cancelled: amount, other: amount })),
  refunds: fc.tuple(someRefunds, someRefunds).map(([refunds, saleBasis]) => ({ ...refunds, saleBasis })),
  breakdown: mostly(breakdown),
  received: mostly(
    fc.record({ count, sum: amount, charges }).map((received) => ({
      ...received,
      ofEarlier: { count: 0, sum: '0.000' },
      byMethod: [{ method: 'KNET', count: received.count, amount: received.sum }],
      basis: { paidOn: received.count, seen: 0, otherCurrency: 0 },
    })),
  ),
});

/** Sealed days of a merchant on some of `days` dates, at most one a day, in any order. */
export function randomManifests(from: string, days: number): fc.Arbitrary<Manifest[]> {
  return fc
    .array(fc.option(content, { freq: 5 }), { minLength: days, maxLength: days })
    .map((list) =>
      list.flatMap((one, index): Manifest[] =>
        one === null ? [] : [{ ...sealedManifest(), ...one, day: addDays(from, index) }],
      ),
    )
    .chain((pages) => fc.shuffledSubarray(pages, { minLength: pages.length, maxLength: pages.length }));
}
