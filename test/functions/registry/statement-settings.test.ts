import { readEntry } from '#registry/entry.ts';
import { merchantSchema, OWN_MEMBERS } from '#registry/registry-schema.ts';
import { fc, forAll, textWith } from '#support/assertions/index.ts';
import { durationText } from '#registry/statement-settings.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { registryOf } from '#support/plan/running-plan.ts';

type Members = Record<string, unknown>;
const MERGED = ['refunds', 'balance', 'branding', 'attachments', 'statements'];

/** What an entry means: its members over the defaults, and then the schema. */
function asDocumented(defaults: Members, own: Members) {
  const inherited = Object.entries(defaults).filter(([name]) => !OWN_MEMBERS.includes(name));
  const merged: Members = { ...Object.fromEntries(inherited), ...own };
  for (const name of MERGED) {
    const [under, over] = [defaults[name], own[name]];
    if (isObject(under) && isObject(over)) merged[name] = { ...under, ...over };
  }
  return merchantSchema.safeParse(merged);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const bad = fc.constantFrom<unknown>(null, 7, 'x', [], {}, [null], { a: 1 });
const or = (...good: unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: bad });
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
const inherited = {
  reportAt: or('06:00', '07:30'),
  timeZone: or('Asia/Kuwait', 'UTC'),
  recipients: or([], ['a@example.com']),
  lookbackDays: or([], [1, 2]),
  attachCsv: or(true, false),
  invoiceStatuses: or({ 1: 'paid' }, {}),
  alerts: or([], [7]),
  refunds: fc.oneof(some({ source: or('list', 'both'), statuses: or({ 1: 'approved' }, {}) }), bad),
  balance: fc.oneof(some({ ignore: or([], ['statsPaid']) }), bad),
  branding: fc.oneof(some({ senderName: or('Gulf Pay'), footer: or(true), other: bad }), bad),
  attachments: fc.oneof(some({ paymentMethods: or({ 1: 'KNET' }, {}) }), bad),
  weekStart: or('sunday', 'monday'),
  statements: fc.oneof(
    some({
      weekly: or({ on: 'sunday', at: '08:00' }, { on: 'friday', at: '08:00' }),
      monthly: or({ onDay: 1, at: '09:00' }),
      waitFor: or('12h', '2d'),
    }),
    bad,
  ),
  stranger: bad,
};
const defaults = some({ ...inherited, name: or('All'), merchantCode: or('9') });
const own = some({ ...inherited, merchantCode: or('700001'), name: or('Cafe'), secretId: or('s') });
const entry = fc.oneof({ weight: 9, arbitrary: own }, { weight: 1, arbitrary: bad });

describe('an entry', () => {
  it('is what its members over the defaults are, whichever of them are wrong', () =>
    forAll([defaults, entry], { numRuns: 2_000 }, (under, own) => {
      const read = readEntry(under, own, ['merchants', 0]);
      if (!isObject(own)) {
        expect(read).toMatchObject({ problems: [{ at: ['merchants', 0], reason: 'must be object' }] });
        return;
      }
      const parsed = asDocumented(under, own);
      expect(read.settings).toEqual(parsed.data);
      const found = [
        ...(read.problems ?? []).map(({ at }) => at.slice(2)),
        ...(read.inherited ?? []).flatMap(({ problems }) => problems.map(({ at }) => at.slice(1))),
      ];
      const issues = (parsed.error?.issues ?? []).map(({ path }) => path);
      const text = (paths: readonly (readonly PropertyKey[])[]) => paths.map((path) => path.join('.')).sort();
      expect(text(found)).toEqual(text(issues));
    }));

  it('does not get a member of another entry, though they share the defaults', () => {
    const given = { refunds: { statuses: { 1: 'approved' } }, lookbackDays: [1] };
    const one = readEntry(given, { merchantCode: '1', refunds: { source: 'both' }, attachCsv: true }, []);
    const other = readEntry(given, { merchantCode: '2', name: 'B' }, []);
    expect(one.settings).toMatchObject({ refunds: { source: 'both', statuses: { 1: 'approved' } } });
    expect(one.settings?.name).toBeUndefined();
    expect(other.settings).toMatchObject({ refunds: { source: 'list' }, attachCsv: false, name: 'B' });
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const settingsOf = (own: object, defaults: object = {}) =>
  merchantSettings(registryOf([{ merchantCode: '1', ...own }], { defaults }), '1');
const having = (statements: unknown) => (statements === undefined ? {} : { statements });
const statementsOf = (own: unknown, defaults?: unknown) =>
  settingsOf(having(own), having(defaults)).statements;

const weekly = { on: 'sunday', at: '08:00' };
const monthly = { onDay: 1, at: '09:00' };
const durations = { waitFor: 12 * HOUR, correctFor: 45 * DAY };

describe('the week of a merchant', () => {
  it('begins on Sunday, unless the registry says otherwise', () => {
    expect(settingsOf({}).weekStart).toBe('sunday');
    expect(settingsOf({}, { weekStart: 'monday' }).weekStart).toBe('monday');
    expect(settingsOf({ weekStart: 'saturday' }, { weekStart: 'monday' }).weekStart).toBe('saturday');
  });

  it.each(['Sunday', 'sun', 0, null, ''])('cannot begin on %j', (weekStart) => {
    expect(() => settingsOf({ weekStart })).toThrow('weekStart: must be one of sunday, monday,');
  });
});

describe('the statements of a merchant', () => {
  it('are none when the registry does not name them', () => {
    expect(settingsOf({}).statements).toBeUndefined();
  });

  it('are of weeks, of months, or of both', () => {
    expect(statementsOf({ weekly })).toEqual({ weekly, ...durations });
    expect(statementsOf({ monthly })).toEqual({ monthly, ...durations });
    expect(statementsOf({ weekly, monthly })).toEqual({ weekly, monthly, ...durations });
  });

  it('wait and are corrected for hours or days, in milliseconds', () => {
    const settings = statementsOf({ monthly, waitFor: '2d', correctFor: '36h' });
    expect(settings).toEqual({ monthly, waitFor: 2 * DAY, correctFor: 36 * HOUR });
    const longest = { waitFor: 7 * DAY, correctFor: 366 * DAY };
    expect(statementsOf({ waitFor: '7d', correctFor: '366d' })).toEqual(longest);
  });

  it.each([
    [{ weekly: {} }, 'statements.weekly.on', 'must be one of sunday'],
    [{ weekly: { on: 'sunday' } }, 'statements.weekly.at', 'is missing'],
    [{ weekly: { on: 'sunday', at: '8:00' } }, 'statements.weekly.at', 'must be HH:MM'],
    [{ weekly: true }, 'statements.weekly', 'must be object'],
    [{ monthly: { onDay: 0, at: '09:00' } }, 'statements.monthly.onDay', 'is out of bounds (at least 1)'],
    [{ monthly: { onDay: 29, at: '09:00' } }, 'statements.monthly.onDay', 'is out of bounds (at most 28)'],
    [{ monthly: { onDay: '1', at: '09:00' } }, 'statements.monthly.onDay', 'must be'],
    [{ waitFor: '30m' }, 'statements.waitFor', 'must be hours or days such as "12h" or "45d"'],
    [{ waitFor: '0h' }, 'statements.waitFor', 'must be hours or days'],
    [{ waitFor: 12 }, 'statements.waitFor', 'must be string'],
    [{ waitFor: '8d' }, 'statements.waitFor', 'must be at most 7d'],
    [{ correctFor: '367d' }, 'statements.correctFor', 'must be at most 366d'],
    [{ correctFor: '45' }, 'statements.correctFor', 'must be hours or days'],
    ['weekly', 'statements', 'must be object'],
  ])('cannot be %j', (statements, path, reason) => {
    expect(() => statementsOf(statements)).toThrow(`${path}: ${reason}`);
    expect(() => statementsOf(undefined, statements)).toThrow(`defaults.${path}: ${reason}`);
  });

  it('are inherited member by member', () => {
    const late = { on: 'monday', at: '10:00' };
    const merged = { weekly: late, monthly, ...durations, waitFor: DAY };
    expect(statementsOf({ weekly: late }, { weekly, monthly, waitFor: '1d' })).toEqual(merged);
    expect(statementsOf({ waitFor: '3h' }, { monthly, waitFor: '1d' })?.waitFor).toBe(3 * HOUR);
    expect(statementsOf({}, { monthly })).toEqual({ monthly, ...durations });
  });

  it('are switched off by null, each or all', () => {
    expect(statementsOf(null, { weekly, monthly })).toBeUndefined();
    expect(statementsOf({ weekly: null }, { weekly, monthly })).toEqual({ monthly, ...durations });
    expect(statementsOf({ monthly: null }, { weekly, monthly })?.monthly).toBeUndefined();
    expect(statementsOf(undefined, null)).toBeUndefined();
    expect(statementsOf({ monthly }, null)).toEqual({ monthly, ...durations });
  });

  it('are not spoilt by a default that the merchant has of its own or switches off', () => {
    const defaults = { weekly: { on: 'noday', at: '08:00' }, monthly };
    expect(statementsOf({ weekly }, defaults)).toEqual({ weekly, monthly, ...durations });
    expect(statementsOf({ weekly: null }, defaults)).toEqual({ monthly, ...durations });
    expect(statementsOf(null, defaults)).toBeUndefined();
    expect(() => statementsOf({ waitFor: '1h' }, defaults)).toThrow('defaults.statements.weekly.on');
    const registry = registryOf([{ merchantCode: '1' }], { defaults: { statements: defaults } });
    const rejection = { path: 'defaults.statements.weekly.on', reason: textWith('1 entry inherits it (1)') };
    expect(allMerchants(registry).rejected[0]).toEqual(rejection);
  });
});

it.each([
  [12 * HOUR, '12h'],
  [45 * DAY, '45d'],
  [24 * HOUR, '1d'],
  [36 * HOUR, '36h'],
  [90 * 60_000, '90m'],
])('a duration of %d milliseconds is written as %s', (duration, text) => {
  expect(durationText(duration)).toBe(text);
});
