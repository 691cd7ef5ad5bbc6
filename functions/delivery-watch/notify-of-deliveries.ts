import { isWellAgain, withAllClear, withTold, worseThanTold } from './notified-day.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { NotifiedDays } from './notified-days.ts';
import type { Delivery } from './delivery.ts';
import type { WatchAnswer } from './watch-answer.ts';
import { allClearNotice, watchNotice } from './watch-notice.ts';

/**
 * Tells ops when something is worse than what they were told of the day, and once when all is well again. What was told
 * is written afterwards. When a run dies between the two, the next run finds the notice by its content and does not tell
 * it again. Two runs at once may both tell.
 *
 * @param looked what became of every report that was looked at; of one that is not due yet nothing is told
 * @param answer over those that are due
 * @returns `false` when there was something to tell and every way to ops failed
 */
export async function notifyOfDeliveries(
  { opsNotices, notifiedDays }: { opsNotices: OpsNotices; notifiedDays: NotifiedDays },
  looked: readonly Delivery[],
  answer: WatchAnswer,
): Promise<boolean> {
  const due = looked.filter(({ isDue }) => isDue);
  const days = [...new Set(looked.map(({ day }) => day))].sort();
  const standing = await Promise.all(days.map((day) => notifiedDays.read(day)));
  if (standing.some((told) => worseThanTold(told, due).length > 0)) {
    const spells = standing.map(({ day, spell }) => `${day} ${spell}`);
    const notice = watchNotice(answer, spells);
    if (!(await opsNotices.notifyOnce(notice.about, notice.subject, notice.text))) return false;
    const heardBy = await opsNotices.heardBy(notice.about);
    const missingDays = new Set(answer.missing.map(({ day }) => day));
    for (const day of missingDays) {
      await notifiedDays.change(day, (before) => withTold(before, due, heardBy));
    }
  }
  for (const told of standing) {
    if (!isWellAgain(told, looked)) continue;
    const { day, spell, heardBy } = told;
    const notice = allClearNotice(told);
    // Where it is not known who heard of the trouble, everybody hears that it is over.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await opsNotices.notifyOnce(notice.about, notice.subject, notice.text, only))) return false;
    await notifiedDays.change(day, (before) => (before.spell === spell ? withAllClear(before) : before));
  }
  return true;
}

/**
 * Tells ops what would be missing at a time that has not come yet, as somebody asked. Nothing of it is remembered as told of
 * a day: what is really missing then is news.
 *
 * @param now that time, milliseconds UTC
 * @returns `false` when there was something to tell and every way to ops failed
 */
export async function tellAhead(
  { opsNotices }: { opsNotices: OpsNotices },
  answer: WatchAnswer,
  now: number,
): Promise<boolean> {
  if (answer.missing.length === 0) return true;
  const at = new Date(now).toISOString();
  const { about, subject, text } = watchNotice(answer, [`ahead ${at}`]);
  const asked = `Somebody asked delivery-watch what it would find at ${at}. That time has not come yet.`;
  return opsNotices.notifyOnce(about, subject, `${asked}\n\n${text}`);
}
