import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRegistryText, withMembers } from '#bin/daybook/registry/document/registry-text.ts';

const TEXT = `{
  "$schema": "../docs/schema/registry.schema.json",
  "service": { "baseUrl": "https://pay.example.com" },
  "merchants": [
    {
      "merchantCode": "700001",
      "name": "Al Noor",
      "colour of the door": "green"
    },
    { "merchantCode": "700002", "recipients": ["books@example.com"] }
  ]
}
`;

const codes = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/), { maxLength: 6 });
const spaces = fc.constantFrom(undefined, 0, 1, 2, 4, '\t');
const entryOf = fc.record(
  { name: fc.string(), reportAt: fc.constantFrom('06:00', '07:30'), recipients: fc.array(fc.string()) },
  { requiredKeys: [] },
);

function registryOf(entries: readonly unknown[], indent?: string | number): string {
  return JSON.stringify(
    { service: { baseUrl: 'https://pay.example.com' }, merchants: entries, note: [1] },
    null,
    indent,
  );
}

describe('the text of a registry', () => {
  it('is the same again when nothing is changed', () => {
    expect(readRegistryText(TEXT).toText()).toBe(TEXT);
    fc.assert(
      fc.property(codes, spaces, (list, indent) => {
        const text = registryOf(
          list.map((merchantCode) => ({ merchantCode })),
          indent,
        );
        expect(readRegistryText(text).toText()).toBe(text);
      }),
    );
  });

  it('has an entry more, in the form of the others', () => {
    const changed = readRegistryText(TEXT).add({ merchantCode: '700003', recipients: ['a@example.com'] });
    expect(changed.toText()).toBe(
      TEXT.replace(
        `["books@example.com"] }\n`,
        `["books@example.com"] },
    {
      "merchantCode": "700003",
      "recipients": ["a@example.com"]
    }\n`,
      ),
    );
  });

  it('has an entry less, and nothing else changes', () => {
    expect(readRegistryText(TEXT).remove('700001').toText()).toBe(
      TEXT.replace(/ {4}\{\n {6}"merchantCode": "700001".*?\},\n/s, ''),
    );
    expect(readRegistryText(TEXT).remove('700002').toText()).toBe(
      TEXT.replace(/,\n {4}\{ "merchantCode".*\}/, ''),
    );
  });

  it('keeps members that are not known, and the form of other entries, when members change', () => {
    const changed = readRegistryText(TEXT).change('700001', { reportAt: '07:30', name: undefined }).toText();
    expect(changed).toBe(
      TEXT.replace('      "name": "Al Noor",\n', '').replace(
        '"green"',
        '"green",\n      "reportAt": "07:30"',
      ),
    );
    expect(readRegistryText(TEXT).change('700002', { reportAt: '07:30' }).toText()).toBe(
      TEXT.replace('["books@example.com"] }', '["books@example.com"], "reportAt": "07:30" }'),
    );
  });

  it('has the values that were asked for, whatever its form', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/), entryOf), {
          minLength: 1,
          maxLength: 5,
          selector: ([code]) => code,
        }),
        spaces,
        entryOf,
        fc.nat(),
        (entries, indent, changes, at) => {
          const list = entries.map(([merchantCode, members]) => ({ merchantCode, ...members }));
          const text = registryOf(list, indent);
          const place = at % list.length;
          const code = list[place]?.merchantCode ?? '';
          const asked = { ...changes, name: undefined };
          const expected = list.map((entry, index) =>
            index === place
              ? Object.fromEntries(
                  Object.entries({ ...entry, ...asked }).filter(([, value]) => value !== undefined),
                )
              : entry,
          );
          const changed = readRegistryText(text).change(code, asked).toText();
          expect(JSON.parse(changed)).toEqual(JSON.parse(registryOf(expected)));
          const added = readRegistryText(text)
            .add({ merchantCode: 'new-entry', ...changes })
            .toText();
          expect(JSON.parse(added)).toEqual(
            JSON.parse(registryOf([...list, { merchantCode: 'new-entry', ...changes }])),
          );
          const removed = readRegistryText(text).remove(code).toText();
          expect(JSON.parse(removed)).toEqual(
            JSON.parse(registryOf(list.filter((_, index) => index !== place))),
          );
        },
      ),
    );
  });

  it('takes an entry into an empty list', () => {
    const text = '{\n  "service": {},\n  "merchants": []\n}\n';
    expect(readRegistryText(text).add({ merchantCode: '1' }).toText()).toBe(
      '{\n  "service": {},\n  "merchants": [\n    {\n      "merchantCode": "1"\n    }\n  ]\n}\n',
    );
    expect(readRegistryText('{"merchants":[]}').add({ merchantCode: '1' }).toText()).toBe(
      '{"merchants":[{"merchantCode":"1"}]}',
    );
  });

  it('refuses what is not certain: a code that appears twice, and a code that is not there', () => {
    const twice = readRegistryText(registryOf([{ merchantCode: '1' }, { merchantCode: '1' }]));
    expect(() => twice.change('1', { name: 'x' })).toThrow('merchant 1 appears 2 times');
    expect(() => twice.remove('2')).toThrow('no merchant 2');
  });

  it('is without the byte order mark that some editors add', () => {
    expect(readRegistryText(`\uFEFF${TEXT}`).toText()).toBe(TEXT);
  });
});

describe('members of an object in a text', () => {
  it('are set, replaced and removed', () => {
    expect(withMembers('{}', { a: 1 })).toBe('{"a": 1}');
    expect(withMembers('{ "a": 1 }', { a: 2, b: [1, 2] })).toBe('{ "a": 2, "b": [1, 2] }');
    expect(withMembers('{ "a": 1, "b": 2 }', { a: undefined })).toBe('{ "b": 2 }');
  });
});
