import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entryOf,
  withEntry,
  withEntryMembers,
  withMembers,
  withoutEntry,
} from '#bin/daybook/registry/registry-text.ts';
import { forAll } from '#support/assertions/for-all.ts';

const TEXT = `{
  "$schema": "../docs/schema/registry.schema.json",
  "service": { "baseUrl": "https://pay.example.com" },
  "merchants": [
    {
      "merchantCode": "700001",
      "colour of the door": "green"
    },
    {
      "merchantCode": "700002"
    }
  ]
}
`;

const entries = fc.uniqueArray(
  fc.record(
    {
      merchantCode: fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/),
      name: fc.string(),
      recipients: fc.array(fc.string()),
    },
    { requiredKeys: ['merchantCode'] },
  ),
  { minLength: 1, maxLength: 5, selector: ({ merchantCode }) => merchantCode },
);

function registryOf(merchants: readonly unknown[], indent?: string | number): string {
  return JSON.stringify({ service: {}, merchants, note: [1] }, null, indent);
}

describe('the text of a registry', () => {
  it('changes in one place only, and in its own form', () => {
    const one = '    {\n      "merchantCode": "700003"\n    }';
    const last = '    {\n      "merchantCode": "700002"\n    }';
    expect(withEntry(TEXT, { merchantCode: '700003' })).toBe(TEXT.replace(last, `${last},\n${one}`));
    const first = / {4}\{\n {6}"merchantCode": "700001".*?\},\n/s;
    expect(withoutEntry(TEXT, '700001')).toBe(TEXT.replace(first, ''));
    const later = TEXT.replace('"green"', '"green",\n      "reportAt": "07:30"');
    expect(withEntryMembers(TEXT, '700001', { reportAt: '07:30' })).toBe(later);
    expect(withoutEntry(`\uFEFF${TEXT}`, '700002')).toBe(TEXT.replace(`,\n${last}`, ''));
    expect(withEntry('{"merchants":[]}', { merchantCode: '1' })).toBe('{"merchants":[{"merchantCode":"1"}]}');
  });

  it('has the values that were asked for, whatever its form', () => {
    const spaces = fc.constantFrom(undefined, 0, 1, 2, 4, '\t');
    forAll([entries, spaces, fc.array(fc.string()), fc.nat()], (list, indent, recipients, at) => {
      const text = registryOf(list, indent);
      const place = at % list.length;
      const { merchantCode = '' } = list[place] ?? {};
      const assertIs = (changed: string, merchants: readonly unknown[]) =>
        expect(JSON.parse(changed)).toEqual(JSON.parse(registryOf(merchants)));
      const { name: _, ...others } = list[place] ?? {};
      const expected = list.with(place, { merchantCode, ...others, recipients });
      assertIs(withEntryMembers(text, merchantCode, { recipients, name: undefined }), expected);
      const added = { merchantCode: 'new-entry', recipients };
      assertIs(withEntry(text, added), [...list, added]);
      assertIs(withoutEntry(text, merchantCode), list.toSpliced(place, 1));
    });
  });

  it('refuses what is not certain: a code that appears twice, and a code that is not there', () => {
    const twice = registryOf([{ merchantCode: '1' }, { merchantCode: '1' }]);
    expect(() => withEntryMembers(twice, '1', { name: 'x' })).toThrow('merchant 1 appears 2 times');
    expect(() => entryOf(twice, '2')).toThrow('no merchant 2');
  });
});

it('members of an object in a text are set, replaced and removed, also in an object that is missing', () => {
  const changed = withMembers('{ "a": 1, "b": 1 }', { a: 2, b: undefined, c: [1] });
  expect(JSON.parse(changed)).toEqual({ a: 2, c: [1] });
  expect(JSON.parse(withMembers('{}', { a: 1 }, ['b']))).toEqual({ b: { a: 1 } });
});
