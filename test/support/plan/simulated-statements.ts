import type { StatementMessage } from '#runtime/queue-message.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import type { Weekday } from '#records/day/business-day.ts';
import type { ListedBucket } from './listed-bucket.ts';

/** What happens to a run: it ends well, it dies at once, or it dies after the seal. */
export type Fate = 'ends' | 'dies at once' | 'dies before its mail';

/** Does what the function `statement` does with an item: it seals, unless nothing has changed, and mails once. */
export function runStatement(
  bucket: ListedBucket,
  item: StatementMessage,
  { at, weekStart, fate }: { at: number; weekStart: Weekday; fate: Fate },
): void {
  if (fate === 'dies at once') return;
  const { period } = item;
  const owner = item.merchantCode === undefined ? { group: item.group } : { merchantCode: item.merchantCode };
  const newest = bucket.newest(owner, period);
  const named = new Map(newest?.named.days.map(({ day, revision }) => [day, revision]));
  const days = daysOf(periodDays(period, weekStart)).flatMap((day, index) => {
    const revision = Math.max(item.revisions?.[index] ?? 0, named.get(day) ?? 0);
    return revision === 0 ? [] : [{ day, revision }];
  });
  const isSame = newest !== undefined && JSON.stringify(newest.named.days) === JSON.stringify(days);
  if (!isSame) bucket.seal(owner, period, at, days, periodDays(period, weekStart));
  if (fate === 'ends') bucket.mail(owner, period, at);
}
