import { isWellAgain, withAllClear, withTold, worseThanTold } from '../shared/core/told-day.ts';
import type { OpsNotices, ToldDays } from '../shared/ports.ts';
import type { Delivery } from './delivery.ts';
import type { WatchAnswer } from './watch-answer.ts';
import { allClearNotice, watchNotice } from './watch-notice.ts';

/**
 * Tells ops when something is worse than what they were told of the day, and once when all is well again. What was told
 * is written afterwards. When a run dies between the two, the next run finds the notice by its content and does not tell
 * it again. Two runs at once may both tell.
 *
 * @param looked what became of every report that was looked at
 * @returns `false` when there was something to tell and every way to ops failed
 */
export async function tellOfDeliveries(
  { notices, toldDays }: { notices: OpsNotices; toldDays: ToldDays },
  looked: readonly Delivery[],
  answer: WatchAnswer,
): Promise<boolean> {
  const days = [...new Set(looked.map(({ day }) => day))].sort();
  const standing = await Promise.all(days.map((day) => toldDays.read(day)));
  if (standing.some((told) => worseThanTold(told, looked).length > 0)) {
    const spells = standing.map(({ day, spell }) => `${day} ${spell}`);
    const notice = watchNotice(answer, spells);
    if (!(await notices.tellOnce(notice.about, notice.subject, notice.text))) return false;
    const heardBy = await notices.heardBy(notice.about);
    const missingDays = new Set(answer.missing.map(({ day }) => day));
    for (const day of missingDays) {
      await toldDays.change(day, (before) => withTold(before, looked, heardBy));
    }
  }
  for (const told of standing) {
    if (!isWellAgain(told, looked)) continue;
    const { day, spell, heardBy } = told;
    const notice = allClearNotice(told);
    // Where it is not known who heard of the trouble, everybody hears that it is over.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await notices.tellOnce(notice.about, notice.subject, notice.text, only))) return false;
    await toldDays.change(day, (before) => (before.spell === spell ? withAllClear(before) : before));
  }
  return true;
}
