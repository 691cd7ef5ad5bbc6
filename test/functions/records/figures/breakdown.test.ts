import { addBreakdowns, MOST_NAMED, breakdownSchema } from '#records/figures/breakdown.ts';
import type { Breakdown, CountAndAmount, TypeBreakdown } from '#records/figures/breakdown.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { AmountError } from '#records/money/money.ts';
import { sumOfTexts } from '#support/records/records.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const amount = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .map((sum) => `${sum}.125`)
  .map((text) => text.replace('-0.', '0.'));
const size: fc.Arbitrary<CountAndAmount> = fc.record({ count: fc.nat({ max: 1_000 }), amount });
const states = fc.record({ paid: size, notPaid: size, cancelled: size, other: size });

/** At most a few names, so that they meet; `null` is last, as in every breakdown. */
function listOf<Part>(names: fc.Arbitrary<string[]>, partOf: (name: string | null) => fc.Arbitrary<Part>) {
  return fc
    .tuple(names, fc.boolean())
    .chain(([all, hasOthers]) => fc.tuple(...[...all, ...(hasOthers ? [null] : [])].map(partOf)));
}

const typeOf = (type: string | null) =>
  fc.record({ type: fc.constant(type), all: size, states: fc.option(states, { freq: 8 }) });
const methodOf = (method: string | null) => size.map((each) => ({ method, ...each }));
const names = (few: readonly string[]) => fc.subarray([...few]);
const charges = fc
  .tuple(...CHARGE_COLUMNS.map(() => fc.option(amount, { freq: 8 })))
  .map((totals) => CHARGE_COLUMNS.map((column, index) => ({ column, total: totals[index] ?? null })));

const breakdown: fc.Arbitrary<Breakdown> = fc.record({
  byType: listOf(names(['1', '0', '6', '7', '12']), typeOf),
  byMethod: fc.option(listOf(names(['KNET', 'Apple Pay', 'بطاقة', '2']), methodOf), { freq: 12 }),
  charges: fc.option(charges, { freq: 12 }),
});
const breakdowns = fc.array(breakdown, { maxLength: 8 });

/** The sum of counts and amounts, by another way. */
const sumOf = (parts: readonly CountAndAmount[]) => ({
  count: parts.reduce((all, { count }) => all + count, 0),
  amount: sumOfTexts(parts.map((part) => part.amount)),
});

/** Each once, and the unknown one last. */
const nullLast = (names: readonly (string | null)[]) =>
  [...new Set(names)].sort((one, other) => Number(one === null) - Number(other === null));

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const sortedTypes = (each: Breakdown) => ({ ...each, byType: each.byType.toSorted(byText) });

describe('for any breakdowns, the sum has', () => {
  it('the exact sum of each type and state; a state that is unknown once stays unknown', () =>
    forAll([breakdowns], (list) => {
      const parts = list.flatMap(({ byType }) => byType);
      const expected = nullLast(parts.map(({ type }) => type)).map((type) => {
        const same = parts.filter((part) => part.type === type);
        const known = same.flatMap((part) => part.states ?? []);
        const states = ofEachState((state) => sumOf(known.map((each) => each[state])));
        const all = sumOf(same.map((part) => part.all));
        return { type, all, states: known.length < same.length ? null : states };
      });
      expect(addBreakdowns(list).byType).toEqual(expected);
    }));

  it('the exact sum of each method, sorted by name; if one has no methods, the sum has none', () =>
    forAll([breakdowns], (list) => {
      const parts = list.flatMap((each) => each.byMethod ?? []);
      const names = parts.map(({ method }) => method).sort();
      const sums = nullLast(names).map((method) => ({
        method,
        ...sumOf(parts.filter((part) => part.method === method)),
      }));
      const isKnown = list.every(({ byMethod }) => byMethod !== null);
      expect(addBreakdowns(list).byMethod).toEqual(isKnown ? sums : null);
    }));

  it('the exact sum of each charge; a charge that is unknown once stays unknown', () =>
    forAll([breakdowns], (list) => {
      const sums = CHARGE_COLUMNS.map((column) => {
        const totals = list.map((each) => each.charges?.find((charge) => charge.column === column)?.total);
        return { column, total: sumOfTexts(totals) };
      });
      const isKnown = list.every((each) => each.charges !== null);
      expect(addBreakdowns(list).charges).toEqual(isKnown ? sums : null);
    }));

  it('the same content when it is added up in two steps, and when it was sealed in between', () =>
    forAll([breakdowns, breakdowns], (some, others) => {
      const step = breakdownSchema.parse(JSON.parse(JSON.stringify(addBreakdowns(some))));
      const inSteps = addBreakdowns([step, ...others]);
      expect(sortedTypes(inSteps)).toEqual(sortedTypes(addBreakdowns([...some, ...others])));
    }));
});

describe('the sum of breakdowns with more names than are kept', () => {
  const NAMES = Array.from({ length: 45 }, (_, index) => `name ${index}`);
  const wide: fc.Arbitrary<Breakdown[]> = fc.array(
    fc.record({
      byType: listOf(fc.subarray(NAMES, { maxLength: MOST_NAMED }), typeOf),
      byMethod: listOf(fc.subarray(NAMES, { maxLength: MOST_NAMED }), methodOf),
      charges,
    }),
    { minLength: 3, maxLength: 6 },
  );

  it('names the largest, and adds up all others without a name', () =>
    forAll([wide], (list) => {
      const parts = list.flatMap((each) => each.byMethod ?? []);
      const found = addBreakdowns(list).byMethod ?? [];
      const ofName = Map.groupBy(parts, ({ method }) => method);
      ofName.delete(null);
      const counts = [...ofName.values()].map((same) => same.reduce((all, { count }) => all + count, 0));
      const largest = counts.sort((one, other) => other - one).slice(0, MOST_NAMED);
      const named = found.filter(({ method }) => method !== null);
      expect(named.map(({ count }) => count).sort((one, other) => other - one)).toEqual(largest);
      const kept = new Set(named.map(({ method }) => method));
      const rest = parts.filter(({ method }) => method === null || !kept.has(method));
      const others = rest.length > 0 ? [{ method: null, ...sumOf(rest) }] : [];
      expect(found.slice(named.length)).toEqual(others);
    }));

  it('loses no invoice and no amount of the types', () =>
    forAll([wide], (list) => {
      const parts = list.flatMap(({ byType }) => byType);
      const found = addBreakdowns(list).byType;
      expect(found.length).toBeLessThanOrEqual(MOST_NAMED + 1);
      const total = (types: readonly TypeBreakdown[]) => sumOf(types.map(({ all }) => all));
      expect(total(found)).toEqual(total(parts));
    }));

  it('has the same content for any order of the list, but for the order of types', () => {
    const shuffled = fc
      .oneof(breakdowns, wide)
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    forAll([shuffled], ([list, other]) => {
      expect(sortedTypes(addBreakdowns(other))).toEqual(sortedTypes(addBreakdowns(list)));
    });
  });

  it('of methods with the same count names those with the larger amount, then the first by name', () => {
    const method = (name: number, amount: string) => ({ method: `m${name}`, count: 1, amount });
    const same = Array.from({ length: MOST_NAMED }, (_, name) => method(name + 10, '2.000'));
    const other = method(40, '2.001');
    const list = [same, [other, method(41, '1.999')]].map((byMethod) => ({
      ...{ byType: [], charges: null },
      byMethod,
    }));
    const found = addBreakdowns(list).byMethod;
    const others = { method: null, count: 2, amount: '3.999' };
    expect(found).toEqual([...same.slice(0, -1), other, others]);
  });
});

describe('the sum of breakdowns', () => {
  it('of an empty list has no invoices, and one without charges does not know them', () => {
    const none = { byType: [], byMethod: [] };
    const charges = (total: string | null) => CHARGE_COLUMNS.map((column) => ({ column, total }));
    expect(addBreakdowns([])).toEqual({ ...none, charges: charges('0.000') });
    expect(addBreakdowns([{ ...none, charges: [] }])).toEqual({ ...none, charges: charges(null) });
  });

  it('refuses an amount that is none', () => {
    const byMethod = [{ method: 'KNET', count: 1, amount: '1.5' }];
    expect(() => addBreakdowns([{ byType: [], byMethod, charges: [] }])).toThrow(AmountError);
  });
});
