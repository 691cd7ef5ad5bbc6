import type { Day } from '../day/business-day.ts';
import { dayAt, daysReaching } from '../day/business-day.ts';
import type { AlertLine, AlertState, RulePlace, RuleState } from './alert-state.ts';
import { holdRule, moveRule, newRuleState, startAnew } from './move-rule.ts';
import type { Thousandths } from '../money/money.ts';
import type { Readings } from './readings.ts';
import type { Rule } from './rule.ts';
import { findingOf } from './rule-finding.ts';
import type { RuleFinding } from './rule-finding.ts';
import { linesOfRule } from './rule-lines.ts';
import { worstFirst } from './worst-first.ts';

const TWO_DAYS = 2 * 24 * 60 * 60 * 1_000;

/** The parts of a check that decide whether it looks at a rule. */
interface DueInput {
  day: Day;
  isDaySealed: boolean;
  /** Milliseconds UTC. */
  now: number;
  timeZone: string;
}

/**
 * Whether the clock reached the time on that day. On a past day it has. Once reached it stays reached, also
 * when the clock is set back. A time that daylight saving skips is reached when the clock passes it.
 */
function hasReached(timeOfDay: string, { day, now, timeZone }: DueInput): boolean {
  if (day < dayAt(now, timeZone)) return true;
  return daysReaching(timeOfDay, timeZone, now - TWO_DAYS, now).includes(day);
}

/**
 * Whether a check looks at the rule. A day's figures begin at zero, so a `below` rule would fire every
 * midnight. It waits for its `notBefore`, or for the sealed day. An `above` rule waits only when it has a
 * `notBefore`.
 */
function isRuleDue(rule: Rule, input: DueInput): boolean {
  if (!rule.ofDay || input.isDaySealed) return true;
  return rule.notBefore === null ? rule.side === 'above' : hasReached(rule.notBefore, input);
}

/** What a check of a merchant's rules needs. */
export interface CheckInput {
  rules: readonly Rule[];
  /** The state after the last check, `undefined` before the first. */
  state: AlertState | undefined;
  readings: Readings;
  /** The merchant's day whose figures were read. */
  day: Day;
  /** Milliseconds UTC. It identifies the check, and it is the time of its moves and lines. */
  tick: number;
  /** Whether `day` has a sealed revision. */
  isDaySealed: boolean;
  timeZone: string;
  /** Of the rules' bounds: the registry's. */
  currency: string;
}

/** A rule that moved. `value` is a decimal string in the measure's unit, `null` when none was ever known. */
export interface Transition {
  rule: string;
  from: RulePlace;
  to: RulePlace | 'day ended' | 'removed';
  value: string | null;
}

/**
 * A rule whose value is unknown, and since when (ISO 8601, UTC). The time stays the same during one spell.
 */
export interface NoData {
  rule: string;
  since: string;
}

/** The result of a check. */
export interface CheckResult {
  /** The state after this check, without a pending mail. The code that sends the lines adds `owed`. */
  state: AlertState;
  transitions: Transition[];
  /** What recipients are to be notified of, in the order of the rules. */
  lines: AlertLine[];
  /** The tick was counted before. Nothing moved, and `state` is unchanged. */
  ignored: boolean;
  noData: NoData[];
  /** What was found about each rule, in the order of the rules. */
  findings: RuleFinding[];
}

/** Whether a check of this tick (milliseconds UTC) counts: it is later than the last one that counted. */
export function isTickNew(state: AlertState | undefined, tick: number): boolean {
  return state === undefined || tick > Date.parse(state.tick);
}

/** The rule's state after the last check. `undefined` if it then had another measure or side, or amounts in another currency. */
function stateOf(rule: Rule, state: AlertState, currency: string): RuleState | undefined {
  const found = Object.hasOwn(state.rules, rule.name) ? state.rules[rule.name] : undefined;
  const isOfCurrency = rule.unit !== 'amount' || (state.currency ?? currency) === currency;
  return isOfCurrency && found?.measure === rule.measure && found.side === rule.side ? found : undefined;
}

/** Rules that were removed or are others now. Rules at `ok` have nothing open and are left out. */
function removals({ rules, currency }: CheckInput, state: AlertState): Transition[] {
  const kept = new Map(rules.map((rule) => [rule.name, rule]));
  return Object.entries(state.rules).flatMap(([name, { place, value }]): Transition[] => {
    const rule = kept.get(name);
    if (place === 'ok' || (rule !== undefined && stateOf(rule, state, currency) !== undefined)) return [];
    return [{ rule: name, from: place, to: 'removed', value }];
  });
}

/** What a rule reads. An amount is not held against a bound in another currency. */
function valueOf(rule: Rule, { readings, currency }: CheckInput): Thousandths | null {
  return rule.unit === 'amount' && readings.currency !== currency ? null : rule.value(readings);
}

/** How many lines of a mail name invoices. The state would grow with the number of rules otherwise. */
const LINES_WITH_ITEMS = 5;

/** The lines in their order. Only the worst of them keep their items. */
function withFewItems(lines: readonly AlertLine[]): AlertLine[] {
  const withItems = worstFirst(lines).filter(({ items }) => items.length > 0);
  const kept = new Set(withItems.slice(0, LINES_WITH_ITEMS));
  return lines.map((line) => (kept.has(line) ? line : { ...line, items: [] }));
}

interface CheckedRule {
  state: RuleState;
  transitions: Transition[];
  lines: AlertLine[];
  finding: RuleFinding;
}

function checkRule(rule: Rule, input: CheckInput): CheckedRule {
  const { state: last, readings, day, tick, currency } = input;
  const at = new Date(tick).toISOString();
  const transitions: Transition[] = [];
  let before = (last && stateOf(rule, last, currency)) ?? newRuleState(rule);
  const from = before.place;
  const isMuted = rule.muteUntil !== null && rule.muteUntil > readings.now;
  const result = (state: RuleState, value: Thousandths | null, isDue: boolean, lines: AlertLine[] = []) => ({
    state,
    transitions,
    lines,
    finding: findingOf(rule, { from, state, value, isDue, isMuted, lines }),
  });
  if (rule.ofDay && last !== undefined && last.day !== day) {
    const { place, value } = before;
    if (place !== 'ok') transitions.push({ rule: rule.name, from: place, to: 'day ended', value });
    before = startAnew(rule, before);
  }
  // A rule that is not looked at cannot have a missing value.
  if (!isRuleDue(rule, { ...input, now: readings.now })) {
    return result({ ...before, noDataSince: null }, null, false);
  }
  const value = valueOf(rule, input);
  if (value === null) return result(holdRule(before, at), null, true);

  const moved = moveRule(rule, before, value, at, day);
  if (moved.place !== before.place) {
    transitions.push({ rule: rule.name, from: before.place, to: moved.place, value: moved.value });
  }
  if (isMuted) return result(moved, value, true);
  const items = rule.behind(readings);
  const { state, lines } = linesOfRule(rule, moved, { value, tick, day, items, currency });
  return result(state, value, true, lines);
}

/**
 * Moves every rule by one check and returns what recipients are to be notified of. A rule whose value is
 * unknown, or that is not looked at yet, does not move and causes no line.
 */
export function checkRules(input: CheckInput): CheckResult {
  const { rules, state: last, day, tick, currency } = input;
  if (last !== undefined && !isTickNew(last, tick)) {
    return { state: last, transitions: [], lines: [], ignored: true, noData: [], findings: [] };
  }
  const checked = rules.map((rule) => ({ name: rule.name, ...checkRule(rule, input) }));
  return {
    state: {
      day,
      tick: new Date(tick).toISOString(),
      rules: Object.fromEntries(checked.map(({ name, state }) => [name, state])),
      currency,
      owed: null,
    },
    transitions: [
      ...(last === undefined ? [] : removals(input, last)),
      ...checked.flatMap(({ transitions }) => transitions),
    ],
    lines: withFewItems(checked.flatMap(({ lines }) => lines)),
    ignored: false,
    noData: checked.flatMap(({ name, state: { noDataSince } }) =>
      noDataSince === null ? [] : { rule: name, since: noDataSince },
    ),
    findings: checked.map(({ finding }) => finding),
  };
}
