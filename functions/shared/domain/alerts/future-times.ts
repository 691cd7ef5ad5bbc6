import type { AlertState, RuleState } from './alert-state.ts';

/** A tick that is earlier than every other. */
const NO_TICK = new Date(0).toISOString();

/** How much the clocks of two machines may differ. Milliseconds. */
export const CLOCKS_DIFFER = 5 * 60_000;

/**
 * A merchant's state without times in the future: somebody edited it, or a clock was wrong. With a tick in
 * the future, every check until then would be an earlier one and would not count. Other times in the future
 * would suppress mails and notices.
 *
 * @param now milliseconds UTC; times up to {@link CLOCKS_DIFFER} later are kept
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
