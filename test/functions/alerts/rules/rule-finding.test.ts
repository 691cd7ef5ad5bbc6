import { describe, expect, it } from 'vitest';
import type { AlertState } from '#records/ledger/alert-state.ts';
import type { RuleFinding } from '#alerts/rules/check-rules.ts';
import { defined } from '#support/assertions/defined.ts';
import { checkedAt, unpaid, type WrittenRule } from '#support/domain/alert-script.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';
const START = Date.parse(`${DAY}T09:00:00Z`);
const QUARTER = 15 * 60_000;
const RULE = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50, clearAt: 40 };

/** Checks the rule every quarter of an hour. @returns what was found each time */
function findings(written: WrittenRule, values: readonly string[]): RuleFinding[] {
  let state: AlertState | undefined;
  return values.map((value, index) => {
    const result = checkedAt(START + index * QUARTER, [written], unpaid(value), { state });
    ({ state } = result);
    return defined(result.findings[0]);
  });
}

const last = (written: WrittenRule, ...values: string[]) => defined(findings(written, values).at(-1));

describe('what a check finds about a rule', () => {
  it('has the value beside the bounds', () => {
    expect(last(RULE, '49')).toEqual({
      rule: 'too-many-unpaid',
      measure: 'unpaidCount',
      unit: 'count',
      severity: 'warning',
      value: '49.000',
      bound: { side: 'above', at: '50.000' },
      clearAt: '40.000',
      from: 'ok',
      to: 'ok',
      checks: 0,
      forChecks: 1,
      firingSince: null,
      noDataSince: null,
      mutedUntil: null,
      notBefore: null,
      announcedAt: null,
      repeatsAt: null,
      usual: null,
      says: [],
      silence: 'in bounds',
    });
  });

  it('says what the mail would say', () => {
    expect(last(RULE, '51')).toMatchObject({ from: 'ok', to: 'firing', says: ['firing'], silence: null });
    expect(last(RULE, '51', '40')).toMatchObject({ from: 'firing', to: 'ok', says: ['resolved'] });
  });

  it.each<[string, WrittenRule, string[], Partial<RuleFinding>]>([
    ['pending', { ...RULE, forChecks: 3 }, ['60', '60'], { from: 'pending', checks: 2, forChecks: 3 }],
    [
      'known',
      { ...RULE, repeatAfter: '24h' },
      ['60', '60'],
      {
        firingSince: `${DAY}T09:00:00.000Z`,
        announcedAt: `${DAY}T09:00:00.000Z`,
        repeatsAt: '2026-11-21T09:00:00.000Z',
      },
    ],
    ['known', RULE, ['60', '60'], { repeatsAt: null }],
    ['no data', RULE, ['60', 'none'], { to: 'firing', value: null, noDataSince: `${DAY}T09:15:00.000Z` }],
    [
      'waits',
      { ...RULE, notBefore: '18:00' },
      ['60'],
      { value: null, notBefore: '18:00', noDataSince: null },
    ],
    [
      'muted',
      { ...RULE, muteUntil: '2026-11-21T00:00:00Z' },
      ['60'],
      { to: 'firing', mutedUntil: '2026-11-21T00:00:00.000Z' },
    ],
    ['in bounds', { ...RULE, muteUntil: '2026-11-21T00:00:00Z' }, ['1'], { to: 'ok' }],
  ])('says nothing in a mail: %s, %j', (silence, written, values, more) => {
    expect(last(written, ...values)).toMatchObject({ says: [], silence, ...more });
  });

  it('always says either something or why it says nothing', () => {
    const values = fc.array(fc.constantFrom('none', '10', '45', '60'), { minLength: 1, maxLength: 12 });
    const rules = fc.record({
      forChecks: fc.constantFrom(1, 2),
      muteUntil: fc.constantFrom('2026-11-20T09:40:00Z', '2026-11-01T00:00:00Z'),
      repeatAfter: fc.constantFrom('15m', '24h'),
    });
    forAll([rules, values], (members, read) => {
      for (const { says, silence, to, value } of findings({ ...RULE, ...members }, read)) {
        expect(says.length === 0).toBe(silence !== null);
        if (silence === 'pending') expect(to).toBe('pending');
        if (silence === 'known') expect(to).toBe('firing');
        expect(silence === 'no data').toBe(value === null);
      }
    });
  });
});
