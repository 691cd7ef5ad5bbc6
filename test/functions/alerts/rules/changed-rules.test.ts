import { describe, it, expect } from 'vitest';
import { checkRules } from '#alerts/rules/check-rules.ts';
import { NOTHING_KNOWN, expectScript, rulesOf, unpaid } from '#support/domain/alert-script.ts';
import type { WrittenRule } from '#support/domain/alert-script.ts';

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };

describe('a rule that changes while it fires', () => {
  it('is dropped without a resolved mail when it is removed', () =>
    expectScript(rule)`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      no rules
      at 09:15 value 60 -> removed
      at 09:30 value 10 -> nothing`);

  it('is a new rule under another name', () =>
    expectScript({ ...rule, forChecks: 2 })`
      at 09:00 value 60 -> pending 1
      at 09:15 value 60 -> firing; mail firing 60.000 since 09:15
      rule {"name":"unpaid"}
      at 09:30 value 60 -> removed; pending 1
      at 09:45 value 60 -> firing; mail firing 60.000 since 09:45
      at 10:00 value 10 -> ok; mail resolved 10.000 since 09:45 until 10:00`);

  it('is a new rule when it watches another measure under the same name', () => {
    const readings = (value: string) => ({
      ...unpaid(value),
      refunds: { count: 1, total: 1_000n, largest: 1_000n },
    });
    expectScript(rule, { readings })`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      rule {"measure":"refundCount"}
      at 09:15 value 60 -> removed; ok
      at 09:30 value 60 -> ok`;
  });

  it('continues with another bound', () =>
    expectScript(rule)`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      rule {"above":100,"forChecks":3,"repeatAfter":"15m","severity":"critical"}
      at 09:15 value 101 -> firing; mail still firing 101.000 since 09:00
      at 09:30 value 60 -> ok; mail resolved 60.000 since 09:00 until 09:30
      rule {"above":50}
      at 09:45 value 60 -> pending 1`);
});

describe('the transitions', () => {
  const check = (written: WrittenRule[], minute: number, last?: ReturnType<typeof checkRules>) => {
    const now = Date.parse('2026-11-20T23:00:00Z') + minute * 60_000;
    const today = minute < 60 ? '2026-11-20' : '2026-11-21';
    return checkRules({
      rules: rulesOf(...written),
      state: last?.state,
      readings: { ...NOTHING_KNOWN, ...unpaid('60'), now, today },
      day: today,
      tick: now,
      isDaySealed: false,
      timeZone: 'UTC',
      currency: 'KWD',
    });
  };

  it('name what was removed, and nothing about rules that were ok', () => {
    const first = check(
      [rule, { ...rule, name: 'pending', forChecks: 2 }, { ...rule, name: 'ok', above: 90 }],
      0,
    );
    const second = check([{ ...rule, above: undefined, below: 5, notBefore: '00:00' }], 15, first);
    expect(second.transitions).toEqual([
      { rule: 'too-many-unpaid', from: 'firing', to: 'removed', value: '60.000' },
      { rule: 'pending', from: 'pending', to: 'removed', value: '60.000' },
    ]);
    expect(second.state.rules).toMatchObject({ 'too-many-unpaid': { place: 'ok', announced: null } });
    expect(Object.keys(second.state.rules)).toHaveLength(1);
    expect(second.lines).toEqual([]);
  });
});
