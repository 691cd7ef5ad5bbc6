import type { Day } from '../business-day.ts';
import { formatAmount } from '../money.ts';
import type { Thousandths } from '../money.ts';
import type { AlertLine, RuleState } from './alert-state.ts';
import { announcedDay } from './move-rule.ts';
import type { Rule } from './rule.ts';

/** What there is to tell of a rule, and its state once that is told. */
export interface Told {
  state: RuleState;
  line: AlertLine | null;
}

function lineOf(rule: Rule, said: Pick<AlertLine, 'says' | 'value' | 'since' | 'until'>): AlertLine {
  const { name, severity, measure, unit, side, bound } = rule;
  return { rule: name, severity, measure, unit, bound: { side, at: formatAmount(bound) }, ...said };
}

/**
 * What recipients of a rule that is not muted do not know yet. Lines alternate: firing (then still firing) and resolved.
 *
 * @param state after the rule moved by `value`
 * @param tick milliseconds UTC
 */
export function tellRule(rule: Rule, state: RuleState, value: Thousandths, tick: number, day: Day): Told {
  const { announced, cameBack } = state;
  const at = new Date(tick).toISOString();
  if (state.place === 'firing') {
    const firing = { value: formatAmount(value), until: null };
    if (announced === null) {
      const since = state.firingSince ?? at;
      return {
        state: { ...state, announced: { since, at, day: announcedDay(rule, day) } },
        line: lineOf(rule, { says: 'firing', since, ...firing }),
      };
    }
    if (rule.repeatAfter === null || tick - Date.parse(announced.at) < rule.repeatAfter) {
      return { state, line: null };
    }
    return {
      state: { ...state, announced: { ...announced, at } },
      line: lineOf(rule, { says: 'still firing', since: announced.since, ...firing }),
    };
  }
  if (announced === null || cameBack === null) return { state, line: null };
  return {
    state: { ...state, announced: null, cameBack: null },
    line: lineOf(rule, {
      says: 'resolved',
      value: cameBack.value,
      since: announced.since,
      until: cameBack.at,
    }),
  };
}
