import * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { SEVERITIES } from '#records/ledger/alert-line.ts';
import type { Severity, Side, Unit } from '#records/ledger/alert-line.ts';
import { parseDecimal } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { memoized, once } from './once.ts';
import { problemsOf, unknownNames } from './problem.ts';
import type { Problem, MerchantProblem } from './problem.ts';
import { usableCode } from './registry.ts';
import type { Registry } from './registry.ts';
import { durationSchema, timeOfDaySchema } from './statement-settings.ts';

/** Of invoices: days ahead in which they expire, and days back in which they were created, today included. */
const windowSchema = z.lazy(() =>
  z.object({ withinDays: z.int().min(0).max(366), createdWithinDays: z.int().min(1).max(366).default(30) }),
);
type Window = z.infer<typeof windowSchema>;
const WINDOW = ['withinDays', 'createdWithinDays'] as const satisfies (keyof Window)[];

const NONE = z.lazy(() => z.object({}));

/**
 * What a rule may watch (docs/alerts.md, The measures). `ofDay`: of one day, beginning anew at midnight. `parameters`: the
 * members of a rule that only this measure has.
 */
export const MEASURES = [
  { name: 'invoiceCount', unit: 'count', ofDay: true, parameters: NONE },
  { name: 'unpaidCount', unit: 'count', ofDay: true, parameters: NONE },
  { name: 'unpaidShare', unit: 'percent', ofDay: true, parameters: NONE },
  { name: 'unpaidAmount', unit: 'amount', ofDay: true, parameters: NONE },
  { name: 'cancelledCount', unit: 'count', ofDay: true, parameters: NONE },
  { name: 'cancelledShare', unit: 'percent', ofDay: true, parameters: NONE },
  { name: 'refundCount', unit: 'count', ofDay: true, parameters: NONE },
  { name: 'refundTotal', unit: 'amount', ofDay: true, parameters: NONE },
  { name: 'refundShare', unit: 'percent', ofDay: true, parameters: NONE },
  { name: 'largestRefund', unit: 'amount', ofDay: true, parameters: NONE },
  { name: 'expiringUnpaid', unit: 'count', ofDay: false, parameters: windowSchema },
  { name: 'reportAge', unit: 'hours', ofDay: false, parameters: NONE },
  { name: 'shareOfUsualSoFar', unit: 'percent', ofDay: true, parameters: NONE },
  { name: 'shareOfUsualDay', unit: 'percent', ofDay: false, parameters: NONE },
] as const;
export type Measure = (typeof MEASURES)[number];

const NAMES = MEASURES.map(({ name }) => name);

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
  const bound = typeof text === 'string' ? parseDecimal(text) : null;
  return unit === 'count' && bound !== null && bound % 1_000n !== 0n ? null : bound;
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

export const ruleHeadSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
    measure: z.string().pipe(z.enum(NAMES)),
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
    repeatAfter: durationSchema(
      'mhd',
      'must be minutes, hours or days such as "30m", "24h" or "7d"',
    ).optional(),
    muteUntil: z.iso
      .datetime({ offset: true, error: 'must be a time with its offset such as "2026-11-21T09:00:00+03:00"' })
      .transform((text) => Date.parse(text))
      .optional(),
    severity: z.enum(SEVERITIES).default('warning'),
    notBefore: timeOfDaySchema.optional(),
    title: wordsSchema(LONGEST_TITLE),
    note: wordsSchema(LONGEST_NOTE),
  });
}

/** Bounds in thousandths, times in milliseconds. */
export const RULE_BODIES = {
  amount: z.lazy(() => ruleBodySchema('amount')),
  count: z.lazy(() => ruleBodySchema('count')),
  percent: z.lazy(() => ruleBodySchema('percent')),
  hours: z.lazy(() => ruleBodySchema('hours')),
} as const satisfies Record<Unit, unknown>;

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

const ruleMembers = once(() => [
  ...Object.keys(ruleHeadSchema.unwrap().shape),
  ...Object.keys(RULE_BODIES.count.unwrap().shape),
]);

/** A checked rule of `alert-check`. Bounds in thousandths of the unit, times in milliseconds. */
export interface Rule extends Partial<Window> {
  name: string;
  measure: Measure['name'];
  unit: Unit;
  ofDay: boolean;
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
    .filter((problem) => measure !== undefined || !BOUNDS.includes(String(problem.at.at(-1))));
  problems.push(...faultsTogether(given, measure, at));
  if (measure === undefined || !head.success || !body.success || parameters?.success !== true) {
    return { problems };
  }
  const { above, below, clearAt, repeatAfter, muteUntil, notBefore, title, note, ...others } = body.data;
  const bound = above ?? below ?? 0n;
  return {
    problems,
    rule: {
      name: head.data.name,
      measure: measure.name,
      unit: measure.unit,
      ofDay: measure.ofDay,
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
  return unknownNames(
    [...ruleMembers(), ...(namedMeasure(given)?.parameters === NONE ? [] : WINDOW)],
    given,
    at,
  );
}

export interface ReadRules {
  rules: Rule[];
  /** A rule in `defaults` counts once for its merchant. */
  leftOut: number;
  problems: Problem[];
  /** Reported, without failure. */
  unknown: Problem[];
}

/** A second rule of a name is left out even when the first is unusable: it would take over its state. */
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

export interface RegistryRules {
  leftOut: number;
  problems: MerchantProblem[];
  unknown: MerchantProblem[];
}

/** A registry stays the same object until it changes. */
const looked = new WeakMap<object, RegistryRules>();

/** Checks all rules of a registry, those of `defaults` once. Paths: `merchants[3].alerts[1].above`. */
export function rulesOfRegistry(registry: Pick<Registry, 'defaults' | 'merchants'>): RegistryRules {
  return memoized(looked, registry, () => {
    const rules: RegistryRules = { leftOut: 0, problems: [], unknown: [] };
    const look = (owner: unknown, at: readonly PropertyKey[], merchantCode: string | null) => {
      if (!isMembers(owner) || !Array.isArray(owner.alerts)) return;
      const { leftOut, problems, unknown } = readRules(owner.alerts, [...at, 'alerts']);
      rules.leftOut += leftOut;
      // One by one, as above.
      for (const problem of problems) rules.problems.push({ ...problem, merchantCode });
      for (const problem of unknown) rules.unknown.push({ ...problem, merchantCode });
    };
    look(registry.defaults, ['defaults'], null);
    for (const [index, entry] of registry.merchants.entries()) {
      look(entry, ['merchants', index], usableCode(entry));
    }
    return rules;
  });
}
