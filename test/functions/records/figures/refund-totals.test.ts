import { expect, it } from 'vitest';
import { formatAmount } from '#records/money/money.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import { sumOfTexts } from '#support/domain/sum-of-texts.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';
/** Two statuses may have one name, and a name may be one that every object has as a member. */
const NAMES: Record<string, string> = {
  0: 'pending',
  1: 'approved',
  2: 'rejected',
  3: 'constructor',
  4: 'approved',
};

interface Part {
  id: number;
  amount: string;
  status: number;
  refund_at: string;
  transaction_date: string;
}

const days = fc.constantFrom('2026-11-19', DAY, '2026-11-21', '0000-00-00', '2026-02-30', '2026-13-01');
const parts = fc.array(
  fc.record<Part>({
    id: fc.nat(),
    amount: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(formatAmount),
    status: fc.integer({ min: -1, max: 6 }),
    refund_at: days,
    transaction_date: days.map((day) => `${day} 23:59:59`),
  }),
  { maxLength: 40 },
);

const nameOf = ({ status }: Part) => NAMES[status] ?? 'other';
const sumOf = (refunds: readonly Part[] = []) => ({
  count: refunds.length,
  total: sumOfTexts(refunds.map(({ amount }) => amount)),
});

/** The sums of refunds, in all and by status, with the names that are told without any, too. */
function totalsOf(refunds: readonly Part[], told: readonly string[] = Object.values(NAMES)) {
  const byName = Map.groupBy(refunds, nameOf);
  const names = [...new Set([...told, ...byName.keys()])].sort();
  return {
    ...sumOf(refunds),
    byStatus: Object.fromEntries(names.map((name) => [name, sumOf(byName.get(name))])),
  };
}

it('refunds are added up by their date, by that of their sale, and apart without a date', () =>
  forAll([parts], (refunds) => {
    const totals = new RefundDayTotals(DAY, NAMES);
    for (const one of refunds) totals.add(one);
    const ofDay = totalsOf(refunds.filter((one) => one.refund_at === DAY));
    const ofSales = totalsOf(refunds.filter((one) => one.transaction_date.startsWith(DAY)));
    expect(totals.figures()).toEqual({ ...ofDay, saleBasis: ofSales });
    expect(Object.keys(totals.figures().byStatus)).toEqual(Object.keys(ofDay.byStatus));
    const none = refunds.filter((one) => !one.refund_at.startsWith('2026-11'));
    const ids = none.slice(0, 5).map(({ id }) => id.toString());
    expect(totals.withoutDay).toEqual({ ...totalsOf(none, []), ids });
    const unnamed = refunds.map(({ status }) => status).filter((status) => !(status in NAMES));
    const counts = [...Map.groupBy(unnamed, String)].map(([status, all]) => [status, all.length]);
    expect(totals.unknownStatuses.counts()).toEqual(Object.fromEntries(counts));
  }));
