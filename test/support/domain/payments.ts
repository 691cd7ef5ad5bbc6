import { addDays } from '#records/day/business-day.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';

/** The payments of a page, by its figures: all on the day. The links of half of the unpaid ones end the next day, the others a month later. */
export function paymentsOf({ day, counts, amounts, breakdown }: Manifest) {
  if (amounts === null) return pagePayments({ day, outcomes: null });
  const { paid, notPaid, cancelled, other } = counts;
  const soon = Math.floor((notPaid ?? 0) / 2);
  const soonSum = parseSum(amounts.notPaid) / 2n;
  return pagePayments({
    day,
    currency: 'KWD',
    outcomes: {
      paid: [
        {
          day,
          count: paid ?? 0,
          amount: amounts.paid,
          seen: 0,
          byMethod: breakdown?.byMethod ?? [],
          charges: breakdown?.charges ?? [],
        },
      ],
      cancelled: [{ day, count: cancelled ?? 0, amount: amounts.cancelled }],
      open: [
        { lastDay: addDays(day, 1), count: soon, amount: formatAmount(soonSum) },
        {
          lastDay: addDays(day, 30),
          count: (notPaid ?? 0) - soon,
          amount: formatAmount(parseSum(amounts.notPaid) - soonSum),
        },
      ],
      other: { count: other ?? 0, amount: amounts.other },
      seen: [],
    },
    followed: { stated: {}, pendingRefunds: [] },
  });
}
