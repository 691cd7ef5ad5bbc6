import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { currencySchema, sealed } from '#records/money/money.ts';
import { alertLineSchema, courseOrNull, sideSchema, timeSchema } from './alert-line.ts';

const RULE_PLACES = ['ok', 'pending', 'firing'] as const;
export type RulePlace = (typeof RULE_PLACES)[number];

/** Values are decimal strings in the measure's unit with three fraction digits. */
const ruleStateSchema = z.lazy(() =>
  z.object({
    /** With another measure or side, the same name is another rule. */
    measure: z.string(),
    side: sideSchema,
    place: z.enum(RULE_PLACES),
    checks: sealed.count,
    /** When the current firing began, `null` when the rule does not fire. */
    firingSince: timeSchema.nullable(),
    /** What recipients were last told; `null` when nothing is open. `day`: of the figures, `null` without one. */
    announced: z.object({ since: timeSchema, at: timeSchema, day: daySchema.nullable() }).nullable(),
    cameBack: z.object({ at: timeSchema, value: sealed.amount, course: courseOrNull }).nullable(),
    course: courseOrNull,
    /** At the last check that moved something. */
    value: sealed.amount.nullable(),
    /** Since when the value is unknown, `null` when it is known. */
    noDataSince: timeSchema.nullable(),
  }),
);
export type RuleState = z.infer<typeof ruleStateSchema>;

/** What earlier days like a day had together before each quarter of an hour, and how many they are. */
const usualByQuarterSchema = z.lazy(() => z.object({ days: sealed.count, before: z.array(sealed.amount) }));
export type UsualByQuarter = z.infer<typeof usualByQuarterSchema>;

/** One object (docs/interfaces.md, 6.5 Rule states), so that one conditional write moves all rules together. */
export const alertStateSchema = z.lazy(() =>
  z.object({
    day: daySchema,
    /** The last check that moved something. One that is not later does not count. */
    tick: timeSchema,
    /** A name may be one that every object has as a member, so use `Object.hasOwn`. */
    rules: z.record(z.string(), ruleStateSchema),
    /** Of the amounts in `rules`, and of their bounds. States of earlier versions do not have it. */
    currency: currencySchema.optional(),
    /** The service's own id of the merchant, looked up once a day. Missing while it is not known. */
    merchantId: z.string().optional(),
    /** For rules against the usual, looked up once a day. */
    usual: usualByQuarterSchema.optional(),
    /**
     * The pending mail of the last check, written with the states that it is about. Each later check sends it
     * until its ledger says what became of it. `check` names the ledger.
     */
    owed: z.object({ check: z.string(), day: daySchema, lines: z.array(alertLineSchema) }).nullable(),
  }),
);
export type AlertState = z.infer<typeof alertStateSchema>;

/** As the object of a merchant has it. Those of earlier versions do not name their merchant. */
export function storedAlertState(merchantCode: string) {
  return alertStateSchema
    .unwrap()
    .extend({ merchantCode: z.literal(merchantCode, 'belongs to another key').optional() });
}

export type PendingAlertMail = NonNullable<AlertState['owed']>;

const NO_TICK = new Date(0).toISOString();

/** How much the clocks of two machines may differ. Milliseconds. */
export const CLOCKS_DIFFER = 5 * 60_000;

/**
 * Without times in the future, from an edit or a wrong clock: a tick there would keep every check until then
 * from counting, other times would suppress mails.
 * @param now milliseconds UTC, {@link CLOCKS_DIFFER} tolerated
 */
export function withoutFutureTimes(state: AlertState, now: number): AlertState {
  const latest = now + CLOCKS_DIFFER;
  const isFuture = (time: string) => Date.parse(time) > latest;
  const past = (time: string) => (isFuture(time) ? new Date(now).toISOString() : time);
  const pastOrNull = (time: string | null) => (time === null ? null : past(time));
  const ofRule = (rule: RuleState): RuleState => ({
    ...rule,
    firingSince: pastOrNull(rule.firingSince),
    announced: rule.announced && {
      ...rule.announced,
      since: past(rule.announced.since),
      at: past(rule.announced.at),
    },
    cameBack: rule.cameBack && { ...rule.cameBack, at: past(rule.cameBack.at) },
    noDataSince: pastOrNull(rule.noDataSince),
  });
  return {
    ...state,
    tick: isFuture(state.tick) ? NO_TICK : state.tick,
    rules: Object.fromEntries(Object.entries(state.rules).map(([name, rule]) => [name, ofRule(rule)])),
  };
}

function lasting({ tick: _tick, rules, ...others }: AlertState) {
  return {
    ...others,
    rules: Object.entries(rules).map(([name, { value: _value, ...rule }]) => ({ name, rule })),
  };
}

/**
 * Whether a check moved more than its own tick and values. If it did not, it need not be written: without it,
 * later checks decide the same.
 * @param before as it is stored, with times in the future
 */
export function hasMoved(before: AlertState | undefined, after: AlertState): boolean {
  // The watch takes a mail as abandoned when its tick is old.
  if (before === undefined || before.owed !== null || after.owed !== null) return true;
  // A tick of the future would be out of every later check's reach.
  if (Date.parse(before.tick) > Date.parse(after.tick)) return true;
  return !isSameJson(lasting(before), lasting(after));
}
