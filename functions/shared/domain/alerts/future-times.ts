import type { AlertState, RuleState } from './alert-state.ts';

/** A tick that is earlier than every other. */
const NO_TICK = new Date(0).toISOString();

/** By so much the clocks of two machines may differ. Milliseconds. */
export const CLOCKS_DIFFER = 5 * 60_000;

/**
 * A merchant's state without times that have not come yet: somebody edited it, or a clock was wrong. A tick of the
 * future would make every check until then an earlier one, which does not count; other times would keep what fires, or
 * has no data, from being told.
 *
 * @param now what time it is, milliseconds UTC; times up to {@link CLOCKS_DIFFER} later are left as they are
 */
export function withoutFutureTimes(state: AlertState, now: number): AlertState {
  const latest = now + CLOCKS_DIFFER;
  const isFuture = (time: string) => Date.parse(time) > latest;
  const past = (time: string) => (isFuture(time) ? new Date(now).toISOString() : time);
  const pastOrNull = (time: string | null) => (time === null ? null : past(time));
  const ofRule = (rule: RuleState): RuleState => ({
    ...rule,
    firingSince: pastOrNull(rule.firingSince),
    announced: rule.announced && {
      ...rule.announced,
      since: past(rule.announced.since),
      at: past(rule.announced.at),
    },
    cameBack: rule.cameBack && { ...rule.cameBack, at: past(rule.cameBack.at) },
    noDataSince: pastOrNull(rule.noDataSince),
  });
  return {
    ...state,
    tick: isFuture(state.tick) ? NO_TICK : state.tick,
    rules: Object.fromEntries(Object.entries(state.rules).map(([name, rule]) => [name, ofRule(rule)])),
  };
}
