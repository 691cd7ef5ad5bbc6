import type { Day } from '#records/day/business-day.ts';
import { weekdayOf } from '#records/day/weekday.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { formatAmount } from '#records/money/money.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { SEALED } from './sample-day.ts';

/** Paid invoices of a day, by its weekday. Fridays are quiet. */
const PAID = [262, 284, 291, 301, 276, 188, 243];

/** Thousandths as an amount. */
function fils(amount: number): string {
  return formatAmount(BigInt(amount));
}

/** An invented sealed day, the same every time. */
export function samplePage(day: Day): Manifest {
  const date = Number(day.slice(-2));
  const wobble = (date * 7_919 + Number(day.slice(5, 7)) * 104_729 + Number(day.slice(2, 4)) * 31) % 41;
  const paid = (PAID[weekdayOf(day)] ?? 250) + wobble - 20;
  const notPaid = 60 + (wobble % 17);
  const cancelled = 15 + (wobble % 9);
  const total = paid + notPaid + cancelled;
  const received = paid * 32_250 + wobble * 1_125;
  const unpaid = notPaid * 35_500;
  const dropped = cancelled * 20_250;
  const refunds = 4 + (wobble % 6);
  const pending = wobble % 11 === 0 ? 1 : 0;
  const given = { count: refunds, total: fils(refunds * 13_250) };
  const ofSales = { count: refunds - 1, total: fils((refunds - 1) * 13_250) };
  const waiting = { count: pending, total: fils(pending * 4_500) };
  const knet = Math.floor(paid * 0.62);
  const cards = Math.floor(paid * 0.27);
  const other = paid - knet - cards;
  const single = Math.floor(total * 0.82);
  const state = (count: number, amount: number) => ({ count, amount: fils(amount) });
  const nothing = state(0, 0);
  const typeOf = (type: string, share: number, count: number) => ({
    type,
    all: state(count, Math.floor((received + unpaid + dropped) * share)),
    states: { paid: nothing, notPaid: nothing, cancelled: nothing, other: nothing },
  });
  return {
    ...SEALED,
    day,
    pulledAt: new Date(Date.parse(day) + 27 * 3_600_000).toISOString(),
    counts: { total, paid, notPaid, cancelled, other: 0 },
    amounts: { paid: fils(received), notPaid: fils(unpaid), cancelled: fils(dropped), other: '0.000' },
    refunds: {
      count: given.count + waiting.count,
      total: fils(refunds * 13_250 + pending * 4_500),
      byStatus: { approved: given, ...(pending > 0 && { pending: waiting }) },
      saleBasis: { ...ofSales, byStatus: { approved: ofSales } },
    },
    breakdown: {
      byType: [typeOf('1', 0.8, single), typeOf('0', 0.2, total - single)],
      byMethod: [
        { method: 'KNET', ...state(knet, Math.floor(received * 0.58)) },
        { method: 'Credit Card', ...state(cards, Math.floor(received * 0.33)) },
        {
          method: null,
          ...state(other, received - Math.floor(received * 0.58) - Math.floor(received * 0.33)),
        },
      ],
      charges: [
        { column: 'admin_charge', total: fils(paid * 150) },
        { column: 'service_charge', total: fils(paid * 85) },
      ],
    },
  };
}

/** What may be wrong with a sample. */
export interface SampleGaps {
  missing?: readonly Day[];
  unbalanced?: readonly Day[];
  /** Days that were sealed again, with ten more paid invoices. */
  again?: readonly Day[];
  charges?: readonly ChargeColumn[];
  revision?: number;
}

function pagesOf(
  days: readonly Day[],
  { missing = [], unbalanced = [], again = [] }: SampleGaps,
): Manifest[] {
  return days
    .filter((day) => !missing.includes(day))
    .map((day) => {
      const page = samplePage(day);
      const { counts, amounts } = page;
      const later: Manifest = {
        ...page,
        revision: 2,
        counts: { ...counts, paid: (counts.paid ?? 0) + 10, notPaid: (counts.notPaid ?? 0) - 10 },
        amounts: amounts && { ...amounts, paid: fils(Number(amounts.paid.replace('.', '')) + 322_500) },
      };
      return { ...(again.includes(day) ? later : page), balanced: !unbalanced.includes(day) };
    });
}

function contentOf(period: Period, gaps: SampleGaps) {
  const days = periodDays(period, 'sunday');
  const { merchantCode } = SEALED;
  const subject = { merchantCode, period, ...days, currency: 'KWD', charges: gaps.charges ?? [] };
  return composeStatement(subject, pagesOf(daysOf(days), gaps));
}

function sealed(period: Period, gaps: SampleGaps): Statement {
  const content = contentOf(period, gaps);
  const sealedAt = new Date(Date.parse(content.to) + 30 * 3_600_000).toISOString();
  const { revision = 1 } = gaps;
  return {
    ...content,
    revision,
    sealedAt,
    scheduledTime: sealedAt,
    before: null,
    lastYear: null,
    previous: null,
  };
}

/** An invented statement of a week or a month, with those that it is compared with. */
export function sampleStatement(period: Period, gaps: SampleGaps = {}): Statement {
  const { charges = [] } = gaps;
  const lastYear = samePeriodOfLastYear(period);
  return {
    ...sealed(period, gaps),
    before: comparedPeriod(sealed(periodBefore(period), { charges })),
    lastYear: lastYear === undefined ? null : comparedPeriod(sealed(lastYear, { charges })),
  };
}
