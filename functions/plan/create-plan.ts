import { createHash } from 'node:crypto';
import { rulesOfRegistry } from '#alerts/rules/registry-rules.ts';
import { shownPath } from '#registry/problem.ts';
import type { Problem } from '#registry/problem.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { LastTick } from './store/plan-store.ts';
import type { PlanItem } from './plan-item.ts';
import type { Dependencies } from './dependencies.ts';
import { namedMerchants } from './named-merchants.ts';
import { readPlanEvent } from './plan-event.ts';
import type {
  DueEvent,
  FailedEvent,
  FinishedEvent,
  StatementsEvent,
  BackfillEvent,
  DayEvent,
  TickEvent,
} from './plan-event.ts';
import { closeRounds, findRounds, NO_ROUNDS, noteHandedOut } from './rounds/open-rounds.ts';
import { planChildren } from './plan-children.ts';
import { planFailed } from './plan-failed.ts';
import { planNotices } from './plan-notices.ts';
import { planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';
import { notifyOfRegistry } from './registry-notices.ts';
import { notifyOfMemory, notifyOfRounds } from './rounds/round-notices.ts';
import { inOrder } from './sizes/in-order.ts';
import { knownSizes } from './sizes/known-sizes.ts';
import { dueStatements } from './statements/due-statements.ts';
import { tickWindow } from './tick-window.ts';
import type { LastKnown, TickWindow, RememberedTick } from './tick-window.ts';
import { addDays, dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { daysOf } from '#records/period/period.ts';
import { planItems } from './day-items.ts';
import { memoized } from './memoized.ts';

/**
 * Who is due: whose clock reached `reportAt` within the window. The day before its local date is pulled, and
 * the lookback days before that; one before `reportFrom` is not due, or is pulled without a mail.
 */
export function dueItems(
  merchants: readonly MerchantSettings[],
  window: RememberedTick,
  event: Pick<TickEvent, 'send' | 'scheduledTime'>,
): PlanItem[] {
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
    return planItems(merchantCode, [...days, ...lookback], mails, event.scheduledTime);
  });
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
export function dayItems(merchants: readonly MerchantSettings[], event: DayEvent, now: number): PlanItem[] {
  return merchants
    .filter(({ alerts }) => event.kind === 'daily' || alerts.length > 0)
    .flatMap((merchant) => {
      const { merchantCode, reportFrom = '' } = merchant;
      const mails = (day: Day) => event.send ?? (event.kind === 'alert' || day >= reportFrom);
      return planItems(merchantCode, [wantedDay(event, merchant, now)], mails, event.scheduledTime);
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
): PlanItem[] {
  const days = daysOf({ from: event.from, to: event.to });
  return merchants.flatMap((merchant) => {
    assertBegun('to', event.to, merchant, now);
    return planItems(merchant.merchantCode, days, () => event.send ?? false, event.scheduledTime);
  });
}

const MOST_LOGGED = 50;

/** A name that sorts by time, the same for the same tick. A plan by hand never gets a tick's. */
function planName(event: DueEvent | StatementsEvent | FailedEvent, now: number): string {
  const scheduledTime = event.is === 'failed' ? undefined : event.scheduledTime;
  const at = new Date(scheduledTime ?? now).toISOString();
  const name = `${event.kind}/${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  if (event.is !== 'failed' && !event.byHand) return name;
  const { run: _, ...asked } = event;
  return `${name}-${createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 8)}`;
}

function decide(
  event: DueEvent,
  merchants: readonly MerchantSettings[],
  last: LastKnown,
  now: number,
): { items: PlanItem[]; window?: TickWindow } {
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

function once(items: readonly PlanItem[]): PlanItem[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/**
 * Builds `plan` (docs/interfaces.md, 4.1 plan), which throws {@link InvalidEventError} for any other event.
 */
export function createPlan(dependencies: Dependencies): (event: unknown) => Promise<PlanResult> {
  const { registry: source, registryKey, serviceOrigins, plans, opsNotices, clock, telemetry } = dependencies;
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

  async function repeat(event: FailedEvent): Promise<PlanResult> {
    const result = await planFailed(plans, event, planName(event, clock.now()));
    const { itemCount, itemsKey, failedPercentage } = result;
    telemetry.count(event.of === undefined ? 'FailedItems' : 'StillFailingItems', itemCount);
    const fields = { is: event.is, failedOf: event.failedOf, itemCount, itemsKey, failedPercentage };
    logger.info('planned', fields);
    return result;
  }

  async function finish(event: FinishedEvent): Promise<PlanResult> {
    const closed = await closeRounds(plans, event.finished);
    logger.info('finished', { finished: event.finished, closed });
    return planResult([], null, [], []);
  }

  async function statements(event: StatementsEvent): Promise<PlanResult> {
    const { registry, alarm } = await source.load();
    const { merchants, unknownNames, ...left } = namedMerchants(registry, event.merchants);
    const { items, looked } = await dueStatements(dependencies, registry, merchants, event);
    const name = planName(event, clock.now());
    const itemsKey = items.length === 0 ? null : await plans.writeItems(name, items);
    telemetry.count('DueStatements', items.length);
    logger.info('planned', {
      is: event.is,
      kind: event.kind,
      lookedAt: looked,
      itemCount: items.length,
      itemsKey,
    });
    // The daily plan has notified ops of the registry, in the same execution.
    const rejected = [...left.rejectedEntries, ...unknownNames, ...left.rejectedGroups];
    const notices = planNotices({ registry, alarm, unknown: unknownMembersOf(registry) }, serviceOrigins);
    return { ...planResult(items, itemsKey, rejected, notices), lookedAt: looked };
  }

  async function due(event: DueEvent): Promise<PlanResult> {
    const now = clock.now();
    const name = planName(event, now);
    const isRound = event.is === 'tick' && !event.byHand;
    const nothing: LastTick = { is: 'none' };
    const [{ registry, alarm }, last, rounds] = await Promise.all([
      source.load(),
      event.is === 'tick' ? plans.lastTick(event.kind) : nothing,
      isRound ? findRounds(plans, name, now) : NO_ROUNDS,
    ]);
    const spoilt = [...rounds.spoilt.slice(0, MOST_LOGGED), ...(last.is === 'spoilt' ? [last] : [])];
    for (const { key, reason } of spoilt) {
      logger.warn('a stored object cannot be read', { key, reason });
    }

    const named = namedMerchants(registry, event.merchants);
    const { merchants, unknownNames, ...left } = named;
    const unknown = unknownMembersOf(registry);
    const { items: due, window } = decide(event, merchants, lastKnown(last), now);
    const unordered = once([...due, ...rounds.items]);
    const sizes =
      event.kind === 'daily' ? await knownSizes(dependencies.sizes, unordered, logger) : undefined;
    const items = sizes === undefined ? unordered : inOrder(unordered, sizes, event.run?.largeBytes);

    // The reason is among the rejected entries, and ops are notified of those.
    if (!(await source.accept())) logger.warn('the registry is not kept as the last good one');
    const itemsKey = items.length === 0 ? null : await plans.writeItems(name, items);
    const { run } = event;
    const children =
      run === undefined || sizes === undefined
        ? undefined
        : await planChildren(plans, { name, itemsKey, items, isTick: event.is === 'tick' }, sizes, run);
    // From here on a later tick makes up for the round, whether this function dies or the execution.
    if (isRound && itemsKey !== null) await noteHandedOut(plans, itemsKey, due.length > 0, rounds, now);

    await Promise.all([
      notifyOfRegistry(opsNotices, {
        key: registryKey,
        alarm,
        ...left,
        unknown,
      }),
      notifyOfRounds({ plans, opsNotices }, rounds),
      isRound ? notifyOfMemory(opsNotices, last, event.scheduledTime) : undefined,
    ]);
    // This is the last step: the next tick makes up for a tick that dies before it.
    if (isRound && window?.isNewest === true) {
      await plans.rememberTick('daily', { tick: window.tick, since: window.since });
    }

    const dueMerchants = new Set(items.map(({ merchantCode }) => merchantCode)).size;
    telemetry.count('DueMerchants', dueMerchants);
    telemetry.count('RejectedEntries', left.entriesLeftOut);
    telemetry.count('RejectedRules', left.rulesLeftOut);
    telemetry.count('RejectedGroups', left.groupsLeftOut);
    telemetry.count('RegistryAlarm', alarm === null ? 0 : 1);
    telemetry.count('RoundsRepeated', rounds.again.length);
    telemetry.count('RoundsGivenUp', rounds.givenUp.length + rounds.lost.length);
    logger.info('planned', {
      is: event.is,
      kind: event.kind,
      window,
      dueMerchants,
      itemCount: items.length,
      itemsKey,
      ownItems: children?.own.itemCount,
      sharedItems: children?.shared.itemCount,
      sizesKnown: sizes?.size,
      again: rounds.again.map((round) => round.itemsKey),
      alarm,
    });
    const rejected = [
      ...left.rejectedEntries,
      ...unknownNames,
      ...left.rejectedRules,
      ...left.rejectedGroups,
    ];
    const notices = planNotices({ registry, alarm, unknown }, serviceOrigins);
    return { ...planResult(items, itemsKey, rejected, notices), ...children };
  }

  return async (rawEvent) => {
    const event = readPlanEvent(rawEvent);
    telemetry.about({ kind: event.kind });
    switch (event.is) {
      case 'failed':
        return repeat(event);
      case 'finished':
        return finish(event);
      case 'statements':
        return statements(event);
      case 'tick':
      case 'day':
      case 'backfill':
        return due(event);
    }
  };
}
