import type { Day } from '../day/business-day.ts';
import { formatAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import type { RuleState } from './alert-state.ts';
import type { Rule } from './rule.ts';

/** The state of a rule before its first check. */
export function newRuleState({ measure, side }: Rule): RuleState {
  return {
    measure,
    side,
    place: 'ok',
    checks: 0,
    firingSince: null,
    announced: null,
    cameBack: null,
    value: null,
    noDataSince: null,
  };
}

function isOut({ side, bound }: Rule, value: Thousandths): boolean {
  return side === 'above' ? value > bound : value < bound;
}

function isBack({ side, clearAt }: Rule, value: Thousandths): boolean {
  return side === 'above' ? value <= clearAt : value >= clearAt;
}

/** The day that a rule's announcements are about; `null` for a measure that is of no one day. */
export function announcedDay(rule: Rule, day: Day): Day | null {
  return rule.ofDay ? day : null;
}

/**
 * The value is known: ok → pending → firing → ok.
 *
 * @param at ISO 8601 in UTC
 */
export function moveRule(rule: Rule, before: RuleState, value: Thousandths, at: string, day: Day): RuleState {
  const state: RuleState = { ...before, value: formatAmount(value), noDataSince: null };
  if (state.place === 'firing') {
    if (!isBack(rule, value)) return state;
    const cameBack = state.announced === null ? null : (state.cameBack ?? { at, value: formatAmount(value) });
    return { ...state, place: 'ok', checks: 0, firingSince: null, cameBack };
  }
  if (!isOut(rule, value)) return { ...state, place: 'ok', checks: 0 };
  const checks = state.checks + 1;
  if (checks < rule.forChecks) return { ...state, place: 'pending', checks };
  // Who was told of it and not yet of its coming back still knows that it fires; another day's firing is over for good.
  const isKnown = state.announced?.day === announcedDay(rule, day);
  return { ...state, place: 'firing', checks, firingSince: at, cameBack: isKnown ? null : state.cameBack };
}

/** The value cannot be known: everything holds. */
export function holdRule(before: RuleState, at: string): RuleState {
  return { ...before, noDataSince: before.noDataSince ?? at };
}

/**
 * The day is over, and with it whatever its figures did: nobody is told that they came back, since they did not. What
 * did come back and could not be told (muted) is still told.
 */
export function startAnew(rule: Rule, before: RuleState): RuleState {
  const { announced, cameBack, noDataSince } = before;
  return {
    ...newRuleState(rule),
    announced: cameBack === null ? null : announced,
    cameBack,
    noDataSince,
  };
}
