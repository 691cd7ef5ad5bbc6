import * as z from 'zod';
import type { Members } from '#records/json/exact-json.ts';
import { parseAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import { durationSchema } from '#registry/duration.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import { timeOfDaySchema } from '#registry/statement-settings.ts';
import { SEVERITIES } from '#mail/ledger/alert-line.ts';
import type { Measure } from './measure.ts';
import type { Unit } from '#mail/ledger/alert-line.ts';
import { MEASURES } from './measures/index.ts';

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

export const BOUNDS: readonly string[] = ['above', 'below', 'clearAt'];

/** What is wrong with the bounds together. @param unit of the measure, `undefined` when that is not known */
export function boundFaults(
  { above, below, clearAt }: Members,
  unit: Unit | undefined,
): { member: string; reason: string }[] {
  const faults: { member: string; reason: string }[] = [];
  if (above === undefined && below === undefined) {
    faults.push({ member: 'above', reason: '"above" or "below" must be given' });
  }
  if (above !== undefined && below !== undefined) {
    faults.push({ member: 'below', reason: 'cannot be given together with "above"' });
  }
  if (unit === undefined) return faults;
  const [over, under, clear] = [above, below, clearAt].map((bound) => readBound(bound, unit));
  if (typeof clear !== 'bigint') return faults;
  if (typeof over === 'bigint' && clear > over) {
    faults.push({ member: 'clearAt', reason: 'must not lie above the bound' });
  }
  if (typeof under === 'bigint' && clear < under) {
    faults.push({ member: 'clearAt', reason: 'must not lie below the bound' });
  }
  return faults;
}

/** Bounds in thousandths, times in milliseconds. */
export const RULE_BODIES = {
  amount: z.lazy(() => ruleBodySchema('amount')),
  count: z.lazy(() => ruleBodySchema('count')),
  percent: z.lazy(() => ruleBodySchema('percent')),
  hours: z.lazy(() => ruleBodySchema('hours')),
} as const satisfies Record<Unit, unknown>;

let members: readonly string[] | undefined;

export function ruleMembers(): readonly string[] {
  return (members ??= [
    ...Object.keys(ruleHeadSchema.unwrap().shape),
    ...Object.keys(RULE_BODIES.count.unwrap().shape),
  ]);
}
