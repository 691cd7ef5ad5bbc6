import { describe, expect, it } from 'vitest';
import { RenamedMembersError, WrittenNames } from '#records/rows/written-names.ts';
import { BoundedNames, NameTally } from '#records/rows/drift-tallies.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { writtenRow } from '#support/domain/sample-rows.ts';
import { membersOf } from '#support/assertions/members.ts';
import { expectLinearTime } from '#support/assertions/linear-time.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

/** The names of one object as they are written, in the order of the given names. */
function written(names: readonly string[]): string[] {
  const sent = Object.fromEntries(names.map((name) => [name, 0]));
  const row = writtenRow('invoices', invoiceRecord({ more: sent }), new BoundedNames());
  return Object.keys(membersOf(row['more']));
}

/** The name in one of its possible mixtures of capital and small letters. */
function inOtherCase(index: number): string {
  return Array.from('abcdefghijklm')
    .map((letter, place) => ((index >> place) & 1 ? letter.toUpperCase() : letter))
    .join('');
}

describe('names that are equal in lower case', () => {
  it('are written with the smallest free numbers', () => {
    const name = fc.constantFrom('a', 'A', 'a__2', 'A__2', 'a__3', 'a__2__2', 'b', 'B');
    forAll([fc.uniqueArray(name)], (names) => {
      const taken = new Set<string>();
      const expected = names.toSorted().map((sent) => {
        let candidate: string = sent;
        for (let number = 2; taken.has(candidate.toLowerCase()); number += 1)
          candidate = `${sent}__${number}`;
        taken.add(candidate.toLowerCase());
        return candidate;
      });
      expect(written(names)).toEqual(expected);
    });
  });

  it('take time in proportion to their number', async () => {
    const names = Array.from({ length: 8_000 }, (_, index) => inOtherCase(index));
    await expectLinearTime((length) => {
      const some = names.slice(0, length);
      const writtenNames = new WrittenNames();
      for (const name of some) writtenNames.write(name);
    }, 1_000);
  });

  it('are a hundred in one record at most, and those in the items of a list count once', () => {
    const names = Array.from({ length: 101 }, (_, index) => inOtherCase(index));
    expect(written(names)).toHaveLength(101);
    expect(() => written([...names, inOtherCase(101)])).toThrow(RenamedMembersError);
    const items = Array.from({ length: 300 }, () => ({ ID: 1, id: 2 }));
    const record = invoiceRecord({ more: items, [inOtherCase(0)]: 0, [inOtherCase(1)]: 0 });
    const row = writtenRow('invoices', record, new BoundedNames());
    expect(row['more']).toEqual(Array.from({ length: 300 }, () => ({ ID: 1, id__2: 2 })));
  });

  it('are also counted after a long name and at the top of a record', () => {
    const behind = Object.fromEntries(Array.from({ length: 102 }, (_, index) => [inOtherCase(index), 0]));
    const long = invoiceRecord({ ['n'.repeat(1_000)]: behind });
    expect(() => writtenRow('invoices', long, new BoundedNames())).toThrow(RenamedMembersError);
    const top = invoiceRecord(behind);
    expect(() => writtenRow('invoices', top, new BoundedNames())).toThrow(RenamedMembersError);
  });
});

it('members with any names are in the order of their names, and are otherwise unchanged', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'A', 'B', 'b__2', '0', '7', '10', '4294967295', '1000000000', '__proto__', ''),
    fc.string(),
    fc.nat().map(String),
  );
  const { object } = fc.letrec<{ object: Record<string, unknown> }>((tie) => ({
    object: fc
      .uniqueArray(fc.tuple(name, fc.oneof(fc.nat(3), fc.constant([]), tie('object'))), {
        maxLength: 80,
        selector: ([key]) => key.toLowerCase(),
      })
      .map((entries): Record<string, unknown> => Object.fromEntries(entries)),
  }));
  const inOrder = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, member]) => [key, inOrder(member)]),
        )
      : value;
  forAll([object], (sent) => {
    const row = writtenRow('invoices', invoiceRecord({ more: sent }), new BoundedNames());
    expect(JSON.stringify(row['more'])).toBe(JSON.stringify(inOrder(sent)));
  });
});

describe('names that are kept', () => {
  it('are a hundred short ones, and the number of the others', () => {
    const tally = new NameTally();
    for (let index = 0; index < 150; index += 1) tally.add(`name ${index}`);
    tally.add('name 7');
    tally.add('name 149');
    expect(Object.keys(tally.counts())).toHaveLength(100);
    expect(tally.counts()['name 7']).toBe(2);
    expect(tally.others).toBe(51);
  });

  it('are cut if they are long', () => {
    const names = new BoundedNames();
    writtenRow('invoices', invoiceRecord({ ['n'.repeat(100_000)]: { A: 1, a: 2 } }), names);
    expect([...names.keys()].every((name) => name.length <= 200)).toBe(true);
    expect(names.size).toBeGreaterThan(0);
  });
});
