import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '#records/day/business-day.ts';
import type { Registry } from '#registry/registry.ts';
import { ownerPart } from '#records/storage/keys.ts';
import { expectedStatements } from '#watch/delivery-watch/expected-pages.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';
import { registryOf as registryWith } from '#support/plan/merchants.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MONTHLY = { monthly: { onDay: 1, at: '09:00' } };
/** The statement of November is due at 9:00 in Kuwait, and waits for twelve hours. The watch waits for one more. */
const DEADLINE = Date.parse('2026-12-01T19:00:00Z');

const registryOf = (merchants: object[], groups: object[] = [], defaults = {}) =>
  registryWith(merchants, { groups, defaults });

const merchant = (code: number, settings: object = {}) => ({
  merchantCode: `${code}`,
  recipients: [`owner-${code}@merchants.example`],
  ...settings,
});
const group = (name: string, settings: object = {}) => ({
  name,
  merchants: 'all',
  recipients: ['boss@group.example'],
  ...settings,
});

/** The expected statements as short texts; those of the last day with a star. */
function names(registry: Registry, now: number): string[] {
  return expectedStatements(registry, { now, margin: HOUR }).statements.map(
    ({ owner, period, isRecent }) => `${ownerPart(owner)} ${period}${isRecent ? '*' : ''}`,
  );
}

describe('a merchant’s statement', () => {
  const registry = registryOf([merchant(700_001, { statements: MONTHLY }), merchant(700_002)]);

  it('is expected when the time to wait for days and the watch’s own hour are over', () => {
    expect(names(registry, DEADLINE - 1)).toEqual(['merchant=700001 2026-10']);
    expect(names(registry, DEADLINE)).toEqual(['merchant=700001 2026-11*', 'merchant=700001 2026-10']);
  });

  it('is recent for a day, and expected until it is not corrected any more', () => {
    const closed = Date.parse('2027-01-15T06:00:00Z');
    expect(names(registry, DEADLINE + DAY - 1)).toContain('merchant=700001 2026-11*');
    expect(names(registry, DEADLINE + DAY)).toContain('merchant=700001 2026-11');
    expect(names(registry, closed - 1)).toContain('merchant=700001 2026-11');
    expect(names(registry, closed)).not.toContain('merchant=700001 2026-11');
  });

  it('is expected for a day, even if it is never corrected', () => {
    const short = registryOf([merchant(1, { statements: { ...MONTHLY, waitFor: '12h', correctFor: '1h' } })]);
    expect(names(short, DEADLINE - 1)).toEqual([]);
    expect(names(short, DEADLINE)).toEqual(['merchant=1 2026-11*']);
    // It is still made while it is the newest.
    expect(names(short, DEADLINE + DAY)).toEqual(['merchant=1 2026-11']);
    expect(names(short, DEADLINE + 31 * DAY)).toEqual(['merchant=1 2026-12*']);
  });

  it('is not expected of a period before the merchant’s reportFrom', () => {
    const from = (reportFrom: string) =>
      names(registryOf([merchant(1, { statements: MONTHLY, reportFrom })]), DEADLINE);
    expect(from('2026-12-01')).toEqual([]);
    expect(from('2026-11-30')).toEqual(['merchant=1 2026-11*']);
    expect(from('2026-10-31')).toHaveLength(2);
  });

  it('is not expected for an entry that cannot be used: its report is missing already', () => {
    expect(names(registryOf([merchant(1, { statements: MONTHLY, recipients: 'nobody' })]), DEADLINE)).toEqual(
      [],
    );
  });
});

describe('a group’s page', () => {
  const two = [merchant(1), merchant(2, { timeZone: 'Europe/London', weekStart: 'monday' })];

  it('of a day is expected after the last of its merchants’ reports, and the time to wait', () => {
    const registry = registryOf(two, [group('shops', { daily: true, waitFor: '2h' })]);
    // 6:00 in London, then two hours and one.
    const due = Date.parse('2026-11-21T09:00:00Z');
    expect(names(registry, due - 1)[0]).toBe('group=shops 2026-11-19*');
    expect(names(registry, due).slice(0, 2)).toEqual(['group=shops 2026-11-20*', 'group=shops 2026-11-19']);
  });

  it('is not expected of a period before the reportFrom of each of its merchants', () => {
    const pages = [group('shops', { daily: true, monthly: { onDay: 1, at: '09:00' } })];
    const at = (...begins: string[]) =>
      names(
        registryOf(
          begins.map((reportFrom, index) => merchant(index + 1, { reportFrom })),
          pages,
        ),
        DEADLINE,
      );
    expect(at('2026-12-01', '2026-12-02')).toEqual([]);
    expect(at('2026-11-29', '2026-12-02')).toEqual([
      'group=shops 2026-11-30*',
      'group=shops 2026-11-29',
      'group=shops 2026-11*',
    ]);
  });

  it('of a week is expected when the week is over for each of its merchants', () => {
    const registry = registryOf(two, [group('shops', { weekly: { on: 'monday', at: '08:00' } })]);
    const at = (now: string) => names(registry, Date.parse(now))[0];
    // The second merchant's week ends on Sunday, the 22nd.
    expect(at('2026-11-23T17:59:59Z')).toBe('group=shops 2026-W46');
    expect(at('2026-11-23T18:00:00Z')).toBe('group=shops 2026-W47*');
  });

  it('has the codes of its merchants, and none is expected of a group without a usable one', () => {
    const registry = registryOf(
      [...two, merchant(3, { recipients: 'nobody' })],
      [group('all', MONTHLY), group('none', { ...MONTHLY, merchants: { prefix: '9' } })],
    );
    const { statements, owners } = expectedStatements(registry, { now: DEADLINE, margin: HOUR });
    expect(statements.map(({ owner, period }) => [ownerPart(owner), period])).toEqual([
      ['group=all', '2026-11'],
      ['group=all', '2026-10'],
    ]);
    expect(statements[0]?.members).toEqual(['1', '2', '3']);
    expect([...owners]).toEqual(['group=all']);
  });
});

it('nothing is expected twice, or before its period is over in the earliest zone', () => {
  const zone = fc.constantFrom('Pacific/Kiritimati', 'Asia/Kuwait', 'America/Los_Angeles');
  const statements = fc.record({
    weekly: fc.record({ on: fc.constantFrom(...WEEKDAYS), at: fc.constantFrom('00:00', '23:59') }),
    monthly: fc.record({ onDay: fc.integer({ min: 1, max: 28 }), at: fc.constantFrom('00:00', '23:59') }),
    waitFor: fc.constantFrom('1h', '12h', '7d'),
    correctFor: fc.constantFrom('1h', '45d'),
  });
  const settings = fc.record({ timeZone: zone, weekStart: fc.constantFrom(...WEEKDAYS), statements });
  forAll([fc.array(settings, { maxLength: 3 }), fc.nat(9_000)], (list, hours) => {
    const now = DEADLINE + hours * HOUR;
    const groups = [group('shops', { daily: true, weekly: { on: 'sunday', at: '08:00' }, ...MONTHLY })];
    const registry = registryOf(
      list.map((each, index) => merchant(index, each)),
      groups,
    );
    const found = expectedStatements(registry, { now, margin: HOUR }).statements;
    const keys = found.map(({ owner, period }) => `${ownerPart(owner)} ${period}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { to } of found) expect(Date.parse(to) + 10 * HOUR).toBeLessThan(now);
  });
});

it('ten thousand merchants and a hundred groups with all of them take few seconds', () => {
  const merchants = Array.from({ length: 10_000 }, (_, index) => merchant(700_000 + index));
  const weekly = { weekly: { on: 'sunday', at: '08:00' } };
  const groups = Array.from({ length: 100 }, (_, index) => group(`g${index}`, { daily: true, ...weekly }));
  const registry = registryOf(merchants, groups, { statements: { ...MONTHLY, ...weekly } });
  const before = process.cpuUsage();
  const { statements } = expectedStatements(registry, { now: DEADLINE, margin: HOUR });
  const { user } = process.cpuUsage(before);
  expect(statements.filter(({ isRecent }) => isRecent)).toHaveLength(10_000 + 100);
  expect(user / 1_000).toBeLessThan(10_000);
});
