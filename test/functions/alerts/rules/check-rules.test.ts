import { describe, expect, it } from 'vitest';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { checkedAt, expectScript, unpaid } from '#support/domain/alert-script.ts';

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
  const rules = [
    { name: 'constructor', measure: 'unpaidCount', above: 10, severity: 'info' },
    { name: 'toString', measure: 'unpaidCount', above: '20', severity: 'critical', forChecks: 2 },
    { name: 'old', measure: 'reportAge', above: 26.5 },
  ];
  const check = (notPaid: number, state?: AlertState, minutes = 0) => {
    const at = Date.parse('2026-11-20T09:00:00Z') + minutes * 60_000;
    return checkedAt(at, rules, unpaid(String(notPaid)), { state, timeZone: 'Asia/Kuwait' });
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
});

describe('a rule that changes while it fires', () => {
  it('is dropped without a resolved mail when it is removed', () =>
    expectScript(rule)`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      no rules
      at 09:15 value 60 -> removed
      at 09:30 value 10 -> nothing`);

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

it('the transitions name what was removed, and nothing about rules that were ok', () => {
  const at = Date.parse('2026-11-20T23:00:00Z');
  const written = [rule, { ...rule, name: 'pending', forChecks: 2 }, { ...rule, name: 'ok', above: 90 }];
  const { state } = checkedAt(at, written, unpaid('60'));
  const other = { ...rule, above: undefined, below: 5, notBefore: '00:00' };
  const second = checkedAt(at + 900_000, [other], unpaid('60'), { state });
  expect(second.transitions).toEqual([
    { rule: 'too-many-unpaid', from: 'firing', to: 'removed', value: '60.000' },
    { rule: 'pending', from: 'pending', to: 'removed', value: '60.000' },
  ]);
  expect(second.state.rules).toMatchObject({ 'too-many-unpaid': { place: 'ok', announced: null } });
  expect(Object.keys(second.state.rules)).toHaveLength(1);
  expect(second.lines).toEqual([]);
});

describe('missing data', () => {
  it('keep a rule ok, and the whole time without data has one beginning', () =>
    expectScript(rule)`
      at 09:00 value none -> ok; no data since 09:00
      at 09:15 value none -> ok; no data since 09:00
      at 09:30 value 10 -> ok
      at 09:45 value none -> ok; no data since 09:45
      at 10:00 value 51 -> firing; mail firing 51.000 since 10:00`);

  it('delay what must be mailed after a mute until the value is known', () =>
    expectScript(rule)`
      mute until 10:00
      at 09:45 value 60 -> firing
      at 10:00 value none -> firing; no data since 10:00
      at 10:15 value 60 -> firing; mail firing 60.000 since 09:45
      mute until 11:00
      at 10:45 value 40 -> ok
      at 11:00 value none -> ok; no data since 11:00
      at 11:15 value 10 -> ok; mail resolved 40.000 since 09:45 until 10:45`);

  it('continue over midnight as one time without data, while the old day is closed', () =>
    expectScript(rule)`
      at 23:00 value 60 -> firing; mail firing 60.000 since 23:00
      at 23:30 value none -> firing; no data since 23:30
      2026-11-21
      at 00:00 value none -> day ended; ok; no data since 2026-11-20 23:30
      at 00:30 value none -> ok; no data since 2026-11-20 23:30
      at 01:00 value 51 -> firing; mail firing 51.000 since 01:00`);
});
