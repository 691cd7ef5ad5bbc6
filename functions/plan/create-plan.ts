import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { shownPath } from '#registry/problem.ts';
import type { Problem } from '#registry/problem.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { DaysMessage, QueueMessage } from '#runtime/queue-message.ts';
import { addDays, dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { daysOf } from '#records/period/period.ts';
import type { Dependencies } from './dependencies.ts';
import { memoized } from '#registry/once.ts';
import { readPlanEvent } from './plan-event.ts';
import type { BackfillEvent, DayEvent, PlanEvent, StatementsEvent, TickEvent } from './plan-event.ts';
import { planNotices, planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';
import { namedMerchants, notifyOfRegistry } from './registry-notices.ts';
import { dueStatements } from './statements/due-statements.ts';
import { notifyOfLastTick, tickWindow } from './tick-store.ts';
import type { LastTick, RememberedTick, TickWindow } from './tick-store.ts';

/** One message for the days with mail and one for those without; none without days. A day counts once. */
export function daysMessages(
  merchantCode: string,
  days: readonly Day[],
  mails: (day: Day) => boolean,
  scheduledTime: string,
): DaysMessage[] {
  const bySend = Map.groupBy(new Set(days), mails);
  return [true, false].flatMap((send) => {
    const itsDays = bySend.get(send);
    return itsDays === undefined ? [] : [{ merchantCode, days: itsDays, send, scheduledTime }];
  });
}

/**
 * Who is due: whose clock reached `reportAt` within the window. The day before its local date is pulled, and
 * the lookback days before that; one before `reportFrom` is not due, or is pulled without a mail.
 */
export function dueItems(
  merchants: readonly MerchantSettings[],
  window: RememberedTick,
  event: Pick<TickEvent, 'send' | 'scheduledTime'>,
): DaysMessage[] {
  const after = Date.parse(window.since);
  const until = Date.parse(window.tick);
  const reported = new Map<string, Day[]>();
  const earlier = new Map<string, Day>();
  return merchants.flatMap(({ merchantCode, timeZone, reportAt, lookbackDays, reportFrom = '' }) => {
    const days = memoized(reported, `${timeZone} ${reportAt}`, () =>
      daysReaching(reportAt, timeZone, after, until).map((date) => addDays(date, -1)),
    ).filter((day) => day >= reportFrom);
    const lookback = days.flatMap((day) =>
      lookbackDays.map((back) => memoized(earlier, `${day} ${back}`, () => addDays(day, -back))),
    );
    const mails = (day: Day) => day >= reportFrom && event.send !== false;
    return daysMessages(merchantCode, [...days, ...lookback], mails, event.scheduledTime);
  });
}

/** The same for every try of a message: what one has done, the next does not do again. */
function timeOf({ scheduledTime }: Pick<DayEvent, 'scheduledTime'>, now: number): string {
  return scheduledTime ?? new Date(now).toISOString();
}

function assertBegun(member: string, day: Day, merchant: MerchantSettings, now: number): void {
  const { merchantCode, timeZone } = merchant;
  if (day <= dayAt(now, timeZone)) return;
  const reason = `${day} has not begun yet in ${timeZone}, the zone of merchant ${merchantCode}`;
  throw new InvalidEventError(member, reason);
}

function wantedDay(event: DayEvent, merchant: MerchantSettings, now: number): Day {
  // "yesterday" in a schedule means the day before its scheduled time, even when the event comes late.
  const asOf = event.scheduledTime === undefined ? now : Date.parse(event.scheduledTime);
  if (event.day === 'today') return dayAt(asOf, merchant.timeZone);
  if (event.day === 'yesterday') return addDays(dayAt(asOf, merchant.timeZone), -1);
  assertBegun('day', event.day, merchant, Math.max(asOf, now));
  return event.day;
}

/**
 * One day for each merchant, mailed unless the event says otherwise; before `reportFrom` only with `send: true`.
 * @param now milliseconds UTC
 * @throws {InvalidEventError} when the day has not begun in a merchant's zone
 */
export function dayItems(
  merchants: readonly MerchantSettings[],
  event: DayEvent,
  now: number,
): DaysMessage[] {
  return merchants
    .filter(({ alerts }) => event.kind === 'daily' || alerts.length > 0)
    .flatMap((merchant) => {
      const { merchantCode, reportFrom = '' } = merchant;
      const mails = (day: Day) => event.send ?? (event.kind === 'alert' || day >= reportFrom);
      return daysMessages(merchantCode, [wantedDay(event, merchant, now)], mails, timeOf(event, now));
    });
}

/**
 * Every day of the range for each merchant, mailed only when the event says so.
 * @param now milliseconds UTC
 * @throws {InvalidEventError} when the range goes beyond today in a merchant's zone
 */
export function backfillItems(
  merchants: readonly MerchantSettings[],
  event: BackfillEvent,
  now: number,
): DaysMessage[] {
  const days = daysOf({ from: event.from, to: event.to });
  return merchants.flatMap((merchant) => {
    assertBegun('to', event.to, merchant, now);
    return daysMessages(merchant.merchantCode, days, () => event.send ?? false, timeOf(event, now));
  });
}

const MOST_LOGGED = 50;

/** The events that are answered from the registry alone. */
type DueEvent = Exclude<PlanEvent, StatementsEvent>;

function decide(
  event: DueEvent,
  merchants: readonly MerchantSettings[],
  last: LastTick,
  now: number,
): { items: DaysMessage[]; window?: TickWindow } {
  switch (event.is) {
    case 'tick': {
      const window = tickWindow(event.scheduledTime, last, now);
      return { items: dueItems(merchants, window, event), window };
    }
    case 'day':
      return { items: dayItems(merchants, event, now) };
    case 'backfill':
      return { items: backfillItems(merchants, event, now) };
  }
}

/** Of the schedules: an alarm rings when their ticks are no longer done. */
const TICK_METRICS = { daily: 'DailyTicks', alert: 'AlertTicks', statement: 'StatementTicks' } as const;

/**
 * Builds `plan` (docs/interfaces.md, 4.1 plan), which throws {@link InvalidEventError} for any other event. It sends a
 * message for what is due, then remembers its tick: if it dies before that, it sends again, and nothing is done twice.
 */
export function createPlan(dependencies: Dependencies): (event: unknown) => Promise<PlanResult> {
  const { registry: source, environment, ticks, queues, opsNotices, clock, telemetry } = dependencies;
  const { logger } = telemetry;
  const known = new WeakMap<Registry, Problem[]>();

  /** The members that Daybook does not know, logged when a registry is seen for the first time. */
  function unknownMembersOf(registry: Registry): Problem[] {
    return memoized(known, registry, () => {
      const found = [...unknownMembers(registry), ...rulesOfRegistry(registry).unknown];
      const paths = found.slice(0, MOST_LOGGED).map(({ at }) => shownPath(at));
      const count = found.length;
      if (count > 0) logger.warn('the registry has members that are not known here', { count, paths });
      return found;
    });
  }

  async function load({ merchants: names }: PlanEvent) {
    const { registry, alarm } = await source.load();
    const unknown = unknownMembersOf(registry);
    const notices = planNotices({ registry, alarm, unknown }, environment.service.origins);
    return { registry, alarm, unknown, notices, ...namedMerchants(registry, names) };
  }

  /** A size that is not known costs time only. */
  async function inOrder(items: readonly DaysMessage[]): Promise<readonly DaysMessage[]> {
    try {
      return await dependencies.sizes.largestFirst(items);
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      logger.warn('the sizes of days are not known', { reason: error.message });
      return items;
    }
  }

  /** @returns whether they were sent: not for a dry run, and not where there is no queue */
  async function send({ is, kind, dryRun }: PlanEvent, items: readonly QueueMessage[]): Promise<boolean> {
    const { reports, backfills, alerts } = environment.queues;
    const queue = is === 'backfill' ? backfills : kind === 'alert' ? alerts : reports;
    if (dryRun || queue === undefined) return false;
    await (await queues()).send(queue, items);
    return true;
  }

  async function statements(event: StatementsEvent): Promise<PlanResult> {
    const { registry, merchants, unknownNames, entries, groups, notices } = await load(event);
    const { items, looked } = await dueStatements(dependencies, registry, merchants, event);
    const sent = await send(event, items);
    telemetry.count('DueStatements', items.length);
    const { is, kind } = event;
    logger.info('planned', { is, kind, lookedAt: looked, itemCount: items.length, sent });
    // The daily tick notifies ops of the registry.
    const rejected = [...entries.rejected, ...unknownNames, ...groups.rejected];
    return { ...planResult(items, sent, rejected, notices), lookedAt: looked };
  }

  async function due(event: DueEvent): Promise<PlanResult> {
    const now = clock.now();
    const [{ alarm, unknown, merchants, unknownNames, entries, rules, groups, notices }, last] =
      await Promise.all([load(event), event.is === 'tick' ? ticks.last() : ({ is: 'none' } as const)]);
    if (last.is === 'spoilt') logger.warn('the last tick cannot be read', { reason: last.reason });

    const { items: found, window } = decide(event, merchants, last, now);
    const items = event.kind === 'daily' && found.length > 1 ? await inOrder(found) : found;

    // The reason is among the rejected entries, and ops are notified of those.
    if (!(await source.accept())) logger.warn('the registry is not kept as the last good one');
    const sent = await send(event, items);
    const { key } = environment.registry;
    await Promise.all([
      notifyOfRegistry(opsNotices, { key, alarm, entries, rules, groups, unknown }),
      event.is === 'tick' && !event.byHand
        ? notifyOfLastTick(opsNotices, last, event.scheduledTime)
        : undefined,
    ]);
    // This is the last step: the next tick makes up for a tick that dies before it.
    if (sent && !event.byHand && window?.isNewest === true) await ticks.remember(window);

    const dueMerchants = new Set(items.map(({ merchantCode }) => merchantCode)).size;
    if (event.kind === 'daily') telemetry.count('DueMerchants', dueMerchants);
    telemetry.count('RejectedEntries', entries.leftOut);
    telemetry.count('RejectedRules', rules.leftOut);
    telemetry.count('RejectedGroups', groups.leftOut);
    telemetry.count('RegistryAlarm', alarm === null ? 0 : 1);
    const { is, kind } = event;
    logger.info('planned', { is, kind, window, dueMerchants, itemCount: items.length, sent, alarm });
    const rejected = [...entries.rejected, ...unknownNames, ...rules.rejected, ...groups.rejected];
    return planResult(items, sent, rejected, notices);
  }

  return async (rawEvent) => {
    const event = readPlanEvent(rawEvent);
    telemetry.about({ kind: event.kind });
    const result = event.is === 'statements' ? await statements(event) : await due(event);
    if (!event.byHand) telemetry.count(TICK_METRICS[event.kind], 1);
    return result;
  };
}
