import { rulesOfRegistry } from '#alerts/rules/rule.ts';
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
import { memoized } from './memoized.ts';
import { readPlanEvent } from './plan-event.ts';
import type {
  BackfillEvent,
  DayEvent,
  DueEvent,
  PlanEvent,
  StatementsEvent,
  TickEvent,
} from './plan-event.ts';
import { planNotices, planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';
import { namedMerchants, notifyOfRegistry } from './registry-notices.ts';
import { dueStatements } from './statements/due-statements.ts';
import { notifyOfLastTick, tickWindow } from './tick-store.ts';
import type { LastTick, LastKnown, RememberedTick, TickWindow } from './tick-store.ts';

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
 * One day for each merchant, mailed unless the event says otherwise; before `reportFrom` only with `send:
 * true`.
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

function decide(
  event: DueEvent,
  merchants: readonly MerchantSettings[],
  last: LastTick,
  now: number,
): { items: DaysMessage[]; window?: TickWindow } {
  switch (event.is) {
    case 'tick': {
      const window = tickWindow(event.scheduledTime, lastKnown(last), now);
      return { items: dueItems(merchants, window, event), window };
    }
    case 'day':
      return { items: dayItems(merchants, event, now) };
    case 'backfill':
      return { items: backfillItems(merchants, event, now) };
  }
}

function lastKnown(last: LastTick): LastKnown {
  switch (last.is) {
    case 'known':
      return last;
    case 'none':
      return 'none';
    case 'spoilt':
      return 'lost';
  }
}

/**
 * Builds `plan` (docs/interfaces.md, 4.1 plan), which throws {@link InvalidEventError} for any other event.
 * It sends a message for what is due, then remembers its tick: if it dies before that, it sends again, and
 * nothing is done twice.
 */
export function createPlan(dependencies: Dependencies): (event: unknown) => Promise<PlanResult> {
  const { registry: source, environment, ticks, queues, opsNotices, clock, telemetry } = dependencies;
  const { logger } = telemetry;
  const known = new WeakMap<Registry, Problem[]>();

  /** The members that Daybook does not know, logged when a registry is seen for the first time. */
  function unknownMembersOf(registry: Registry): Problem[] {
    const before = known.get(registry);
    if (before !== undefined) return before;
    const found = [...unknownMembers(registry), ...rulesOfRegistry(registry).unknown];
    known.set(registry, found);
    if (found.length > 0) {
      const paths = found.slice(0, MOST_LOGGED).map(({ at }) => shownPath(at));
      logger.warn('the registry has members that are not known here', { count: found.length, paths });
    }
    return found;
  }

  /** A size that is not known costs time only. */
  async function inOrder(items: readonly DaysMessage[]): Promise<readonly DaysMessage[]> {
    try {
      return await dependencies.largestFirst(items);
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

  /** An alarm rings when ticks of the schedule are no longer done. */
  function countTick(kind: PlanEvent['kind']): void {
    switch (kind) {
      case 'daily': {
        telemetry.count('DailyTicks', 1);
        return;
      }
      case 'alert': {
        telemetry.count('AlertTicks', 1);
        return;
      }
      case 'statement': {
        telemetry.count('StatementTicks', 1);
        return;
      }
    }
  }

  async function statements(event: StatementsEvent): Promise<PlanResult> {
    const { registry, alarm } = await source.load();
    const { merchants, unknownNames, ...left } = namedMerchants(registry, event.merchants);
    const { items, looked } = await dueStatements(dependencies, registry, merchants, event);
    const sent = await send(event, items);
    telemetry.count('DueStatements', items.length);
    logger.info('planned', {
      is: event.is,
      kind: event.kind,
      lookedAt: looked,
      itemCount: items.length,
      sent,
    });
    // The daily tick notifies ops of the registry.
    const rejected = [...left.entries.rejected, ...unknownNames, ...left.groups.rejected];
    const notices = planNotices(
      { registry, alarm, unknown: unknownMembersOf(registry) },
      environment.service.origins,
    );
    return { ...planResult(items, sent, rejected, notices), lookedAt: looked };
  }

  async function due(event: DueEvent): Promise<PlanResult> {
    const now = clock.now();
    const nothing: LastTick = { is: 'none' };
    const [{ registry, alarm }, last] = await Promise.all([
      source.load(),
      event.is === 'tick' ? ticks.last() : nothing,
    ]);
    if (last.is === 'spoilt') logger.warn('the last tick cannot be read', { reason: last.reason });

    const { merchants, unknownNames, ...left } = namedMerchants(registry, event.merchants);
    const unknown = unknownMembersOf(registry);
    const { items: found, window } = decide(event, merchants, last, now);
    const items = event.kind === 'daily' && found.length > 1 ? await inOrder(found) : found;

    // The reason is among the rejected entries, and ops are notified of those.
    if (!(await source.accept())) logger.warn('the registry is not kept as the last good one');
    const sent = await send(event, items);
    const { key } = environment.registry;
    await Promise.all([
      notifyOfRegistry(opsNotices, { key, alarm, ...left, unknown }),
      event.is === 'tick' && !event.byHand
        ? notifyOfLastTick(opsNotices, last, event.scheduledTime)
        : undefined,
    ]);
    // This is the last step: the next tick makes up for a tick that dies before it.
    if (sent && !event.byHand && window?.isNewest === true) await ticks.remember(window);

    const dueMerchants = new Set(items.map(({ merchantCode }) => merchantCode)).size;
    if (event.kind === 'daily') telemetry.count('DueMerchants', dueMerchants);
    telemetry.count('RejectedEntries', left.entries.leftOut);
    telemetry.count('RejectedRules', left.rules.leftOut);
    telemetry.count('RejectedGroups', left.groups.leftOut);
    telemetry.count('RegistryAlarm', alarm === null ? 0 : 1);
    logger.info('planned', {
      is: event.is,
      kind: event.kind,
      window,
      dueMerchants,
      itemCount: items.length,
      sent,
      alarm,
    });
    const rejected = [
      ...left.entries.rejected,
      ...unknownNames,
      ...left.rules.rejected,
      ...left.groups.rejected,
    ];
    const notices = planNotices({ registry, alarm, unknown }, environment.service.origins);
    return planResult(items, sent, rejected, notices);
  }

  return async (rawEvent) => {
    const event = readPlanEvent(rawEvent);
    telemetry.about({ kind: event.kind });
    const result = event.is === 'statements' ? await statements(event) : await due(event);
    if (!event.byHand) countTick(event.kind);
    return result;
  };
}
