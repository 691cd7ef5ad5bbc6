import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asSent, countOf, listAsSent } from '#service/envelope/answer-schemas.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const record = z.object({ id: z.number(), inner: z.object({ name: z.string() }) });
const RIGHT = { id: 1, inner: { name: 'a' }, more: true };
const WRONG = { id: 1, inner: { name: 2 } };
const REASON = 'must be string';

/** The first issue as its path and its text. */
function firstOf(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
}

describe('records as they were sent', () => {
  it('are the same objects, in the same list', () => {
    expect(asSent(record).parse(RIGHT)).toBe(RIGHT);
    const list = [RIGHT, RIGHT];
    expect(listAsSent(record).parse(list)).toBe(list);
    expect(list[0]).toBe(RIGHT);
  });

  it('are refused with the path in it, wherever one stands, for the first wrong one only', () => {
    expect(firstOf(asSent(record), WRONG)).toBe(`inner.name: ${REASON}`);
    expect(firstOf(z.object({ one: asSent(record) }), { one: WRONG })).toBe(`one.inner.name: ${REASON}`);
    const around = asSent(z.object({ list: listAsSent(record) }));
    expect(firstOf(around, { list: [RIGHT, WRONG] })).toBe(`list.1.inner.name: ${REASON}`);
    const { error } = listAsSent(record).safeParse([RIGHT, WRONG, WRONG]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[1, 'inner', 'name']]);
  });

  it.each([undefined, null, { 0: 1 }, 'x', 7])('are no list: %j', (value) => {
    expect(firstOf(listAsSent(record), value)).toBe(': must be array');
  });
});

describe('a count', () => {
  const MOST = 1e12;

  it.each([0, 1, MOST, '0', '12', '007', '999999999999'])('is read: %j', (value) => {
    expect(countOf(value)).toBe(Number(value));
  });

  it('is unknown for everything else', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.integer({ min: -3, max: 3 }).map((near) => MOST + near),
      fc.stringMatching(/^[-+ ]?\d{0,14}[. ]?$/),
      fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, JSON.rawJSON('9007199254740993'), '١', '0x1'),
    );
    forAll([value], { numRuns: 2_000 }, (any) => {
      const isNumber = typeof any === 'number' && Number.isInteger(any) && any >= 0 && any <= MOST;
      const isCount = isNumber || (typeof any === 'string' && /^\d{1,12}$/.test(any));
      expect(countOf(any)).toBe(isCount ? Number(any) : null);
    });
  });
});
