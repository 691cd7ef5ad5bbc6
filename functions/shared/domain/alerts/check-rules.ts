import type { Day } from '../day/business-day.ts';
import type { AlertLine, AlertState, RulePlace, RuleState } from './alert-state.ts';
import { isRuleDue } from './due-rule.ts';
import { holdRule, moveRule, newRuleState, startAnew } from './move-rule.ts';
import type { Readings } from './readings.ts';
import type { Rule } from './rule.ts';
import { tellRule } from './tell-rule.ts';

export interface CheckInput {
  rules: readonly Rule[];
  /** As the last check left it, `undefined` before the first. */
  state: AlertState | undefined;
  readings: Readings;
  /** The merchant's day whose figures were read. */
  day: Day;
  /** Milliseconds UTC; what the check is known by, and the time that its moves and lines carry. */
  tick: number;
  /** Whether `day` has a sealed revision. */
  isDaySealed: boolean;
  timeZone: string;
}

/** A rule that moved; `value` is a decimal string of the measure's unit, `null` when none was ever known. */
export interface Transition {
  rule: string;
  from: RulePlace;
  to: RulePlace | 'day ended' | 'removed';
  value: string | null;
}

/** A rule whose value cannot be known, and since when (ISO 8601, UTC): the same time throughout one spell. */
export interface NoData {
  rule: string;
  since: string;
}

export interface CheckResult {
  /** As this check leaves it, owing nothing yet: who sends the lines adds `owed`. */
  state: AlertState;
  transitions: Transition[];
  /** What recipients are to be told, in the order of the rules. */
  lines: AlertLine[];
  /** The tick was counted before; nothing moved, and `state` is the one given. */
  ignored: boolean;
  noData: NoData[];
}

/** Whether a check of this tick (milliseconds UTC) would count: it is later than the last one counted. */
export function isTickNew(state: AlertState | undefined, tick: number): boolean {
  return state === undefined || tick > Date.parse(state.tick);
}

/** Rules that are gone or are about something else now; those at ok have nothing open to tell of. */
function removals(rules: readonly Rule[], state: AlertState): Transition[] {
  const kept = new Map(rules.map((rule) => [rule.name, rule]));
  return Object.entries(state.rules).flatMap(([name, { measure, side, place, value }]): Transition[] => {
    const rule = kept.get(name);
    if (place === 'ok' || (rule?.measure === measure && rule.side === side)) return [];
    return [{ rule: name, from: place, to: 'removed', value }];
  });
}

/** The rule's state as the last check left it, or a new one. */
function stateBefore(rule: Rule, state: AlertState | undefined): RuleState {
  const found =
    state !== undefined && Object.hasOwn(state.rules, rule.name) ? state.rules[rule.name] : undefined;
  return found?.measure === rule.measure && found.side === rule.side ? found : newRuleState(rule);
}

interface CheckedRule {
  state: RuleState;
  transitions: Transition[];
  lines: AlertLine[];
}

function checkRule(rule: Rule, input: CheckInput): CheckedRule {
  const { state: last, readings, day, tick } = input;
  const at = new Date(tick).toISOString();
  const transitions: Transition[] = [];
  let before = stateBefore(rule, last);
  if (rule.ofDay && last !== undefined && last.day !== day) {
    const { place, value } = before;
    if (place !== 'ok') transitions.push({ rule: rule.name, from: place, to: 'day ended', value });
    before = startAnew(rule, before);
  }
  // A rule that is not looked at has no value that could be missing.
  if (!isRuleDue(rule, { ...input, now: readings.now })) {
    return { state: { ...before, noDataSince: null }, transitions, lines: [] };
  }
  const value = rule.value(readings);
  if (value === null) return { state: holdRule(before, at), transitions, lines: [] };

  const moved = moveRule(rule, before, value, at, day);
  if (moved.place !== before.place) {
    transitions.push({ rule: rule.name, from: before.place, to: moved.place, value: moved.value });
  }
  const isMuted = rule.muteUntil !== null && rule.muteUntil > readings.now;
  const told = isMuted ? { state: moved, lines: [] } : tellRule(rule, moved, value, tick, day);
  return { ...told, transitions };
}

/**
 * Moves every rule by one check and says what there is to tell. A rule whose value cannot be known, or that is not
 * looked at yet, stays where it is, and nothing is said of it.
 */
export function checkRules(input: CheckInput): CheckResult {
  const { rules, state: last, day, tick } = input;
  if (last !== undefined && !isTickNew(last, tick)) {
    return { state: last, transitions: [], lines: [], ignored: true, noData: [] };
  }
  const checked = rules.map((rule) => ({ name: rule.name, ...checkRule(rule, input) }));
  return {
    state: {
      day,
      tick: new Date(tick).toISOString(),
      rules: Object.fromEntries(checked.map(({ name, state }) => [name, state])),
      owed: null,
    },
    transitions: [
      ...(last === undefined ? [] : removals(rules, last)),
      ...checked.flatMap(({ transitions }) => transitions),
    ],
    lines: checked.flatMap(({ lines }) => lines),
    ignored: false,
    noData: checked.flatMap(({ name, state: { noDataSince } }) =>
      noDataSince === null ? [] : { rule: name, since: noDataSince },
    ),
  };
}
