import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registryValue } from '#bin/daybook/registry/document/registry-text.ts';
import { mergedRegistry } from '#bin/daybook/registry/document/merge.ts';

const FIRST = { merchantCode: '700001', name: 'Al Noor', reportAt: '06:00' };
const SECOND = { merchantCode: '700002' };

function textOf(merchants: readonly unknown[], others: Record<string, unknown> = {}): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, ...others, merchants }, null, 2);
}

function valueOf(text: string): unknown {
  return JSON.parse(text);
}

function merged(base: string, mine: string, theirs: string) {
  const { text, conflicts } = mergedRegistry(base, mine, theirs);
  return { value: valueOf(text), conflicts };
}

describe('a merge of two changes of the registry', () => {
  it('has changes of different merchants, and of different members of one', () => {
    const base = textOf([FIRST, SECOND]);
    const mine = textOf([{ ...FIRST, reportAt: '07:30' }, SECOND, { merchantCode: '700003' }]);
    const theirs = textOf([{ ...FIRST, name: 'Al Noor Trading' }], { defaults: { language: 'ar' } });
    expect(merged(base, mine, theirs)).toEqual({
      value: valueOf(
        textOf([{ ...FIRST, name: 'Al Noor Trading', reportAt: '07:30' }, { merchantCode: '700003' }], {
          defaults: { language: 'ar' },
        }),
      ),
      conflicts: [],
    });
  });

  it('has the other one where both changed the same, and names it', () => {
    const base = textOf([FIRST, SECOND]);
    const mine = textOf([{ ...FIRST, reportAt: '07:30' }], { defaults: { language: 'ar' } });
    const theirs = textOf(
      [
        { ...FIRST, reportAt: '08:00' },
        { ...SECOND, name: 'x' },
      ],
      { defaults: { language: 'en' } },
    );
    expect(merged(base, mine, theirs)).toEqual({
      value: valueOf(theirs),
      conflicts: ['700002', 'defaults.language', 'reportAt of 700001'],
    });
  });

  it('takes the same change from both', () => {
    const base = textOf([FIRST]);
    const both = textOf([{ ...FIRST, reportAt: '07:30' }, SECOND]);
    expect(merged(base, both, both)).toEqual({ value: valueOf(both), conflicts: [] });
  });

  it('does not decide about entries without a code of their own', () => {
    const base = textOf([FIRST, FIRST]);
    expect(mergedRegistry(base, textOf([FIRST]), base).conflicts).toEqual(['700001']);
    expect(mergedRegistry(textOf([]), textOf([{ name: 'x' }]), textOf([])).conflicts).toEqual([
      'an entry without a code',
    ]);
  });

  it('has changes of different groups, and of different members of one', () => {
    const groups = (...list: object[]) => textOf([FIRST], { groups: list });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, merchants: 'all', recipients: [] }));
    const base = groups({ ...a }, { ...b });
    const mine = groups({ ...a, daily: true }, { ...c });
    const theirs = groups({ ...a, language: 'ar' }, { ...b }, { name: 'd', merchants: ['1'] });
    expect(merged(base, mine, theirs)).toEqual({
      value: valueOf(
        groups({ ...a, language: 'ar', daily: true }, { name: 'd', merchants: ['1'] }, { ...c }),
      ),
      conflicts: [],
    });
    const other = groups({ ...a, daily: false }, { ...b, daily: true }, { ...c, daily: true });
    expect(merged(base, mine, other)).toEqual({
      value: valueOf(other),
      conflicts: ['daily of group a', 'group b', 'group c'],
    });
    expect(merged(base, mine, textOf([FIRST])).conflicts).toEqual(['group a']);
    expect(merged(base, mine, groups({ name: 'x y' })).conflicts).toEqual(['groups']);
    expect(merged(base, textOf([FIRST]), base).value).toEqual(valueOf(textOf([FIRST])));
  });

  const members = fc.record(
    {
      name: fc.constantFrom('a', 'b'),
      reportAt: fc.constantFrom('06:00', '07:30'),
      alerts: fc.constantFrom([], [{ name: 'x' }]),
    },
    { requiredKeys: [] },
  );
  const registry = fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3', '4'), members), { selector: ([code]) => code }),
      members,
      fc.option(
        fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3'), members), { selector: ([name]) => name }),
      ),
    )
    .map(([entries, defaults, groups]) =>
      textOf(
        entries.map(([merchantCode, own]) => ({ merchantCode, ...own })),
        {
          defaults,
          ...(groups !== null && { groups: groups.map(([name, own]) => ({ ...own, name })) }),
        },
      ),
    );
  const byCode = (text: string) => {
    const { service, defaults, entries, groupsByName } = registryValue(text);
    const [byName, groups] = [Object.fromEntries(entries), Object.fromEntries(groupsByName)];
    return { service, defaults, entries: byName, groups };
  };

  it('with no change of the others is mine, and with no change of mine is theirs', () => {
    fc.assert(
      fc.property(registry, registry, (base, changed) => {
        expect(byCode(mergedRegistry(base, changed, base).text)).toEqual(byCode(changed));
        expect(mergedRegistry(base, base, changed).text).toBe(changed);
      }),
    );
  });

  it('does not depend on who was first, where nothing is in conflict', () => {
    fc.assert(
      fc.property(registry, registry, registry, (base, one, other) => {
        const [first, second] = [mergedRegistry(base, one, other), mergedRegistry(base, other, one)];
        expect(first.conflicts).toEqual(second.conflicts);
        if (first.conflicts.length === 0) expect(byCode(first.text)).toEqual(byCode(second.text));
      }),
    );
  });
});
