import { isWellAgain, withAllClear, withNotified, worseThanNotified } from './notified-day.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { NotifiedDays } from './notified-days.ts';
import type { Delivery } from './delivery.ts';
import type { ReportsAnswer } from './watch-answer.ts';
import { allClearNotice, watchNotice } from './watch-notice.ts';

/**
 * Notifies ops when something is worse than what they know of the day, and once when all is well again. The
 * record is written after the notice. When a run dies between the two, the next run finds the notice by its
 * content and does not send it again.
 *
 * @param looked what became of every report that was looked at; a report that is not due yet causes no notice
 * @param answer about the reports that are due
 * @returns `false` when there was a notice to send and every way to ops failed
 */
export async function notifyOfDeliveries(
  { opsNotices, notifiedDays }: { opsNotices: OpsNotices; notifiedDays: NotifiedDays },
  looked: readonly Delivery[],
  answer: ReportsAnswer,
): Promise<boolean> {
  const due = looked.filter(({ isDue }) => isDue);
  const days = [...new Set(looked.map(({ day }) => day))].sort();
  const standing = await Promise.all(days.map((day) => notifiedDays.read(day)));
  if (standing.some((notified) => worseThanNotified(notified, due).length > 0)) {
    const spells = standing.map(({ day, spell }) => `${day} ${spell}`);
    const notice = watchNotice(answer, spells);
    if (!(await opsNotices.notifyOnce(notice))) return false;
    const heardBy = await opsNotices.heardBy(notice.about);
    const missingDays = new Set(answer.missing.map(({ day }) => day));
    for (const day of missingDays) {
      await notifiedDays.change(day, (before) => withNotified(before, due, heardBy));
    }
  }
  for (const notified of standing) {
    if (!isWellAgain(notified, looked)) continue;
    const { day, spell, heardBy } = notified;
    const notice = allClearNotice(notified);
    // When it is not known who got the notice of trouble, the all-clear goes to everybody.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await opsNotices.notifyOnce(notice, only))) return false;
    await notifiedDays.change(day, (before) => (before.spell === spell ? withAllClear(before) : before));
  }
  return true;
}

/**
 * Notifies ops of what would be missing at a time in the future, because somebody asked for it. This is not
 * recorded: when a report is really missing at that time, ops are notified of it.
 *
 * @param now that time, milliseconds UTC
 * @returns `false` when there was a notice to send and every way to ops failed
 */
export async function notifyAhead(
  { opsNotices }: { opsNotices: OpsNotices },
  answer: ReportsAnswer,
  now: number,
): Promise<boolean> {
  if (answer.missing.length === 0) return true;
  const at = new Date(now).toISOString();
  const notice = watchNotice(answer, [`ahead ${at}`]);
  const asked = `Somebody asked delivery-watch what it would find at ${at}. That time has not come yet.`;
  return opsNotices.notifyOnce({ ...notice, meaning: [asked, ...notice.meaning] });
}
