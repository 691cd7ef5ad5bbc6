import { describe, expect, it } from 'vitest';
import { changesInWords } from '#bin/daybook/registry/changes/changes-in-words.ts';
import { differencesOf } from '#bin/daybook/registry/changes/differences.ts';

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

function textOf({ merchants = [FIRST, SECOND], ...others }: Sample = {}): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, ...others, merchants });
}

function words(after: Sample, before: Sample = {}, showAddresses = false): string[] {
  return changesInWords(textOf(before), textOf(after), { now: NOW, showAddresses });
}

const firstWith = (members: Record<string, unknown>) => ({ merchants: [{ ...FIRST, ...members }, SECOND] });

describe('what changes for whom, in sentences:', () => {
  it('merchants that are added and removed', () => {
    const more = ['700010', '700011'].map((merchantCode) => ({ merchantCode }));
    expect(words({ merchants: [FIRST, SECOND, ...more] })).toEqual([
      '2 merchants are added: 700010, 700011.',
    ]);
    expect(words({ merchants: [FIRST] })).toEqual([
      '1 merchant is removed: 700002. Its reports and alerts stop.',
    ]);
  });

  it('the time of the report, and from when on', () => {
    expect(words(firstWith({ reportAt: '07:30' }))).toEqual([
      '700001 gets its report at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).',
    ]);
  });

  it('a day that is reported late because of the change', () => {
    expect(words(firstWith({ reportAt: '09:00' }), firstWith({ reportAt: '12:00' }))).toEqual([
      '700001 gets its report at 09:00 (Asia/Kuwait) from tomorrow (2026-11-24). The report of 2026-11-22 comes with it, a day late.',
    ]);
  });

  it('recipients by their number, and by address only where a person reads them', () => {
    const change = firstWith({ recipients: ['books@example.com', 'new@example.com'] });
    expect(words(change)).toEqual(['700001 has 2 recipients instead of 1: 2 are added, 1 is removed.']);
    expect(words(change, {}, true)).toEqual([
      '700001 has 2 recipients instead of 1: books@example.com, new@example.com are added, owner@example.com is removed.',
    ]);
    expect(words(firstWith({ recipients: [] }))).toEqual([
      '700001 has no recipients any more: its days are sealed, and no mail is sent.',
    ]);
  });

  it('language, alert rules and further settings', () => {
    expect(
      words(firstWith({ language: 'ar', attachCsv: true, alerts: [{ name: 'a' }], invoiceStatuses: {} })),
    ).toEqual([
      '700001 gets its mails in Arabic.',
      '700001 has 1 alert rule instead of 0.',
      'attachCsv of 700001 changes from false to true.',
      'invoiceStatuses of 700001 changes.',
    ]);
  });

  it('members that are not known, and members without an effect', () => {
    expect(words(firstWith({ reciepients: ['x@example.com'] }))).toEqual([
      'reciepients of 700001 changes. Daybook does not know this member.',
    ]);
    expect(words(firstWith({ currency: 'KWD' }))).toEqual([
      'currency of 700001 is written anew, with the same effect.',
    ]);
  });

  it('a default, with the merchants that inherit it', () => {
    expect(words({ defaults: { reportAt: '07:30' } })).toEqual([
      'The default reportAt changes. 2 merchants inherit it.',
      '700001, 700002 get their report at 07:30 (Asia/Kuwait) from tomorrow (2026-11-24).',
    ]);
    expect(
      words(
        { ...firstWith({ reportAt: '05:00' }), defaults: { reportAt: '07:30' } },
        firstWith({ reportAt: '05:00' }),
      )[0],
    ).toBe('The default reportAt changes. 1 merchant inherits it.');
  });

  it('many merchants with the same change', () => {
    const merchants = Array.from({ length: 40 }, (_, index) => ({ merchantCode: String(800_001 + index) }));
    const after = merchants.map((entry) => ({ ...entry, language: 'ar' }));
    expect(words({ merchants: after }, { merchants })).toEqual([
      '40 merchants get their mails in Arabic: 800001, 800002, 800003, 800004, 800005, 800006, 800007, 800008, 800009, 800010 and 30 more.',
    ]);
  });

  it('the service, and members of the registry itself', () => {
    expect(words({ service: { baseUrl: 'https://other.example.com' }, note: 1 })).toEqual([
      'service.baseUrl changes: all 2 merchants are read there.',
      'note of the registry changes.',
    ]);
  });

  it('entries that cannot be used any more, or again', () => {
    expect(words(firstWith({ reportAt: '25:00' }))).toEqual([
      '700001 cannot be used any more: "daybook check" says why.',
    ]);
    expect(words({}, firstWith({ reportAt: '25:00' }))).toEqual(['700001 can be used again.']);
  });

  it('nothing but the form, or nothing at all', () => {
    expect(changesInWords(textOf(), `${textOf()}\n`, { now: NOW, showAddresses: false })).toEqual([
      'Only the form of the text changes: blanks, or the order.',
    ]);
    expect(words({})).toEqual([]);
  });

  it('of a stage that has no registry yet', () => {
    expect(changesInWords(undefined, textOf(), { now: NOW, showAddresses: false })).toEqual([
      'The stage has no registry yet.',
      '2 merchants are added: 700001, 700002.',
    ]);
  });
});

it('differences name merchants and members', () => {
  expect(
    differencesOf(
      textOf(),
      textOf({ merchants: [{ ...SECOND, name: 'x', recipients: [] }], defaults: { language: 'ar' } }),
    ),
  ).toEqual({
    added: [],
    removed: ['700001'],
    changed: [{ merchantCode: '700002', members: ['recipients', 'name'] }],
    defaults: ['language'],
    service: [],
    others: [],
  });
});
