import type { Day } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { AlertItem, AlertLine } from '#mail/ledger/alert-line.ts';
import type { RuleState } from './alert-state.ts';
import { announcedDay } from './move-rule.ts';
import type { Rule } from './rule.ts';

export interface RuleLines {
  state: RuleState;
  lines: AlertLine[];
}

type Said = Pick<AlertLine, 'says' | 'value' | 'since' | 'until' | 'day' | 'course' | 'items' | 'currency'>;

function lineOf(rule: Rule, said: Said): AlertLine {
  const { name, severity, measure, unit, side, bound, days, title, note } = rule;
  return {
    rule: name,
    severity,
    measure,
    unit,
    bound: { side, at: formatAmount(bound) },
    days,
    title,
    note,
    ...said,
  };
}

function linesOfReturn(rule: Rule, state: RuleState, currency: string): RuleLines {
  const { announced, cameBack } = state;
  if (announced === null || cameBack === null) return { state, lines: [] };
  const resolved: Said = {
    says: 'resolved',
    value: cameBack.value,
    since: announced.since,
    until: cameBack.at,
    day: announced.day,
    course: cameBack.course,
    items: [],
    currency,
  };
  return { state: { ...state, announced: null, cameBack: null }, lines: [lineOf(rule, resolved)] };
}

export interface Found {
  value: Thousandths;
  /** Milliseconds UTC. */
  tick: number;
  day: Day;
  items: readonly AlertItem[];
  currency: string;
}

function linesOfFiring(
  rule: Rule,
  state: RuleState,
  { value, tick, day, items, currency }: Found,
): RuleLines {
  const { announced, course } = state;
  const at = new Date(tick).toISOString();
  const figureDay = announcedDay(rule, day);
  const firing = {
    value: formatAmount(value),
    until: null,
    day: figureDay,
    course,
    items: [...items],
    currency,
  };
  if (announced === null) {
    const since = state.firingSince ?? at;
    return {
      state: { ...state, announced: { since, at, day: figureDay } },
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
 * What recipients do not know yet. Two lines when a mute hid the end of one day's firing and the start of
 * another's.
 * @param state after the rule moved by the value found
 */
export function linesOfRule(rule: Rule, state: RuleState, found: Found): RuleLines {
  const over = linesOfReturn(rule, state, found.currency);
  if (state.place !== 'firing') return over;
  const fires = linesOfFiring(rule, over.state, found);
  return { state: fires.state, lines: [...over.lines, ...fires.lines] };
}
