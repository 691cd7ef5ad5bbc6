import { createHash } from 'node:crypto';
import { rulesOfRegistry } from '../shared/core/alerts/registry-rules.ts';
import { unknownMembers } from '../shared/core/registry.ts';
import type { MerchantSettings, Registry } from '../shared/core/registry.ts';
import type { PlanItem } from '../shared/ports.ts';
import { backfillItems, dayItems } from './by-hand.ts';
import type { Dependencies } from './dependencies.ts';
import { dueItems } from './due.ts';
import { namedMerchants } from './named-merchants.ts';
import { readPlanEvent } from './plan-event.ts';
import type { DueEvent, FailedEvent, PlanEvent } from './plan-event.ts';
import { planFailed } from './plan-failed.ts';
import { planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';
import { tellOfRegistry } from './registry-notices.ts';
import { tickWindow } from './tick-window.ts';
import type { RememberedTick, TickWindow } from './tick-window.ts';

/** The most unknown members of a registry that one log line lists. */
const MOST_LOGGED = 50;

/** Sortable, and the same for the same tick; what is asked for by hand never takes a tick's place. */
function planName(event: PlanEvent, now: number): string {
  const scheduledTime = event.is === 'failed' ? undefined : event.scheduledTime;
  const at = new Date(scheduledTime ?? now).toISOString();
  const name = `${event.kind}/${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  if (event.is !== 'failed' && !event.byHand) return name;
  return `${name}-${createHash('sha256').update(JSON.stringify(event)).digest('hex').slice(0, 8)}`;
}

function decide(
  event: DueEvent,
  merchants: readonly MerchantSettings[],
  last: RememberedTick | undefined,
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

/** Decides who is due, with everything that it takes: gathers, decides, then writes. */
export function createPlan(dependencies: Dependencies): (event: unknown) => Promise<PlanResult> {
  const { registry: source, plans, notices, clock, telemetry } = dependencies;
  const { logger } = telemetry;
  /** Those of each registry, which stays the same object until it changes. */
  const known = new WeakMap<Registry, string[]>();

  /** The members that nobody here knows; logged when a registry is met for the first time. */
  function membersNotKnown(registry: Registry): string[] {
    const before = known.get(registry);
    if (before !== undefined) return before;
    const paths = [...unknownMembers(registry), ...rulesOfRegistry(registry).unknownMembers];
    known.set(registry, paths);
    if (paths.length > 0) {
      const details = { count: paths.length, paths: paths.slice(0, MOST_LOGGED) };
      logger.warn('the registry has members that are not known here', { details });
    }
    return paths;
  }

  /** Those that a round of the fan-out did not finish. */
  async function repeat(event: FailedEvent): Promise<PlanResult> {
    const result = await planFailed(plans, event, planName(event, clock.now()));
    const { itemCount, itemsKey, failedPercentage } = result;
    telemetry.count(event.of === undefined ? 'FailedItems' : 'StillFailingItems', itemCount);
    const details = { is: event.is, failedOf: event.failedOf, itemCount, itemsKey, failedPercentage };
    logger.info('planned', { details });
    return result;
  }

  /** Those who are due by the registry. */
  async function due(event: DueEvent): Promise<PlanResult> {
    const now = clock.now();
    const [{ registry, alarm }, last] = await Promise.all([
      source.load(),
      event.is === 'tick' ? plans.lastTick(event.kind) : undefined,
    ]);

    const named = namedMerchants(registry, event.merchants);
    const { merchants, rejectedEntries, rejectedRules, unknownNames } = named;
    const { items, window } = decide(event, merchants, last, now);

    await source.accept();
    const itemsKey = items.length === 0 ? null : await plans.writeItems(planName(event, now), items);
    // Last: a tick that dies before this is made up for by the next one.
    if (window?.isNewest === true && !event.byHand) {
      await plans.rememberTick('daily', { tick: window.tick, since: window.since });
    }

    await tellOfRegistry(notices, alarm, rejectedEntries, rejectedRules, membersNotKnown(registry));
    const dueMerchants = new Set(items.map(({ merchantCode }) => merchantCode)).size;
    telemetry.count('DueMerchants', dueMerchants);
    telemetry.count('RejectedEntries', rejectedEntries.length);
    telemetry.count('RejectedRules', rejectedRules.length);
    telemetry.count('RegistryAlarm', alarm === null ? 0 : 1);
    logger.info('planned', {
      details: {
        is: event.is,
        kind: event.kind,
        window,
        dueMerchants,
        itemCount: items.length,
        itemsKey,
        alarm,
      },
    });
    return planResult(items, itemsKey, [...rejectedEntries, ...unknownNames, ...rejectedRules]);
  }

  return async (rawEvent) => {
    const event = readPlanEvent(rawEvent);
    telemetry.about({ kind: event.kind });
    return event.is === 'failed' ? repeat(event) : due(event);
  };
}
