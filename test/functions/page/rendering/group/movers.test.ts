import { describe, expect, it } from 'vitest';
import { formatAmount } from '#records/money/money.ts';
import { movers } from '#page/rendering/group/merchants-section.ts';
import { aMember } from '#support/rendering/groups.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const usual = (received: string | null) => ({ received, total: null });

function orderOf(members: readonly ReturnType<typeof aMember>[]): string[] {
  return movers({ merchants: members.map(({ member }) => member) }).map(({ member }) => member.merchantCode);
}

describe('the merchants that moved most', () => {
  it('are first, whether they received more or less than usual', () => {
    expect(
      orderOf([
        aMember('1', { received: '100.000', usual: usual('99.000') }),
        aMember('2', { received: '100.000', usual: usual('150.000') }),
        aMember('3', { received: '100.000', usual: usual('80.000') }),
      ]),
    ).toEqual(['2', '3', '1']);
  });

  it('are found in relation to what their currency received in all', () => {
    expect(
      orderOf([
        aMember('1', { currency: 'IQD', received: '900000.000', usual: usual('890000.000') }),
        aMember('2', { currency: 'KWD', received: '100.000', usual: usual('50.000') }),
      ]),
    ).toEqual(['2', '1']);
  });

  it('come before those without a usual, and these before those whose amount is unknown', () => {
    expect(
      orderOf([
        aMember('1', { received: null, usual: usual('5.000') }),
        aMember('2', { received: '10.000', usual: null }),
        aMember('3', { received: '20.000', usual: usual(null) }),
        aMember('4', { received: '5.000', usual: usual('5.000') }),
      ]),
    ).toEqual(['4', '3', '2', '1']);
  });

  it('stay in the order of the registry when they are equal', () => {
    const same = { received: '10.000', usual: usual('8.000') };
    expect(orderOf(['1', '2', '3'].map((code) => aMember(code, same)))).toEqual(['1', '2', '3']);
  });

  it('have their exact difference, also where nothing was received at all', () => {
    const { member } = aMember('1', { received: '0.000', usual: usual('2.505') });
    expect(movers({ merchants: [member] })).toEqual([{ member, difference: '-2.505' }]);
  });

  it('are ordered by size for any amounts', () => {
    const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(formatAmount);
    forAll([fc.array(fc.tuple(amount, amount), { maxLength: 30 })], (amounts) => {
      const members = amounts.map(
        ([received, before], index) =>
          aMember(String(index), { received, usual: usual(before), currency: 'KWD' }).member,
      );
      const sizes = movers({ merchants: members }).map(({ difference }) => {
        const size = BigInt((difference ?? '0').replace('.', ''));
        return size < 0n ? -size : size;
      });
      const total = members.reduce(
        (sum, { received }) => sum + BigInt((received ?? '0').replace('.', '')),
        0n,
      );
      // Shares of a huge total may be equal where the amounts are not.
      if (total <= 0n) expect(sizes).toEqual(sizes.toSorted((one, other) => (one > other ? -1 : 1)));
      expect(sizes).toHaveLength(members.length);
    });
  });
});
