import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '#records/json/exact-json.ts';

function nestsDeeperThan(levels: number, text: string): boolean {
  return outlineOf(text).levels > levels;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('nestsDeeperThan', () => {
  it('agrees with the depth of the parsed text', () => {
    const text = fc.oneof(
      fc.jsonValue({ maxDepth: 8 }),
      fc.jsonValue({ maxDepth: 3 }).map((value) => ({ a: [value, '"]}\\', { '[[{"': '\\"[' }] })),
    );
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 0, max: 8 }),
        fc.constantFrom(undefined, 2),
        (value, levels, indent) => {
          expect(nestsDeeperThan(levels, JSON.stringify(value, null, indent))).toBe(depthOf(value) > levels);
        },
      ),
    );
  });

  it.each(['', '   ', '"[[["', '<html>{{{[[[', 'null'])('finds no depth in %j', (text) => {
    expect(nestsDeeperThan(0, text)).toBe(false);
  });

  it.each(['{"a":"[[[', '[1,"\\', '[]]]]]]][[', '["'])('ends with %j, which is cut or wrong', (text) => {
    expect(nestsDeeperThan(1, text)).toBe(false);
  });

  it('finds depth without end', () => {
    expect(nestsDeeperThan(100, '['.repeat(101))).toBe(true);
    expect(nestsDeeperThan(100, '{"a":'.repeat(101))).toBe(true);
    expect(nestsDeeperThan(100, '['.repeat(100))).toBe(false);
  });
});
