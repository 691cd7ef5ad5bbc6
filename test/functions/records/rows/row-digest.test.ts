import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowDigest, revisionDigest } from '#records/rows/row-digest.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';

function digestOf(rows: readonly string[]): string {
  const digest = new RowDigest();
  for (const row of rows) digest.add(row);
  return digest.value();
}

const rows = fc.array(fc.string({ unit: ANY_CHARACTER, maxLength: 12 }), { maxLength: 12 });

describe('RowDigest', () => {
  it('of no rows is zero', () => {
    expect(digestOf([])).toBe(`0:${'0'.repeat(64)}`);
  });

  it('of one row is its SHA-256', () => {
    expect(digestOf(['{"id":1}'])).toBe(`1:${createHash('sha256').update('{"id":1}').digest('hex')}`);
  });

  it('is the sum modulo 2^256', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const sum = given.reduce(
          (total, row) => total + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`),
          0n,
        );
        expect(digestOf(given)).toBe(
          `${given.length}:${BigInt.asUintN(256, sum).toString(16).padStart(64, '0')}`,
        );
      }),
    );
  });

  it('does not depend on the order of rows', () => {
    const shuffled = rows.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        expect(digestOf(other)).toBe(digestOf(given));
      }),
    );
  });

  it('changes with any row that is removed, added or changed', () => {
    const change = fc.tuple(rows, fc.nat(), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(change, ([given, place, row]) => {
        const index = given.length === 0 ? 0 : place % given.length;
        const digest = digestOf(given);
        expect(digestOf([...given, row])).not.toBe(digest);
        if (given.length === 0) return;
        expect(digestOf(given.toSpliced(index, 1))).not.toBe(digest);
        if (given[index] !== row) expect(digestOf(given.with(index, row))).not.toBe(digest);
      }),
    );
  });

  it('distinguishes a row that came twice from one that came once', () => {
    expect(digestOf(['a', 'a'])).not.toBe(digestOf(['a']));
  });
});

describe('revisionDigest', () => {
  const tableOf = (given: readonly string[]) => {
    const digest = new RowDigest();
    for (const row of given) digest.add(row);
    return digest;
  };

  it('is SHA-256 in hexadecimal', () => {
    expect(revisionDigest([tableOf(['a']), tableOf([])])).toMatch(/^[0-9a-f]{64}$/);
  });

  it('depends on the table of each row', () => {
    expect(revisionDigest([tableOf(['a']), tableOf([])])).not.toBe(
      revisionDigest([tableOf([]), tableOf(['a'])]),
    );
  });

  it('is the same for the same rows of each table', () => {
    expect(revisionDigest([tableOf(['a', 'b']), tableOf(['c'])])).toBe(
      revisionDigest([tableOf(['b', 'a']), tableOf(['c'])]),
    );
  });
});
