import { dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { worstFirst } from '#records/ledger/alert-line.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import type { RulePlace, RuleState, AlertState } from '#records/ledger/alert-state.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { Rule } from '#registry/alert-rules.ts';
import { itemsBehind, valueOf, type Readings } from './measures.ts';
import { holdRule, moveRule, newRuleState, startAnew, linesOfRule } from './move-rule.ts';

/** Why a check says nothing about a rule in a mail. */
type Silence =
  | 'waits'
  | 'no data'
  | 'muted'
  /** It is out of bounds, but not for enough checks in a row. */
  | 'pending'
  /** It fires, and recipients know. */
  | 'known'
  | 'in bounds';

interface CheckedRuleState {
  from: RulePlace;
  state: RuleState;
  value: Thousandths | null;
  usual: NonNullable<AlertLine['usual']> | null;
  isDue: boolean;
  isMuted: boolean;
  lines: readonly AlertLine[];
}

function silenceOf({ state, value, isDue, isMuted, lines }: CheckedRuleState): Silence | null {
  if (lines.length > 0) return null;
  if (!isDue) return 'waits';
  if (value === null) return 'no data';
  if (state.place === 'ok' && state.cameBack === null) return 'in bounds';
  if (isMuted) return 'muted';
  return state.place === 'pending' ? 'pending' : 'known';
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function findingOf(rule: Rule, checked: CheckedRuleState) {
  const { from, state, value, usual, isMuted, lines } = checked;
  const { announced } = state;
  const repeatsAt =
    announced === null || rule.repeatAfter === null ? null : Date.parse(announced.at) + rule.repeatAfter;
  return {
    rule: rule.name,
    measure: rule.measure,
    unit: rule.unit,
    severity: rule.severity,
    /** `null`: unknown, or not looked at yet. */
    value: value === null ? null : formatAmount(value),
    bound: { side: rule.side, at: formatAmount(rule.bound) },
    /** A value here or further on the good side ends a firing. */
    clearAt: formatAmount(rule.clearAt),
    from,
    to: state.place,
    /** Checks in a row out of bounds, this one included. */
    checks: state.checks,
    forChecks: rule.forChecks,
    /** ISO 8601 in UTC; `null` where it does not apply. */
    firingSince: state.firingSince,
    noDataSince: state.noDataSince,
    /** `null` when the rule is not muted now. */
    mutedUntil: isMuted ? timeOrNull(rule.muteUntil) : null,
    /** `HH:MM` in the merchant's zone. */
    notBefore: rule.notBefore,
    announcedAt: announced?.at ?? null,
    repeatsAt: timeOrNull(repeatsAt),
    /** What the value is a share of; `null` for another measure, and when it is unknown. */
    usual,
    /** What the mail would say about it: nothing, one line, or two. */
    says: lines.map(({ says }) => says),
    silence: silenceOf(checked),
  };
}
export type RuleFinding = ReturnType<typeof findingOf>;

const TWO_DAYS = 2 * 24 * 60 * 60 * 1_000;

interface DueInput {
  day: Day;
  isDaySealed: boolean;
  /** Milliseconds UTC. */
  now: number;
  timeZone: string;
}

/** A time that is reached stays so, also when the clock is set back. A skipped one is reached after the gap. */
function hasReached(timeOfDay: string, { day, now, timeZone }: DueInput): boolean {
  if (day < dayAt(now, timeZone)) return true;
  return daysReaching(timeOfDay, timeZone, now - TWO_DAYS, now).includes(day);
}

/**
 * A day's figures begin at zero, so a `below` rule would fire every midnight: it waits for its `notBefore` or
 * for the sealed day. An `above` rule waits only for a `notBefore`.
 */
export function isRuleDue(rule: Rule, input: DueInput): boolean {
  if (!rule.ofDay || input.isDaySealed) return true;
  return rule.notBefore === null ? rule.side === 'above' : hasReached(rule.notBefore, input);
}

interface CheckInput {
  rules: readonly Rule[];
  state: AlertState | undefined;
  readings: Readings;
  day: Day;
  /** Milliseconds UTC. It identifies the check. */
  tick: number;
  isDaySealed: boolean;
  timeZone: string;
  currency: string;
}

/** `value` is a decimal string in the measure's unit, `null` when none was ever known. */
interface Transition {
  rule: string;
  from: RulePlace;
  to: RulePlace | 'day ended' | 'removed';
  value: string | null;
}

/** `since` is ISO 8601, UTC, and stays the same during one spell. */
export interface NoData {
  rule: string;
  since: string;
  /** Whether too few earlier days are known to say what is usual. */
  isWithoutUsual?: true;
  /** Of a rule against the usual: why, if no reading failed. */
  cause?: string;
}

export interface CheckResult {
  /** Without a pending mail: the code that sends the lines adds `owed`. */
  state: AlertState;
  transitions: Transition[];
  lines: AlertLine[];
  noData: NoData[];
  findings: RuleFinding[];
}

/** Whether a check is later than the last one that moved something. @param tick milliseconds UTC */
export function isTickNew(state: AlertState | undefined, tick: number): boolean {
  return state === undefined || tick > Date.parse(state.tick);
}

/** `undefined` if the rule then had another measure, side or currency. */
function stateOf(rule: Rule, state: AlertState, currency: string): RuleState | undefined {
  const found = Object.hasOwn(state.rules, rule.name) ? state.rules[rule.name] : undefined;
  const isOfCurrency = rule.unit !== 'amount' || (state.currency ?? currency) === currency;
  return isOfCurrency && found?.measure === rule.measure && found.side === rule.side ? found : undefined;
}

/** Rules that are gone or others now. At `ok` nothing is open. */
function removals({ rules, currency }: CheckInput, state: AlertState): Transition[] {
  const kept = new Map(rules.map((rule) => [rule.name, rule]));
  return Object.entries(state.rules).flatMap(([name, { place, value }]): Transition[] => {
    const rule = kept.get(name);
    if (place === 'ok' || (rule !== undefined && stateOf(rule, state, currency) !== undefined)) return [];
    return [{ rule: name, from: place, to: 'removed', value }];
  });
}

/** The state would grow with the number of rules otherwise. */
const LINES_WITH_ITEMS = 5;

function withFewItems(lines: readonly AlertLine[]): AlertLine[] {
  const withItems = worstFirst(lines).filter(({ items }) => items.length > 0);
  const kept = new Set(withItems.slice(0, LINES_WITH_ITEMS));
  return lines.map((line) => (kept.has(line) ? line : { ...line, items: [] }));
}

function noDataOf(rule: Rule, { noDataSince: since }: RuleState, readings: Readings): NoData[] {
  if (since === null) return [];
  const { line, why } = readings.usual[rule.measure] ?? {};
  const isWithoutUsual = line && ({ isWithoutUsual: true } as const);
  return [{ rule: rule.name, since, ...isWithoutUsual, ...(why !== undefined && { cause: why }) }];
}

function checkRule(rule: Rule, input: CheckInput) {
  const { state: last, readings, day, tick, currency } = input;
  const at = new Date(tick).toISOString();
  const transitions: Transition[] = [];
  let before = (last && stateOf(rule, last, currency)) ?? newRuleState(rule);
  const from = before.place;
  const isMuted = rule.muteUntil !== null && rule.muteUntil > readings.now;
  const usual = readings.usual[rule.measure]?.line ?? null;
  const result = (state: RuleState, value: Thousandths | null, isDue: boolean, lines: AlertLine[] = []) => ({
    state,
    transitions,
    lines,
    noData: noDataOf(rule, state, readings),
    finding: findingOf(rule, { from, state, value, usual, isDue, isMuted, lines }),
  });
  if (rule.ofDay && last !== undefined && last.day !== day) {
    const { place, value } = before;
    if (place !== 'ok') transitions.push({ rule: rule.name, from: place, to: 'day ended', value });
    before = startAnew(rule, before);
  }
  if (!isRuleDue(rule, { ...input, now: readings.now })) {
    return result({ ...before, noDataSince: null }, null, false);
  }
  // An amount is not held against a bound in another currency.
  const isOther = rule.unit === 'amount' && readings.currency !== currency;
  const value = isOther ? null : valueOf(rule, readings);
  if (value === null) return result(holdRule(before, at), null, true);

  const moved = moveRule(rule, before, value, at, day);
  if (moved.place !== before.place) {
    transitions.push({ rule: rule.name, from: before.place, to: moved.place, value: moved.value });
  }
  if (isMuted) return result(moved, value, true);
  const items = itemsBehind(rule, readings);
  const { state, lines } = linesOfRule(rule, moved, { value, usual, tick, day, items, currency });
  return result(state, value, true, lines);
}

/** Moves every rule by one check, whose tick is new. One that is unknown or not looked at yet stays, without a line. */
export function checkRules(input: CheckInput): CheckResult {
  const { rules, state: last, day, tick, currency } = input;
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
    noData: checked.flatMap(({ noData }) => noData),
    findings: checked.map(({ finding }) => finding),
  };
}
