import type { Day } from '../day/business-day.ts';
import { formatAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import type { AlertLine, RuleState } from './alert-state.ts';
import { announcedDay } from './move-rule.ts';
import type { Rule } from './rule.ts';

/** What there is to tell of a rule, and its state once that is told. */
export interface Told {
  state: RuleState;
  lines: AlertLine[];
}

function lineOf(rule: Rule, said: Pick<AlertLine, 'says' | 'value' | 'since' | 'until'>): AlertLine {
  const { name, severity, measure, unit, side, bound } = rule;
  return { rule: name, severity, measure, unit, bound: { side, at: formatAmount(bound) }, ...said };
}

/** What is still to be told of a firing that is over, and the state after it. */
function tellCameBack(rule: Rule, state: RuleState): Told {
  const { announced, cameBack } = state;
  if (announced === null || cameBack === null) return { state, lines: [] };
  const resolved = {
    says: 'resolved',
    value: cameBack.value,
    since: announced.since,
    until: cameBack.at,
  } as const;
  return { state: { ...state, announced: null, cameBack: null }, lines: [lineOf(rule, resolved)] };
}

/** What is to be told of a rule that fires, and the state after it. */
function tellFiring(rule: Rule, state: RuleState, value: Thousandths, tick: number, day: Day): Told {
  const { announced } = state;
  const at = new Date(tick).toISOString();
  const firing = { value: formatAmount(value), until: null };
  if (announced === null) {
    const since = state.firingSince ?? at;
    return {
      state: { ...state, announced: { since, at, day: announcedDay(rule, day) } },
      lines: [lineOf(rule, { says: 'firing', since, ...firing })],
    };
  }
  if (rule.repeatAfter === null || tick - Date.parse(announced.at) < rule.repeatAfter) {
    return { state, lines: [] };
  }
  return {
    state: { ...state, announced: { ...announced, at } },
    lines: [lineOf(rule, { says: 'still firing', since: announced.since, ...firing })],
  };
}

/**
 * What recipients of a rule that is not muted do not know yet. Lines alternate: firing (then still firing) and resolved.
 * There are two where a mute hid that one day's firing was over and that another's began.
 *
 * @param state after the rule moved by `value`
 * @param tick milliseconds UTC
 */
export function tellRule(rule: Rule, state: RuleState, value: Thousandths, tick: number, day: Day): Told {
  const over = tellCameBack(rule, state);
  if (state.place !== 'firing') return over;
  const fires = tellFiring(rule, over.state, value, tick, day);
  return { state: fires.state, lines: [...over.lines, ...fires.lines] };
}
