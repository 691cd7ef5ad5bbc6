import { describe, expect, it } from 'vitest';
import { durationText } from '#registry/statement-settings.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { registryOf } from '#support/plan/merchants.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const settingsOf = (own: object, defaults: object = {}) =>
  merchantSettings(registryOf([{ merchantCode: '1', ...own }], { defaults }), '1');
const statementsOf = (own: unknown, defaults?: unknown) =>
  settingsOf(
    own === undefined ? {} : { statements: own },
    defaults === undefined ? {} : { statements: defaults },
  ).statements;

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
    expect(statementsOf({ waitFor: '7d', correctFor: '366d' })).toEqual({
      waitFor: 7 * DAY,
      correctFor: 366 * DAY,
    });
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
    expect(statementsOf({ weekly: late }, { weekly, monthly, waitFor: '1d' })).toEqual({
      weekly: late,
      monthly,
      waitFor: DAY,
      correctFor: 45 * DAY,
    });
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
    const [rejection] = allMerchants(registry).rejected;
    expect(rejection?.path).toBe('defaults.statements.weekly.on');
    expect(rejection?.reason).toContain('1 entry inherits it (1)');
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
