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

  it('the zone of the report, and of the days', () => {
    expect(words(firstWith({ timeZone: 'Asia/Dubai' }))).toEqual([
      '700001 gets its report at 06:00 (Asia/Dubai) from tomorrow (2026-11-24).',
      'days of 700001 are days in Asia/Dubai instead of Asia/Kuwait, where they are not sealed yet. Sealed days stay days in Asia/Kuwait.',
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
      'the words of invoice states of 700001 change, in days that are not sealed yet; sealed days keep theirs.',
      'attachCsv of 700001 changes from false to true.',
    ]);
  });

  it('says that sealed days keep their currency, words and charges', () => {
    expect(words(firstWith({ currency: 'SAR', charges: ['admin_charge'] }))).toEqual([
      'amounts of 700001 are in SAR instead of KWD, in days that are not sealed yet. Sealed days stay in KWD, and a week or month with both has no total.',
      'the charges of 700001 change, in days that are not sealed yet; sealed days keep theirs.',
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
      '700001 cannot be used any more: the command check says why.',
    ]);
    expect(words({}, firstWith({ reportAt: '25:00' }))).toEqual(['700001 can be used again.']);
  });

  it('statements of weeks and months, and what a week is', () => {
    const weekly = { on: 'sunday', at: '08:00' };
    const monthly = { onDay: 1, at: '09:00' };
    expect(words(firstWith({ statements: { weekly, monthly }, weekStart: 'monday' }))).toEqual([
      '700001 gets a statement of each week, on Sunday at 08:00 (Asia/Kuwait).',
      '700001 gets a statement of each month, on day 1 of the next month at 09:00 (Asia/Kuwait).',
      'the week of 700001 begins on Monday instead of Sunday, from 2026-11-30 on. Sealed weeks stay as they are. Once 2026-W47 is sealed, 2026-W48 is from 2026-11-22 to 2026-11-29 (8 days).',
    ]);
    const both = firstWith({ statements: { weekly, monthly } });
    expect(words(firstWith({ statements: { monthly, waitFor: '2d', correctFor: '100h' } }), both)).toEqual([
      '700001 gets no statements of weeks any more.',
      'statements of 700001 wait 2d for days that are not sealed, instead of 12h.',
      'statements of 700001 follow corrections for 100h after their period, instead of 45d.',
    ]);
    expect(words({}, both)).toEqual([
      '700001 gets no statements of weeks any more.',
      '700001 gets no statements of months any more.',
    ]);
    expect(words({ defaults: { statements: { monthly } } })).toEqual([
      'The default statements changes. 2 merchants inherit it.',
      '700001, 700002 get a statement of each month, on day 1 of the next month at 09:00 (Asia/Kuwait).',
    ]);
    expect(words(firstWith({ statements: { weekly, monthly, waitFor: '12h' } }), both)).toEqual([
      'statements of 700001 is written anew, with the same effect.',
    ]);
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

describe('what changes for a group, in sentences:', () => {
  const SHOPS = {
    name: 'shops',
    merchants: { prefix: '70' },
    recipients: ['chief@example.com'],
    daily: true,
  };
  const shops = (members: Record<string, unknown> = {}) => ({ groups: [{ ...SHOPS, ...members }] });

  it('it comes, with what its recipients see and when, or it goes', () => {
    const weekly = { on: 'sunday', at: '08:00' };
    expect(words(shops({ weekly, monthly: { onDay: 1, at: '09:00' } }))).toEqual([
      'Group shops is added: 1 recipient sees the figures of 2 merchants. It gets a page of each day, a page of each week on Sunday at 08:00, a page of each month on day 1 of the next month at 09:00 (Asia/Kuwait).',
    ]);
    expect(words(shops({ daily: false, recipients: [] }))).toEqual([
      'Group shops is added: 0 recipients see the figures of 2 merchants. No page of it comes by itself.',
    ]);
    expect(words({}, shops())).toEqual(['Group shops is removed. No page of it is made any more.']);
    expect(words({ groups: [] })).toEqual(['Only the form of the text changes: blanks, or the order.']);
  });

  it('its merchants, whoever changed them: the registry or the group', () => {
    const third = { merchantCode: '700003' };
    expect(words({ ...shops(), merchants: [FIRST, SECOND, third] }, shops())).toEqual([
      '1 merchant is added: 700003.',
      'The recipients of group shops see 3 merchants instead of 2: 700003 is added.',
    ]);
    expect(words(shops({ merchants: ['700002', '9'] }), shops())).toEqual([
      'The recipients of group shops see 1 merchant instead of 2: 700001 is removed.',
    ]);
    expect(words(shops({ merchants: 'all' }), shops({ merchants: ['700001'] }))).toEqual([
      'The recipients of group shops see 2 merchants instead of 1: 700002 is added.',
    ]);
    expect(words(shops({ merchants: 'all' }), shops())).toEqual([
      'merchants of group shops is written anew. The group has the same merchants.',
    ]);
    // Every new merchant is in it, which is no news.
    expect(
      words(
        { ...shops({ merchants: 'all' }), merchants: [FIRST, SECOND, third] },
        shops({ merchants: 'all' }),
      ),
    ).toEqual(['1 merchant is added: 700003.']);
  });

  it('its recipients by their number, and by address only where a person reads them', () => {
    const change = shops({ recipients: ['chief@example.com', 'new@example.com'] });
    expect(words(change, shops())).toEqual(['Group shops has 2 recipients instead of 1: 1 is added.']);
    expect(words(change, shops(), true)).toEqual([
      'Group shops has 2 recipients instead of 1: new@example.com is added.',
    ]);
    expect(words(shops({ recipients: [] }), shops())).toEqual([
      'Group shops has no recipients any more: its pages are sealed, and no mail is sent.',
    ]);
  });

  it('its times and its other settings', () => {
    const weekly = { on: 'friday', at: '08:00' };
    expect(words(shops({ daily: false, weekly }), shops())).toEqual([
      'Group shops gets no pages of days any more.',
      'Group shops gets a page of each week, on Friday at 08:00 (Asia/Kuwait).',
    ]);
    expect(words(shops(), shops({ daily: false, monthly: { onDay: 2, at: '09:00' } }))).toEqual([
      'Group shops gets a page of each day.',
      'Group shops gets no pages of months any more.',
    ]);
    expect(words(shops({ waitFor: '1d', correctFor: '60d', language: 'ar' }), shops())).toEqual([
      'Pages of group shops wait 1d for what is missing, instead of 12h.',
      'Pages of group shops follow corrections for 60d after their period, instead of 45d.',
      'language of group shops changes from "en" to "ar".',
    ]);
    expect(words(shops({ timeZone: 'UTC', weekly }), shops({ weekly }))).toEqual([
      'timeZone of group shops changes from "Asia/Kuwait" to "UTC".',
    ]);
    expect(words(shops({ language: 'en', branding: { senderName: 'x' } }), shops())).toEqual([
      'branding of group shops changes.',
      'language of group shops is written anew, with the same effect.',
    ]);
    expect(words(shops({ dayly: true }), shops())).toEqual([
      'dayly of group shops changes. Daybook does not know this member.',
    ]);
  });

  it('a default that it inherits', () => {
    expect(words({ ...shops(), defaults: { language: 'ar' } }, shops()).at(-1)).toBe(
      'language of group shops changes from "en" to "ar".',
    );
  });

  it('it cannot be used any more, or again', () => {
    const bad = shops({ daily: 'yes' });
    expect(words(bad, shops())).toEqual(['Group shops cannot be used any more: the command check says why.']);
    expect(words(bad)).toEqual(['Group shops is added. It cannot be used: the command check says why.']);
    expect(words(shops(), bad)).toEqual(['Group shops can be used again.']);
    const twice = { groups: [SHOPS, { ...SHOPS, merchants: 'all' }] };
    expect(words(twice, shops())).toEqual([
      'Group shops cannot be used any more: the command check says why.',
    ]);
    expect(words({ groups: [SHOPS, { name: 'a b' }] }, shops())).toEqual([
      'Groups without a name that can be used change.',
    ]);
  });

  it('in differences it is named with its members', () => {
    const { groups, others } = differencesOf(
      textOf({ groups: [SHOPS, { ...SHOPS, name: 'old' }] }),
      textOf({
        groups: [
          { ...SHOPS, daily: false, language: 'ar' },
          { ...SHOPS, name: 'new' },
        ],
      }),
    );
    expect(others).toEqual([]);
    expect(groups).toEqual([
      { name: 'shops', change: 'changed', members: ['daily', 'language'] },
      { name: 'new', change: 'added', members: [] },
      { name: 'old', change: 'removed', members: [] },
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
    groups: [],
    others: [],
  });
});
