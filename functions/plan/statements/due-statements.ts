import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { Dependencies } from '../dependencies.ts';
import type { StatementsEvent } from '../plan-event.ts';
import { ownersOf } from './merchants-and-groups.ts';
import { planStatements } from './plan-statements.ts';
import type { PlannedStatements } from './plan-statements.ts';

const HOUR = 60 * 60 * 1_000;
/** Milliseconds. A schedule comes at least once in it, and the next one makes up for a tick that fails. */
const DAILY_LOOK = HOUR;
/** A person who asks gets everything that is due, at any time of the day. */
const LOOK_BY_HAND = 24 * HOUR;

/** A late event of the schedule decides for its scheduled time. */
export function dueStatements(
  { statements, clock, telemetry }: Pick<Dependencies, 'statements' | 'clock' | 'telemetry'>,
  registry: Registry,
  merchants: readonly MerchantSettings[],
  { scheduledTime, byHand, send, merchants: named }: StatementsEvent,
): Promise<PlannedStatements> {
  const now = scheduledTime === undefined ? clock.now() : Date.parse(scheduledTime);
  return planStatements(statements, {
    owners: ownersOf(registry, merchants),
    // A page shows all merchants of its group, so it does not go with some of them.
    withPages: named === undefined,
    withUnchanged: byHand,
    time: { now, since: now - (byHand ? LOOK_BY_HAND : DAILY_LOOK) },
    tick: { now, scheduledTime: scheduledTime ?? null, send: send !== false, lookedAt: clock.now() },
    onUnreadable: (error) => telemetry.logError(error),
  });
}
