import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RowDigest, revisionDigest } from '#records/rows/row-digest.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

function tableOf(rows: readonly string[]): RowDigest {
  const digest = new RowDigest();
  for (const row of rows) digest.add(row);
  return digest;
}

const rows = fc.array(fc.string({ unit: ANY_CHARACTER, maxLength: 12 }), { maxLength: 12 });

describe('RowDigest', () => {
  it('is the number of rows and the sum of their SHA-256, modulo 2^256', () =>
    forAll([rows], (given) => {
      const sum = given.reduce(
        (total, row) => total + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`),
        0n,
      );
      expect(tableOf(given).value()).toBe(
        `${given.length}:${BigInt.asUintN(256, sum).toString(16).padStart(64, '0')}`,
      );
    }));
});

it('the digest of a revision is SHA-256 in hexadecimal, and depends on the table of each row', () => {
  const digest = revisionDigest([tableOf(['a']), tableOf([])]);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(revisionDigest([tableOf([]), tableOf(['a'])])).not.toBe(digest);
});
