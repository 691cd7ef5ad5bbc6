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

/** What differs from one sealed day to another. */
const content = fc.record({
  revision: fc.integer({ min: 1, max: 40 }),
  balanced: fc.boolean(),
  counts: fc.record({
    total: fc.option(count, { freq: 20 }),
    paid: fc.option(count, { freq: 20 }),
    notPaid: count,
    cancelled: count,
    other: count,
  }),
  amounts: fc.option(fc.record({ paid: amount, notPaid: amount, cancelled: amount, other: amount }), {
    freq: 20,
  }),
  refunds: fc.tuple(someRefunds, someRefunds).map(([refunds, saleBasis]) => ({ ...refunds, saleBasis })),
  breakdown: fc.option(
    fc.record({
      byType: fc.uniqueArray(
        fc.record({ type: fc.constantFrom('1', '0', '6', '7'), all: counted, states: fc.option(states) }),
        { selector: ({ type }) => type },
      ),
      byMethod: fc.option(
        fc.uniqueArray(fc.record({ method: fc.constantFrom('KNET', 'CARD', null), count, amount }), {
          selector: ({ method }) => method,
        }),
      ),
      charges: fc.option(
        fc.tuple(fc.option(amount, { freq: 20 }), fc.option(amount, { freq: 20 })).map(([admin, service]) => [
          { column: 'admin_charge' as const, total: admin },
          { column: 'service_charge' as const, total: service },
        ]),
        { freq: 20 },
      ),
    }),
    { freq: 20 },
  ),
  received: fc.option(
    fc
      .tuple(count, amount, fc.option(amount, { freq: 20 }), fc.option(amount, { freq: 20 }))
      .map(([number, sum, admin, service]) => ({
        count: number,
        sum,
        ofEarlier: { count: 0, sum: '0.000' },
        byMethod: [{ method: 'KNET', count: number, amount: sum }],
        charges: [
          { column: 'admin_charge' as const, total: admin },
          { column: 'service_charge' as const, total: service },
        ],
        basis: { paidOn: number, seen: 0, otherCurrency: 0 },
      })),
    { freq: 20 },
  ),
});

/**
 * Sealed days of a merchant from one date on, at most one a day and not each day, in any order.
 *
 * @param days how many dates there are
 */
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
