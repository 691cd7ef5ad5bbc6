import { describe, expect, it } from 'vitest';
import { checkRules } from '#alerts/rules/check-rules.ts';
import { NOTHING_KNOWN, expectScript, rulesOf, unpaid } from '#support/domain/alert-script.ts';

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };

describe('a rule', () => {
  it('fires beyond its bound, is mailed once, and resolves at the bound', () =>
    expectScript(rule)`
      at 09:00 value 0 -> ok
      at 09:15 value 50 -> ok
      at 09:30 value 51 -> firing; mail firing 51.000 since 09:30
      at 09:45 value 51 -> firing
      at 10:00 value 9000 -> firing
      at 10:15 value 50 -> ok; mail resolved 50.000 since 09:30 until 10:15
      at 10:30 value 50 -> ok
      at 10:45 value 51 -> firing; mail firing 51.000 since 10:45`);

  it('with a lower bound works in the opposite direction', () =>
    expectScript({ ...rule, above: undefined, below: 10, notBefore: '08:00', clearAt: 20 })`
      at 09:00 value 10 -> ok
      at 09:15 value 9 -> firing; mail firing 9.000 since 09:15
      at 09:30 value 10 -> firing
      at 09:45 value 19 -> firing
      at 10:00 value 20 -> ok; mail resolved 20.000 since 09:15 until 10:00
      at 10:15 value 10 -> ok`);

  it('with clearAt does not change back and forth near its bound', () =>
    expectScript({ ...rule, clearAt: 40 })`
      at 09:00 value 51 -> firing; mail firing 51.000 since 09:00
      at 09:15 value 50 -> firing
      at 09:30 value 41 -> firing
      at 09:45 value 52 -> firing
      at 10:00 value 40 -> ok; mail resolved 40.000 since 09:00 until 10:00
      at 10:15 value 45 -> ok
      at 10:30 value 50 -> ok
      at 10:45 value 51 -> firing; mail firing 51.000 since 10:45
      at 11:00 value 39 -> ok; mail resolved 39.000 since 10:45 until 11:00`);

  it('with forChecks fires only when this number of consecutive checks is out of bounds', () =>
    expectScript({ ...rule, forChecks: 3 })`
      at 09:00 value 51 -> pending 1
      at 09:15 value 52 -> pending 2
      at 09:30 value 50 -> ok
      at 09:45 value 51 -> pending 1
      at 10:00 value 51 -> pending 2
      at 10:15 value 53 -> firing; mail firing 53.000 since 10:15
      at 10:30 value 50 -> ok; mail resolved 50.000 since 10:15 until 10:30
      at 10:45 value 51 -> pending 1`);

  it('with forChecks does not count a value between clearAt and the bound', () =>
    expectScript({ ...rule, forChecks: 2, clearAt: 40 })`
      at 09:00 value 51 -> pending 1
      at 09:15 value 45 -> ok
      at 09:30 value 51 -> pending 1
      at 09:45 value 51 -> firing; mail firing 51.000 since 09:45`);

  it('with repeatAfter is mailed again while it fires, counted from the last mail', () =>
    expectScript({ ...rule, repeatAfter: '30m' })`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      at 09:29 value 60 -> firing
      at 09:30 value 61 -> firing; mail still firing 61.000 since 09:00
      at 09:45 value 62 -> firing
      at 10:05 value 63 -> firing; mail still firing 63.000 since 09:00
      at 10:30 value 60 -> firing
      at 10:35 value 40 -> ok; mail resolved 40.000 since 09:00 until 10:35
      at 11:30 value 40 -> ok
      at 11:45 value 51 -> firing; mail firing 51.000 since 11:45
      at 12:00 value 51 -> firing`);
});

describe('several rules', () => {
  const now = Date.parse('2026-11-20T09:00:00Z');
  const check = (notPaid: number, state?: Parameters<typeof checkRules>[0]['state'], minutes = 0) => {
    const at = now + minutes * 60_000;
    return checkRules({
      rules: rulesOf(
        { name: 'constructor', measure: 'unpaidCount', above: 10, severity: 'info' },
        { name: 'toString', measure: 'unpaidCount', above: '20', severity: 'critical', forChecks: 2 },
        { name: 'old', measure: 'reportAge', above: 26.5 },
      ),
      state,
      readings: { ...NOTHING_KNOWN, ...unpaid(String(notPaid)), now: at, today: '2026-11-20' },
      day: '2026-11-20',
      tick: at,
      isDaySealed: false,
      timeZone: 'Asia/Kuwait',
      currency: 'KWD',
    });
  };

  it('change independently of each other, with all that a mail needs', () => {
    const first = check(60);
    expect(first.transitions).toEqual([
      { rule: 'constructor', from: 'ok', to: 'firing', value: '60.000' },
      { rule: 'toString', from: 'ok', to: 'pending', value: '60.000' },
    ]);
    expect(first.lines).toEqual([
      {
        rule: 'constructor',
        says: 'firing',
        severity: 'info',
        measure: 'unpaidCount',
        unit: 'count',
        value: '60.000',
        bound: { side: 'above', at: '10.000' },
        since: '2026-11-20T09:00:00.000Z',
        until: null,
        day: '2026-11-20',
        ...{ days: null, title: null, note: null, items: [], currency: 'KWD' },
        course: { began: '60.000', worst: '60.000' },
      },
    ]);
    expect(first.noData).toEqual([{ rule: 'old', since: '2026-11-20T09:00:00.000Z' }]);
    expect(first.state).toMatchObject({ day: '2026-11-20', tick: '2026-11-20T09:00:00.000Z', owed: null });

    const second = check(15, first.state, 15);
    expect(second.transitions).toEqual([{ rule: 'toString', from: 'pending', to: 'ok', value: '15.000' }]);
    expect(second.lines).toEqual([]);
    const third = check(5, second.state, 30);
    expect(third.transitions).toEqual([{ rule: 'constructor', from: 'firing', to: 'ok', value: '5.000' }]);
    expect(third.lines).toEqual([
      {
        ...first.lines[0],
        says: 'resolved',
        value: '5.000',
        until: '2026-11-20T09:30:00.000Z',
      },
    ]);
    expect(third.noData).toEqual([{ rule: 'old', since: '2026-11-20T09:00:00.000Z' }]);
  });

  it('leave the given state unchanged', () => {
    const { state } = check(60);
    const before = structuredClone(state);
    check(5, state, 15);
    expect(state).toEqual(before);
  });
});
