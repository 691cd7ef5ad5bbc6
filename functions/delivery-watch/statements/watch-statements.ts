import type { Registry } from '#domain/registry/registry.ts';
import { ownerPart } from '#domain/storage/keys.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import { expectedStatements } from './expected-statements.ts';
import type { ExpectedStatement, WatchTime } from './expected-statements.ts';
import { lookAtStatements } from './look-at-statements.ts';
import type { StatementLook, StatementStores } from './look-at-statements.ts';
import {
  isPeriodWellAgain,
  isWorseThanNotified,
  mayStillCome,
  nothingNotifiedOf,
  withNotifiedPeriod,
  withPeriodAllClear,
} from './notified-period.ts';
import type { NotifiedPeriod } from './notified-period.ts';
import type { NotifiedPeriods } from './notified-periods.ts';
import { troubleOf } from './statement-delivery.ts';
import type { StatementDelivery } from './statement-delivery.ts';
import { periodAllClearNotice, statementsNotice } from './statements-notice.ts';

/** What the watch of statements works with. */
export interface StatementWatch extends StatementStores {
  opsNotices: OpsNotices;
  notifiedPeriods: NotifiedPeriods;
}

/** Statements as the watch found them, and what ops knew of them before. */
export interface WatchedStatements {
  looked: StatementDelivery[];
  notified: NotifiedPeriod[];
  /** All merchants and groups that get statements or pages, as `ownerPart` names them. */
  owners: ReadonlySet<string>;
}

/**
 * Looks at all statements and groups' pages whose deadline has passed within the last day, and at those of the open
 * periods that ops know to be missing.
 */
export async function watchStatements(
  watch: StatementWatch,
  registry: Registry,
  time: WatchTime,
  { atOnce, onUnreadable }: Pick<StatementLook, 'atOnce' | 'onUnreadable'>,
): Promise<WatchedStatements> {
  const { statements, owners } = expectedStatements(registry, time);
  const recorded = statements.length === 0 ? new Set() : await watch.notifiedPeriods.periods();
  const open = [...new Set(statements.map(({ period }) => period))].sort();
  const notified = await Promise.all(
    open.map(async (period) =>
      recorded.has(period) ? watch.notifiedPeriods.read(period) : nothingNotifiedOf(period),
    ),
  );
  const expected = (sets: ReadonlyMap<string, ReadonlySet<string>>) => (one: ExpectedStatement) =>
    sets.get(one.period)?.has(ownerPart(one.owner)) === true;
  const mayCome = expected(new Map(notified.map((one) => [one.period, mayStillCome(one)])));
  const isKnownEmpty = expected(new Map(notified.map((one) => [one.period, new Set(one.nothingSealed)])));
  const wanted = statements.filter((one) => one.isRecent || mayCome(one));
  const look = { now: time.now, atOnce, isKnownEmpty, onUnreadable };
  return { looked: await lookAtStatements(watch, wanted, look), notified, owners };
}

/**
 * Notifies ops when something is worse than what they know of a period, and once when all is well again. As for reports,
 * the record is written after the notice, and the next run recognises a notice by its content.
 *
 * @returns `false` when there was a notice to send and every way to ops failed
 */
export async function notifyOfStatements(
  { opsNotices, notifiedPeriods }: Pick<StatementWatch, 'opsNotices' | 'notifiedPeriods'>,
  { looked, notified, owners }: WatchedStatements,
): Promise<boolean> {
  if (notified.some((one) => isWorseThanNotified(one, looked))) {
    const notice = statementsNotice(looked, notified);
    if (!(await opsNotices.notifyOnce(notice))) return false;
    const heardBy = await opsNotices.heardBy(notice.about);
    for (const period of notice.periods ?? []) {
      await notifiedPeriods.change(period, (before) => withNotifiedPeriod(before, looked, heardBy));
    }
  }
  for (const one of notified) {
    if (!isPeriodWellAgain(one, looked, (owner) => owners.has(owner))) continue;
    const { period, spell, heardBy } = one;
    // When it is not known who got the notice of trouble, the all-clear goes to everybody.
    const only = heardBy.length === 0 ? undefined : heardBy;
    if (!(await opsNotices.notifyOnce(periodAllClearNotice(one), only))) return false;
    await notifiedPeriods.change(period, (before) =>
      before.spell === spell ? withPeriodAllClear(before) : before,
    );
  }
  return true;
}

/**
 * Notifies ops of what would be missing at a time in the future, because somebody asked for it. This is not recorded.
 *
 * @param now that time, milliseconds UTC
 * @returns `false` when there was a notice to send and every way to ops failed
 */
export async function notifyOfStatementsAhead(
  { opsNotices }: Pick<StatementWatch, 'opsNotices'>,
  { looked }: WatchedStatements,
  now: number,
): Promise<boolean> {
  if (!looked.some((one) => one.counts && troubleOf(one) !== null)) return true;
  const at = new Date(now).toISOString();
  const notice = statementsNotice(looked, [], `ahead ${at}`);
  const asked = `Somebody asked delivery-watch what it would find at ${at}. That time has not come yet.`;
  return opsNotices.notifyOnce({ ...notice, meaning: [asked, ...notice.meaning] });
}
