import type { Day } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { Course, AlertItem, AlertLine } from '#records/ledger/alert-line.ts';
import type { RuleState } from '#records/ledger/alert-state.ts';
import type { Rule } from '#registry/alert-rules.ts';

export function newRuleState({ measure, side }: Rule): RuleState {
  return {
    measure,
    side,
    place: 'ok',
    checks: 0,
    firingSince: null,
    announced: null,
    cameBack: null,
    course: null,
    value: null,
    noDataSince: null,
  };
}

export function isOut({ side, bound }: Rule, value: Thousandths): boolean {
  return side === 'above' ? value > bound : value < bound;
}

function isBack({ side, clearAt }: Rule, value: Thousandths): boolean {
  return side === 'above' ? value <= clearAt : value >= clearAt;
}

/** Sums and shares may be longer than an amount. */
function thousandths(value: string): Thousandths {
  return BigInt(value.replace('.', ''));
}

/** `null` stays `null`: what the value was before is not known. */
function courseWith({ side }: Rule, course: Course | null, value: Thousandths): Course | null {
  if (course === null) return null;
  const worst = thousandths(course.worst);
  const isWorse = side === 'above' ? value > worst : value < worst;
  return isWorse ? { ...course, worst: formatAmount(value) } : course;
}

/** `null` for a measure that is not of one day. */
function announcedDay(rule: Rule, day: Day): Day | null {
  return rule.ofDay ? day : null;
}

/** The value is known: ok → pending → firing → ok. @param at ISO 8601 in UTC */
export function moveRule(rule: Rule, before: RuleState, value: Thousandths, at: string, day: Day): RuleState {
  const state: RuleState = { ...before, value: formatAmount(value), noDataSince: null };
  if (state.place === 'firing') {
    if (!isBack(rule, value)) return { ...state, course: courseWith(rule, before.course, value) };
    const back = { at, value: formatAmount(value), course: before.course };
    const cameBack = state.announced === null ? null : (state.cameBack ?? back);
    return { ...state, place: 'ok', checks: 0, firingSince: null, cameBack, course: null };
  }
  if (!isOut(rule, value)) return { ...state, place: 'ok', checks: 0 };
  const checks = state.checks + 1;
  if (checks < rule.forChecks) return { ...state, place: 'pending', checks };
  // Recipients who were not yet notified that it came back still know that it fires. A firing of another day is over.
  const isKnown = state.announced?.day === announcedDay(rule, day);
  const { cameBack } = state;
  const anew = { began: formatAmount(value), worst: formatAmount(value) };
  const course = isKnown ? courseWith(rule, cameBack?.course ?? null, value) : anew;
  return { ...state, place: 'firing', checks, firingSince: at, cameBack: isKnown ? null : cameBack, course };
}

export function holdRule(before: RuleState, at: string): RuleState {
  return { ...before, noDataSince: before.noDataSince ?? at };
}

/**
 * A new day begins. The old day's figures are over, so recipients are not notified that they came back,
 * because they did not. A rule that came back while it was muted is still to be mailed.
 */
export function startAnew(rule: Rule, before: RuleState): RuleState {
  const { announced, cameBack, noDataSince } = before;
  return { ...newRuleState(rule), announced: cameBack === null ? null : announced, cameBack, noDataSince };
}

interface RuleLines {
  state: RuleState;
  lines: AlertLine[];
}

type Said = Pick<
  AlertLine,
  'says' | 'value' | 'since' | 'until' | 'day' | 'course' | 'items' | 'currency' | 'usual'
>;

function lineOf(rule: Rule, said: Said): AlertLine {
  const { name, severity, measure, unit, side, bound, withinDays: days = null, title, note } = rule;
  const at = formatAmount(bound);
  return { rule: name, severity, measure, unit, bound: { side, at }, days, title, note, ...said };
}

function linesOfReturn(rule: Rule, state: RuleState, { tick, usual, currency }: Found): RuleLines {
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
    // After a mute, what is known now is not what it came back with.
    ...(usual !== null && Date.parse(cameBack.at) === tick && { usual }),
  };
  return { state: { ...state, announced: null, cameBack: null }, lines: [lineOf(rule, resolved)] };
}

interface Found {
  value: Thousandths;
  usual: NonNullable<AlertLine['usual']> | null;
  /** Milliseconds UTC. */
  tick: number;
  day: Day;
  items: readonly AlertItem[];
  currency: string;
}

function linesOfFiring(
  rule: Rule,
  state: RuleState,
  { value, usual, tick, day, items, currency }: Found,
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
    ...(usual !== null && { usual }),
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
 * What recipients do not know yet. Two lines when a mute hid the end of one day's firing and the start of another's.
 * @param state after the rule moved by the value found
 */
export function linesOfRule(rule: Rule, state: RuleState, found: Found): RuleLines {
  const over = linesOfReturn(rule, state, found);
  if (state.place !== 'firing') return over;
  const fires = linesOfFiring(rule, over.state, found);
  return { state: fires.state, lines: [...over.lines, ...fires.lines] };
}
