import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { readEvent } from '#records/errors/invalid-event.ts';
import { fieldPath, firstIssue } from '#records/json/schema-issue.ts';
import { amount, date, datetime, integer, unspecified } from '#records/rows/contract-types.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

function issueOf(schema: z.ZodType, value: unknown): { path: string; reason: string } {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('the value should be wrong');
  return firstIssue(parsed.error);
}

it.each([
  ['response.invoices.data[3].amount', ['response', 'invoices', 'data', 3, 'amount']],
  ['[0].a', [0, 'a']],
  ['', []],
])('fieldPath writes "%s": members with dots and places with brackets', (path, steps) => {
  expect(fieldPath(steps)).toBe(path);
});

describe('firstIssue', () => {
  it.each<[string, z.ZodType, unknown, string, string]>([
    ['a wrong type', z.object({ a: z.string() }), { a: 1 }, 'a', 'must be string'],
    ['the first of two', z.object({ a: z.string(), b: z.string() }), {}, 'a', 'must be string'],
    ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'a', 'must be int'],
    ['a value outside a list', z.enum(['en', 'ar']), 'fr', '(root)', 'must be one of en, ar'],
    ['a custom check', z.object({ a: unspecified }), {}, 'a', 'must be there'],
    ['an integer of the contract', z.array(integer), ['7'], '[0]', 'must be an integer'],
    ['an amount', amount, '1.5', '(root)', 'must be a decimal string with three fraction digits'],
    ['a date', date, '20.11.2026', '(root)', 'must be a date YYYY-MM-DD'],
    ['a datetime', datetime, '2026-11-20', '(root)', 'must be a datetime YYYY-MM-DD HH:MM:SS'],
    ['a format', z.email(), 'nobody', '(root)', 'must be a valid email'],
    ['too little', z.int().min(1), 0, '(root)', 'is out of bounds (at least 1)'],
    ['too much', z.array(z.int()).max(1), [1, 2], '(root)', 'is out of bounds (at most 1)'],
    ['an unknown member', z.strictObject({}), { canary: 1 }, '(root)', 'has members that are not known here'],
    ['neither of two', z.union([z.int(), z.null()]), 'x', '(root)', 'is not what it must be'],
  ])('says what is expected of %s', (_what, schema, value, path, reason) => {
    expect(issueOf(schema, value)).toEqual({ path, reason });
  });

  it('never repeats a given value', () => {
    const schemas: z.ZodType[] = [
      z.enum(['en', 'ar']),
      z.literal('aes-256-cbc'),
      z.email(),
      z.url(),
      z.iso.datetime(),
      z.string().regex(/^[A-Z]{3}$/),
      z.string().max(2),
      z.string().startsWith('https:'),
      z.union([z.literal(1), z.literal(2)]),
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      z.record(z.string().max(1), z.int()),
      z.strictObject({ a: z.int() }),
      z.array(z.int()),
      amount,
      date,
      datetime,
      integer,
    ];
    forAll([fc.constantFrom(...schemas), fc.string({ maxLength: 20 })], (schema, suffix) => {
      const canary = `canary-${suffix}`;
      for (const value of [canary, { kind: canary }, { a: canary }, [canary]]) {
        const parsed = schema.safeParse(value);
        if (parsed.success) continue;
        expect(firstIssue(parsed.error).reason).not.toContain('canary');
      }
    });
  });
});

const event = z.strictObject({ day: z.string(), more: z.strictObject({ a: z.int() }).optional() });

it('an event that fits its schema is passed on', () => {
  expect(readEvent(event, { day: 'today' })).toEqual({ day: 'today' });
});

it.each([
  [{ day: 1 }, 'day', 'must be string'],
  [{ day: 'x', more: { a: 'x' } }, 'more.a', 'must be number'],
  [{ day: 'x', dya: 'x' }, 'dya', 'is not known here'],
  [{ day: 'x', more: { a: 1, b: 2 } }, 'more.b', 'is not known here'],
])('the event %j is refused with an error that names its member', (given, member, reason) => {
  const message = `the event is not usable: ${member}: ${reason}`;
  const error = { name: 'InvalidEventError', member, message };
  expect(() => readEvent(event, given)).toThrow(expect.objectContaining(error));
});
