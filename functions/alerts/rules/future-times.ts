import type { AlertState, RuleState } from './alert-state.ts';

const NO_TICK = new Date(0).toISOString();

/** How much the clocks of two machines may differ. Milliseconds. */
export const CLOCKS_DIFFER = 5 * 60_000;

/**
 * Without times in the future, from an edit or a wrong clock: a tick there would keep every check until then
 * from counting, other times would suppress mails.
 * @param now milliseconds UTC, {@link CLOCKS_DIFFER} tolerated
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
