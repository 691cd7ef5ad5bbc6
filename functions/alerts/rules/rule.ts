import type { Thousandths } from '#records/money/money.ts';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { problemsOf, unknownNames } from '#registry/problem.ts';
import type { Problem, MerchantProblem } from '#registry/problem.ts';
import type { Severity, Side, Unit } from '#records/ledger/alert-line.ts';
import type { Measure, MeasureOfRule, Need } from './measures.ts';
import { MEASURES } from './measures.ts';
import * as z from 'zod';
import { parseAmount } from '#records/money/money.ts';
import { durationSchema, timeOfDaySchema } from '#registry/statement-settings.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { SEVERITIES } from '#records/ledger/alert-line.ts';
import { usableCode } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';

/** Digits and up to three decimals. No sign, because no measure has bounds below zero. */
const DECIMAL = /^\d{1,30}(\.\d{1,3})?$/;
/** A larger JSON number may have lost the digits that were written. */
const LARGEST_NUMBER = 1e12;

const BOUND_OF: Record<Unit, string> = {
  amount: 'a decimal string such as "12.500", not negative',
  count: 'a whole number, not negative',
  percent: 'a number with at most three decimals, not negative',
  hours: 'a number with at most three decimals, not negative',
};

/** In thousandths, `null` for no bound of this unit. Amounts must be strings: numbers are not exact. */
function readBound(given: unknown, unit: Unit): Thousandths | null {
  const isExactNumber = typeof given === 'number' && given < LARGEST_NUMBER && unit !== 'amount';
  const text = isExactNumber ? String(given) : given;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  const [whole = '', decimals = ''] = text.split('.');
  const bound = parseAmount(`${whole}.${decimals.padEnd(3, '0')}`);
  return unit === 'count' && bound % 1_000n !== 0n ? null : bound;
}

function boundSchema(unit: Unit) {
  return z
    .unknown()
    .transform((given, context): Thousandths => {
      const bound = readBound(given, unit);
      if (bound !== null) return bound;
      context.addIssue({ code: 'custom', message: `must be ${BOUND_OF[unit]}` });
      return z.NEVER;
    })
    .optional();
}

const repeatAfterSchema = z.lazy(() =>
  durationSchema('mhd', 'must be minutes, hours or days such as "30m", "24h" or "7d"'),
);

const instantSchema = z.lazy(() =>
  z.iso
    .datetime({ offset: true, error: 'must be a time with its offset such as "2026-11-21T09:00:00+03:00"' })
    .transform((text) => Date.parse(text)),
);

const measureSchema = z.lazy(() =>
  z.string().transform((name, context): Measure => {
    const measure = MEASURES.find((one) => one.name === name);
    if (measure !== undefined) return measure;
    context.addIssue({
      code: 'custom',
      message: `must be one of ${MEASURES.map((one) => one.name).join(', ')}`,
    });
    return z.NEVER;
  }),
);

export const ruleHeadSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
    measure: measureSchema,
  }),
);

/** UTF-16 units. */
const LONGEST_TITLE = 80;
const LONGEST_NOTE = 300;

function wordsSchema(longest: number) {
  const message = `must be a text of 1 to ${longest} characters`;
  return z.string(message).trim().min(1, message).max(longest, message).optional();
}

function ruleBodySchema(unit: Unit) {
  return z.object({
    above: boundSchema(unit),
    below: boundSchema(unit),
    clearAt: boundSchema(unit),
    forChecks: z.int().min(1).max(1_000).default(1),
    repeatAfter: repeatAfterSchema.optional(),
    muteUntil: instantSchema.optional(),
    severity: z.enum(SEVERITIES).default('warning'),
    notBefore: timeOfDaySchema.optional(),
    title: wordsSchema(LONGEST_TITLE),
    note: wordsSchema(LONGEST_NOTE),
  });
}

const BOUNDS: readonly string[] = ['above', 'below', 'clearAt'];

/** What is wrong with members together. @param measure `undefined` when it is not known */
function faultsTogether(given: Members, measure: Measure | undefined, at: readonly PropertyKey[]): Problem[] {
  const problems: Problem[] = [];
  const fault = (member: string, reason: string) => {
    problems.push({ at: [...at, member], reason, value: given[member], candidates: [] });
  };
  const { above, below, clearAt, notBefore } = given;
  if (above === undefined && below === undefined) fault('above', '"above" or "below" must be given');
  if (above !== undefined && below !== undefined) fault('below', 'cannot be given together with "above"');
  if (measure === undefined) return problems;
  const [over = null, under = null, clear = null] = [above, below, clearAt].map((bound) =>
    readBound(bound, measure.unit),
  );
  if (clear !== null && over !== null && clear > over) fault('clearAt', 'must not lie above the bound');
  if (clear !== null && under !== null && clear < under) fault('clearAt', 'must not lie below the bound');
  if (!measure.ofDay && notBefore !== undefined) fault('notBefore', 'is for measures of one day only');
  return problems;
}

/** Bounds in thousandths, times in milliseconds. */
export const RULE_BODIES = {
  amount: z.lazy(() => ruleBodySchema('amount')),
  count: z.lazy(() => ruleBodySchema('count')),
  percent: z.lazy(() => ruleBodySchema('percent')),
  hours: z.lazy(() => ruleBodySchema('hours')),
} as const satisfies Record<Unit, unknown>;

let members: readonly string[] | undefined;

function ruleMembers(): readonly string[] {
  // Every unwrapping builds the schema again.
  return (members ??= [
    ...Object.keys(ruleHeadSchema.unwrap().shape),
    ...Object.keys(RULE_BODIES.count.unwrap().shape),
  ]);
}

/** A checked rule of `alert-check`. Bounds in thousandths of the unit, times in milliseconds. */
export interface Rule extends MeasureOfRule, Pick<Measure, 'unit' | 'needs' | 'ofDay' | 'usual'> {
  name: string;
  measure: string;
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

function readRule(given: unknown, at: readonly PropertyKey[]): { rule?: Rule; problems: Problem[] } {
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
  const { unit, needs, ofDay, usual } = ofRule;
  const { above, below, clearAt, repeatAfter, muteUntil, notBefore, title, note, ...others } = body.data;
  const bound = above ?? below ?? 0n;
  return {
    problems,
    rule: {
      ...{ name, measure: ofRule.name, unit, needs, ofDay, usual },
      ...parameters.data,
      ...others,
      side: above === undefined ? 'below' : 'above',
      bound,
      clearAt: clearAt ?? bound,
      repeatAfter: repeatAfter ?? null,
      muteUntil: muteUntil ?? null,
      notBefore: notBefore ?? null,
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
  return unknownNames([...ruleMembers(), ...own], given, at);
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
    const { rule, problems } = readRule(given, place);
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

export interface Needs {
  needs: ReadonlySet<Need>;
  /** Days before today whose sealed pages are read for `expiring`. */
  sealedDaysBack: number;
}

export function needsOf(rules: readonly Rule[]): Needs {
  return {
    needs: new Set(rules.flatMap((rule) => rule.needs)),
    sealedDaysBack: Math.max(0, ...rules.map((rule) => rule.sealedDaysBack)),
  };
}

function alertsOf(entry: unknown): readonly unknown[] {
  return isMembers(entry) && Array.isArray(entry.alerts) ? entry.alerts : [];
}

export interface RegistryRules {
  leftOut: number;
  problems: MerchantProblem[];
  unknown: MerchantProblem[];
}

/** A registry stays the same object until it changes. */
const looked = new WeakMap<object, RegistryRules>();

/** Checks all rules of a registry, those of `defaults` once. Paths: `merchants[3].alerts[1].above`. */
export function rulesOfRegistry(registry: Pick<Registry, 'defaults' | 'merchants'>): RegistryRules {
  const known = looked.get(registry);
  if (known !== undefined) return known;
  const rules: RegistryRules = { leftOut: 0, problems: [], unknown: [] };
  const look = (owner: unknown, at: readonly PropertyKey[], merchantCode: string | null) => {
    const { leftOut, problems, unknown } = readRules(alertsOf(owner), [...at, 'alerts']);
    const ofMerchant = (problem: Problem) => ({ ...problem, merchantCode });
    rules.leftOut += leftOut;
    // One by one: a call with some hundred thousand arguments overflows the stack.
    for (const problem of problems) rules.problems.push(ofMerchant(problem));
    for (const problem of unknown) rules.unknown.push(ofMerchant(problem));
  };
  look(registry.defaults, ['defaults'], null);
  for (const [index, entry] of registry.merchants.entries()) {
    look(entry, ['merchants', index], usableCode(entry));
  }
  looked.set(registry, rules);
  return rules;
}
