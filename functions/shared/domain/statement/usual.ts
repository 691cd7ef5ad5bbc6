import { addDays } from '../day/business-day.ts';
import { unusualLength } from '../period/period.ts';
import type { Day } from '../day/business-day.ts';
import { divided, formatAmount, parseSum } from '../money/money.ts';
import type { Manifest } from '../revision/manifest.ts';
import type { GroupMember } from './group-page.ts';
import type { AddedStatement } from './statement.ts';

type Usual = GroupMember['usual'];

const WEEKS_BACK = [1, 2, 3, 4];

/** The average of known values, rounded half away from zero. `null` when there is none. */
function average(values: readonly bigint[]): bigint | null {
  const sum = values.reduce((total, value) => total + value, 0n);
  return values.length === 0 ? null : divided(sum, BigInt(values.length));
}

/**
 * What is usual for a day: the average of the same weekday in the four weeks before, as far as it was known when the day
 * was sealed. Days that did not balance are left out, days before the merchant's `reportFrom`, and amounts in another currency.
 *
 * @returns `null` when no such day is known
 */
export function usualOfDay(
  { day, history, currency }: Pick<Manifest, 'day' | 'history' | 'currency'>,
  reportFrom: Day,
): Usual {
  const weekdays = WEEKS_BACK.map((weeks) => addDays(day, -7 * weeks)).filter((one) => one >= reportFrom);
  const known = history.filter((one) => one.balanced && weekdays.includes(one.day));
  if (known.length === 0) return null;
  const received = average(
    known.flatMap(({ amounts, currency: other = currency }) =>
      amounts === null || other !== (currency ?? other) ? [] : [parseSum(amounts.paid)],
    ),
  );
  const total = average(known.flatMap(({ counts }) => (counts.total === null ? [] : [BigInt(counts.total)])));
  return {
    received: received === null ? null : formatAmount(received),
    total: total === null ? null : Number(total),
  };
}

/**
 * What is usual for a week or a month: the period before. `null` when that is over before the merchant's `reportFrom`, or is a
 * week of another length.
 */
export function usualOfPeriod(
  statement: Pick<AddedStatement, 'period' | 'from' | 'to' | 'before'>,
  reportFrom: Day,
): Usual {
  const { from, before } = statement;
  if (before === null || from <= reportFrom) return null;
  // Statements of earlier versions do not say the days of the period before. All their weeks had seven.
  const { period, from: first, to: last } = before;
  const length = first && last && unusualLength({ period, from: first, to: last });
  if (unusualLength(statement) !== length) return null;
  return { received: before.received, total: before.counts.total };
}
