import { changesInWords } from '#bin/daybook/registry/changes-in-words.ts';
import { differencesOf } from '#bin/daybook/registry/differences.ts';
import {
  entryOf,
  withEntry,
  withEntryMembers,
  withMembers,
  withoutEntry,
} from '#bin/daybook/registry/registry-text.ts';
import { fc, forAll } from '#support/assertions/index.ts';

/** 10:00 in Kuwait. */
const NOW = Date.parse('2026-11-23T07:00:00Z');

interface Sample {
  merchants?: readonly unknown[];
  defaults?: Record<string, unknown>;
  service?: Record<string, unknown>;
  [other: string]: unknown;
}

const FIRST = { merchantCode: '700001', name: 'Al Noor', recipients: ['owner@example.com'] };
const SECOND = { merchantCode: '700002', recipients: ['books@example.com'] };
const THIRD = { merchantCode: '700003' };

function textOf({ merchants = [FIRST, SECOND], ...others }: Sample = {}): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, ...others, merchants });
}

function words(after: Sample, before: Sample = {}, showAddresses = false): string[] {
  return changesInWords(textOf(before), textOf(after), { now: NOW, showAddresses });
}

const firstWith = (members: Record<string, unknown>) => ({ merchants: [{ ...FIRST, ...members }, SECOND] });
const NEW_RECIPIENTS = ['owner@example.com', 'new@example.com'];
const WEEKLY = { on: 'sunday', at: '08:00' };

const SHOPS = { name: 'shops', merchants: { prefix: '70' }, recipients: ['owner@example.com'], daily: true };
const shops = (members: Record<string, unknown> = {}) => ({ groups: [{ ...SHOPS, ...members }] });
const OF_ALL = shops({ merchants: 'all' });
const THREE = [FIRST, SECOND, THIRD];

describe('what changes for whom, in sentences:', () => {
  it.each<[string, after: Sample, said: string[], before?: Sample]>([
    ['nothing', {}, []],
    ['merchants that come', { merchants: THREE }, ['1 merchant is added: 700003.']],
    [
      'the zone of reports and days',
      firstWith({ timeZone: 'Asia/Dubai' }),
      [
        '700001: reports come at 06:00 (Asia/Dubai) from tomorrow (2026-11-24).',
        '700001: timeZone changes from "Asia/Kuwait" to "Asia/Dubai". Sealed days keep theirs.',
      ],
    ],
    [
      'all recipients go',
      firstWith({ recipients: [] }),
      ['700001: no recipients any more: pages are sealed, and no mail is sent.'],
    ],
    [
      'other settings',
      firstWith({ language: 'ar', attachCsv: true, alerts: [{ name: 'a' }], currency: 'SAR' }),
      [
        '700001: language changes from "en" to "ar".',
        '700001: currency changes from "KWD" to "SAR". Sealed days keep theirs.',
        '700001: attachCsv changes from false to true.',
        '700001: alerts changes.',
      ],
    ],
    [
      'statements',
      firstWith({ statements: { weekly: WEEKLY, correctFor: '100h' } }),
      [
        '700001: statements.weekly changes from nothing to "sunday at 08:00".',
        '700001: statements.waitFor changes from nothing to "12h".',
        '700001: statements.correctFor changes from nothing to "100h".',
      ],
    ],
    [
      'members that are not known, or without an effect',
      firstWith({ reciepients: ['x@example.com'], currency: 'KWD' }),
      [
        '700001: reciepients changes. Daybook does not know this member.',
        '700001: currency is written anew, with the same effect.',
      ],
    ],
    [
      'a default',
      { ...firstWith({ reportAt: '07:30' }), defaults: { reportAt: '07:30' } },
      [
        'The default reportAt changes, for 1 merchant without an own.',
        '700001, 700002: reports come at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).',
      ],
    ],
    [
      'the frame',
      { service: { baseUrl: 'https://other.example.com' }, note: 1 },
      ['service.baseUrl changes: all merchants are read there.', 'note of the registry changes.'],
    ],
    [
      'an entry that cannot be used any more',
      firstWith({ reportAt: '25:00' }),
      ['700001: cannot be used any more: the command check says why.'],
    ],
    ['an entry that can be used again', {}, ['700001: can be used again.'], firstWith({ reportAt: '25:00' })],
    ['a group comes', shops(), ['Group shops is added: 1 recipient, with the figures of 2 merchants.']],
    ['a group goes', {}, ['Group shops is removed. No page of it is made any more.'], shops()],
    [
      'a merchant that comes is in a group',
      { ...shops(), merchants: THREE },
      [
        '1 merchant is added: 700003.',
        'group shops: its recipients see 3 merchants instead of 2: 700003 is added.',
      ],
      shops(),
    ],
    [
      'a merchant that comes is in a group of all, which is no news',
      { ...OF_ALL, merchants: THREE },
      ['1 merchant is added: 700003.'],
      OF_ALL,
    ],
    [
      'the merchants of a group',
      shops({ merchants: ['700002', '9'] }),
      [
        'group shops: its recipients see 1 merchant instead of 2: 700001 is removed.',
        'group shops: merchants changes.',
      ],
      shops(),
    ],
    [
      'the recipients and times of a group',
      shops({ recipients: NEW_RECIPIENTS, daily: false, weekly: WEEKLY, waitFor: '1d' }),
      [
        'group shops: 2 recipients instead of 1: 1 is added.',
        'group shops: daily changes from true to false.',
        'group shops: weekly changes from nothing to "sunday at 08:00".',
        'group shops: waitFor changes from "12h" to "1d".',
      ],
      shops(),
    ],
    [
      'members of a group without an effect, or not known',
      shops({ language: 'en', dayly: true }),
      [
        'group shops: language is written anew, with the same effect.',
        'group shops: dayly changes. Daybook does not know this member.',
      ],
      shops(),
    ],
    [
      'a default that a group inherits',
      { ...shops(), merchants: [], defaults: { language: 'ar' } },
      [
        'The default language changes, for 0 merchants without an own.',
        'group shops: language changes from "en" to "ar".',
      ],
      { ...shops(), merchants: [] },
    ],
    [
      'a group that cannot be used any more',
      shops({ daily: 'yes' }),
      ['group shops: cannot be used any more: the command check says why.'],
      shops(),
    ],
    [
      'a group that comes, and cannot be used',
      shops({ daily: 'yes' }),
      ['group shops: cannot be used: the command check says why.'],
    ],
    ['a group that can be used again', shops(), ['group shops: can be used again.'], shops({ daily: 'yes' })],
    [
      'a group without a name',
      { groups: [SHOPS, { name: 'a b' }] },
      ['Groups without a name that can be used change.'],
      shops(),
    ],
  ])('%s', (_, after, said, before = {}) => {
    expect(words(after, before).toSorted()).toEqual(said.toSorted());
  });

  it.each([
    ['06:00', '07:30', 'from tomorrow (2026-11-24)'],
    ['12:00', '13:00', 'from today (2026-11-23)'],
    ['12:00', '11:00', 'from today (2026-11-23)'],
    ['12:00', '09:00', 'from tomorrow (2026-11-24). The report of 2026-11-22 comes with it, a day late'],
  ])('a report at %s that comes at %s', (before, after, when) => {
    expect(words(firstWith({ reportAt: after }), firstWith({ reportAt: before }))).toEqual([
      `700001: reports come at ${after} (Asia/Kuwait) ${when}.`,
    ]);
  });

  it('a day that no tick reports', () => {
    const at = (reportAt: string) => firstWith({ reportAt, lookbackDays: [2] });
    expect(words(at('09:00'), at('12:00'))[0]).toContain('No tick makes the report of 2026-11-22');
  });

  it('recipients by their number, and by address only where a person reads them', () => {
    const change = firstWith({ recipients: NEW_RECIPIENTS });
    expect(words(change)).toEqual(['700001: 2 recipients instead of 1: 1 is added.']);
    expect(words(change, {}, true)).toEqual(['700001: 2 recipients instead of 1: new@example.com is added.']);
  });

  it('many merchants with the same change', () => {
    const merchants = Array.from({ length: 40 }, (_, index) => ({ merchantCode: String(800_001 + index) }));
    const after = merchants.map((entry) => ({ ...entry, language: 'ar' }));
    expect(words({ merchants: after }, { merchants })).toEqual([
      '800001, 800002, 800003, 800004, 800005, 800006, 800007, 800008, 800009, 800010 and 30 more: language changes from "en" to "ar".',
    ]);
  });

  it('nothing but the form, and of a stage that has no registry yet', () => {
    const telling = { now: NOW, showAddresses: false };
    expect(changesInWords(textOf(), `\uFEFF${textOf()}\n`, telling)).toEqual([
      'Only the form of the text changes: blanks, or the order.',
    ]);
    expect(changesInWords(undefined, textOf(), telling)).toEqual([
      'The stage has no registry yet.',
      '2 merchants are added: 700001, 700002.',
    ]);
  });
});

it('differences name merchants, groups and members', () => {
  const groups = (...names: string[]) => names.map((name) => ({ name, merchants: 'all', recipients: [] }));
  expect(
    differencesOf(
      textOf({ groups: groups('old') }),
      textOf({
        merchants: [{ ...SECOND, name: 'x', recipients: [] }],
        defaults: { language: 'ar' },
        groups: groups('new'),
      }),
    ),
  ).toEqual({
    added: [],
    removed: ['700001'],
    changed: [{ merchantCode: '700002', members: ['recipients', 'name'] }],
    defaults: ['language'],
    service: [],
    groups: [
      { name: 'new', change: 'added', members: [] },
      { name: 'old', change: 'removed', members: [] },
    ],
    others: [],
  });
});

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
