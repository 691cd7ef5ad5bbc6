import type { Day } from '../business-day.ts';
import type { AlertLine, AlertState, RulePlace } from './alert-state.ts';
import type { Readings } from './readings.ts';
import type { Rule } from './rule.ts';

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

/** Moves every rule by one check and says what there is to tell. */
export function checkRules(input: CheckInput): CheckResult {
  throw new Error(`to be written: ${input.day}`);
}
