import type { Thousandths } from '#records/money/money.ts';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { problemsOf, UNKNOWN } from '#registry/problem.ts';
import type { Problem } from '#registry/problem.ts';
import type { Severity, Side, Unit } from '#mail/ledger/alert-line.ts';
import type { BehindOf, Measure, ValueOf } from './measure.ts';
import { MEASURES } from './measures/index.ts';
import type { Need } from './readings.ts';
import { boundFaults, BOUNDS, RULE_BODIES, ruleHeadSchema, ruleMembers } from './rule-members.ts';

/** A checked rule of `alert-check`. Bounds in thousandths of the unit, times in milliseconds. */
export interface Rule {
  name: string;
  measure: string;
  unit: Unit;
  needs: readonly Need[];
  /** Of one day, starting again at midnight. */
  ofDay: boolean;
  /** Days before today whose sealed pages are read for it. 0: none. */
  sealedDaysBack: number;
  side: Side;
  /** Values beyond it are out of bounds. */
  bound: Thousandths;
  /** A value here or further on the good side ends a firing. */
  clearAt: Thousandths;
  forChecks: number;
  /** Milliseconds; `null` for never. */
  repeatAfter: number | null;
  /** Milliseconds UTC; `null` when it is not muted. */
  muteUntil: number | null;
  severity: Severity;
  /** `HH:MM` of the merchant's clock, before which only a sealed day's figure is looked at. */
  notBefore: string | null;
  value: ValueOf;
  behind: BehindOf;
  /** Days ahead that the measure looks; `null` when it does not. */
  days: number | null;
  title: string | null;
  note: string | null;
}

export interface ReadRules {
  rules: Rule[];
  /** A rule in `defaults` counts once for its merchant. */
  leftOut: number;
  problems: Problem[];
  /** Reported, without failure. */
  unknown: Problem[];
}

function namedMeasure({ measure }: Members): Measure | undefined {
  return MEASURES.find(({ name }) => name === measure);
}

function faultsTogether(given: Members, measure: Measure | undefined, at: readonly PropertyKey[]): Problem[] {
  const faults = boundFaults(given, measure?.unit);
  if (measure?.ofDay === false && given.notBefore !== undefined) {
    faults.push({ member: 'notBefore', reason: 'is for measures of one day only' });
  }
  return faults.map(({ member, reason }) => {
    return { at: [...at, member], reason, value: given[member], candidates: [] };
  });
}

type RuleOrProblems = { rule: Rule; problems?: never } | { rule?: never; problems: Problem[] };

function readRule(given: unknown, at: readonly PropertyKey[]): RuleOrProblems {
  if (!isMembers(given)) {
    return { problems: [{ at, reason: 'must be object', value: given, candidates: [] }] };
  }
  const measure = namedMeasure(given);
  const head = ruleHeadSchema.safeParse(given);
  // The unit decides what a bound may be. Without a measure it is not known, and bounds are not checked.
  const body = RULE_BODIES[measure?.unit ?? 'count'].safeParse(given);
  const parameters = measure?.parameters.safeParse(given);
  const problems = [head, body, parameters]
    .flatMap((read) => (read?.error === undefined ? [] : problemsOf(read.error, given, at)))
    .filter((problem) => measure !== undefined || !BOUNDS.includes(String(problem.at.at(-1))))
    .map((problem) => {
      const isMeasure = problem.at.at(-1) === 'measure';
      return isMeasure ? { ...problem, candidates: MEASURES.map(({ name }) => name) } : problem;
    });
  problems.push(...faultsTogether(given, measure, at));
  if (!head.success || !body.success || parameters?.success !== true || problems.length > 0) {
    return { problems };
  }
  const { name, measure: ofRule } = head.data;
  const { above, below, clearAt, forChecks, repeatAfter, muteUntil, severity, notBefore, title, note } =
    body.data;
  const bound = above ?? below ?? 0n;
  return {
    rule: {
      name,
      measure: ofRule.name,
      unit: ofRule.unit,
      needs: ofRule.needs,
      ofDay: ofRule.ofDay,
      sealedDaysBack: parameters.data.sealedDaysBack,
      side: above === undefined ? 'below' : 'above',
      bound,
      clearAt: clearAt ?? bound,
      forChecks,
      repeatAfter: repeatAfter ?? null,
      muteUntil: muteUntil ?? null,
      severity,
      notBefore: notBefore ?? null,
      value: parameters.data.value,
      behind: parameters.data.behind,
      days: parameters.data.days,
      title: title ?? null,
      note: note ?? null,
    },
  };
}

/** While the measure is not known, members of all measures count as known. */
function unknownOf(given: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(given)) return [];
  const measure = namedMeasure(given);
  const own = (measure === undefined ? MEASURES : [measure]).flatMap(({ parameterNames }) => parameterNames);
  const candidates = [...ruleMembers(), ...own];
  const known = new Set(candidates);
  return Object.keys(given)
    .filter((member) => !known.has(member))
    .map((member) => ({ at: [...at, member], reason: UNKNOWN, value: undefined, candidates }));
}

/**
 * Reads `alerts` one by one. A second rule of a name is left out even when the first is unusable: it would
 * take over the first one's state.
 * @param at for paths such as `alerts[1].above`
 */
export function readRules(alerts: readonly unknown[], at: readonly PropertyKey[] = ['alerts']): ReadRules {
  const read: ReadRules = { rules: [], leftOut: 0, problems: [], unknown: [] };
  const names = new Set<unknown>();
  for (const [index, given] of alerts.entries()) {
    const place = [...at, index];
    const { rule, problems = [] } = readRule(given, place);
    const name = isMembers(given) ? given.name : undefined;
    if (typeof name === 'string' && names.has(name)) {
      const reason = 'is the name of a rule before it';
      problems.push({ at: [...place, 'name'], reason, value: name, candidates: [] });
    }
    if (rule !== undefined && problems.length === 0) read.rules.push(rule);
    else read.leftOut += 1;
    // One by one: a call with some hundred thousand arguments overflows the stack.
    for (const problem of problems) read.problems.push(problem);
    for (const problem of unknownOf(given, place)) read.unknown.push(problem);
    names.add(name);
  }
  return read;
}
