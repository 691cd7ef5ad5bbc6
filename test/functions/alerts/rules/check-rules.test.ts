import type { AlertState } from '#records/ledger/alert-state.ts';
import { checkedAt, expectScript, unpaid } from '#support/alerts/rule-script.ts';

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };
const below = { name: 'too-few', measure: 'unpaidCount', below: 10 };

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

describe('when the day changes', () => {
  it('a firing rule ends without a false resolved mail, and starts again', () =>
    expectScript({ ...rule, repeatAfter: '1h' })`
      at 23:30 value 60 -> firing; mail firing 60.000 since 23:30
      2026-11-21
      at 00:00 value 0 -> day ended; ok
      at 01:00 value 51 -> firing; mail firing 51.000 since 01:00
      2026-11-22
      at 00:00 value 60 -> day ended; firing; mail firing 60.000 since 00:00
      at 00:15 value 10 -> ok; mail resolved 10.000 since 00:00 until 00:15`);

  it('a pending rule starts to count again', () =>
    expectScript({ ...rule, forChecks: 2 })`
      at 23:45 value 60 -> pending 1
      2026-11-21
      at 00:00 value 60 -> day ended; pending 1
      at 00:15 value 60 -> firing; mail firing 60.000 since 00:15`);

  it('the merchant’s own midnight counts', () =>
    expectScript(rule, { timeZone: 'Asia/Kuwait' })`
      at 20:45 value 60 -> firing; mail firing 60.000 since 20:45
      at 21:00 value 60 -> day ended; firing; mail firing 60.000 since 21:00
      2026-11-21
      at 00:00 value 60 -> firing`);

  it('a measure that does not depend on one day continues', () => {
    const readings = (value: string) => ({ lastSealedAt: Date.parse(value) });
    expectScript({ name: 'old', measure: 'reportAge', above: 26, repeatAfter: '24h' }, { readings })`
      at 05:00 value 2026-11-19T03:00Z -> ok
      at 05:15 value 2026-11-19T03:00Z -> firing; mail firing 26.250 since 05:15
      2026-11-21
      at 05:00 value 2026-11-19T03:00Z -> firing
      at 05:15 value 2026-11-19T03:00Z -> firing; mail still firing 50.250 since 2026-11-20 05:15
      at 05:30 value 2026-11-21T05:20Z -> ok; mail resolved 0.166 since 2026-11-20 05:15 until 05:30`;
  });
});

describe('a rule with a lower bound', () => {
  it('waits for its notBefore on every day', () =>
    expectScript({ ...below, notBefore: '12:00', forChecks: 2 }, { timeZone: 'Asia/Kuwait' })`
      at 00:00 value 0 -> ok
      at 08:59 value 0 -> ok
      at 09:00 value 0 -> pending 1
      at 09:15 value 1 -> firing; mail firing 1.000 since 09:15
      at 20:45 value 9 -> firing
      at 21:00 value 0 -> day ended; ok
      2026-11-21
      at 08:45 value 0 -> ok
      at 09:00 value 12 -> ok`);

  it('has no missing data while it waits', () =>
    expectScript({ ...below, notBefore: '12:00' })`
      at 11:45 value none -> ok
      at 12:00 value none -> ok; no data since 12:00
      2026-11-21
      at 00:00 value none -> ok
      at 12:00 value none -> ok; no data since 12:00`);

  it('is checked when the day is sealed, at any hour', () => {
    for (const rule of [below, { ...below, notBefore: '23:00' }]) {
      expectScript(rule)`
      at 01:00 value 5 -> ok
      at 01:15 value 5 sealed -> firing; mail firing 5.000 since 01:15
      at 01:30 value 10 sealed -> ok; mail resolved 10.000 since 01:15 until 01:30`;
    }
  });

  it('without notBefore waits for the sealed day', () =>
    expectScript(below)`
      at 00:00 value 0 -> ok
      at 23:59 value 0 -> ok
      2026-11-21
      at 03:00 value 0 of 2026-11-20 -> ok
      at 03:15 value 0 of 2026-11-20 sealed -> firing; mail firing 0.000 since 03:15`);

  it('with notBefore always checks a past day', () =>
    expectScript({ ...below, notBefore: '12:00' })`
      at 03:00 value 0 of 2026-11-19 -> firing; mail firing 0.000 since 03:00
      at 03:15 value 12 of 2026-11-19 -> ok; mail resolved 12.000 since 03:00 until 03:15
      at 03:30 value 9 of 2026-10-31 -> firing; mail firing 9.000 since 03:30`);

  it('keeps its state when its notBefore is moved to a later time', () =>
    expectScript({ ...below, notBefore: '09:00' })`
      at 09:00 value 5 -> firing; mail firing 5.000 since 09:00
      rule {"notBefore":"11:00"}
      at 10:00 value 20 -> firing
      at 11:00 value 20 -> ok; mail resolved 20.000 since 09:00 until 11:00`);

  it('does not wait again when the clock is set back, and waits for an hour that the clock skips', () => {
    // In Berlin, 02:00 to 03:00 comes twice on 25 October, and not at all on 28 March.
    expectScript({ ...below, notBefore: '02:30' }, { timeZone: 'Europe/Berlin' })`
      2026-10-25
      at 00:15 value 0 -> ok
      at 00:30 value 0 -> firing; mail firing 0.000 since 00:30
      at 01:00 value 20 -> ok; mail resolved 20.000 since 00:30 until 01:00
      at 01:15 value 0 -> firing; mail firing 0.000 since 01:15
      2027-03-28
      at 00:59 value 0 -> day ended; ok
      at 01:00 value 0 -> ok
      at 01:30 value 0 -> firing; mail firing 0.000 since 01:30`;
  });
});

it('a rule with an upper bound waits only if it has a notBefore', () =>
  expectScript({ ...rule, notBefore: '09:00' })`
      at 08:45 value 60 -> ok
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00`);

describe('a mute', () => {
  it('that ends while the rule fires causes a firing mail with the time since which the rule fires', () =>
    expectScript({ ...rule, forChecks: 2 })`
      mute until 10:00
      at 09:00 value 60 -> pending 1
      at 09:15 value 60 -> firing
      at 09:30 value 61 -> firing
      at 10:00 value 62 -> firing; mail firing 62.000 since 09:15
      at 10:15 value 62 -> firing
      at 10:30 value 50 -> ok; mail resolved 50.000 since 09:15 until 10:30`);

  it('delays repeated mails until it ends', () =>
    expectScript({ ...rule, repeatAfter: '30m' })`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      mute until 10:00
      at 09:30 value 60 -> firing
      at 09:45 value 60 -> firing
      at 10:00 value 60 -> firing; mail still firing 60.000 since 09:00
      at 10:15 value 60 -> firing
      at 10:30 value 60 -> firing; mail still firing 60.000 since 09:00`);

  it('that ends after the rule resolved causes a resolved mail, with the time and the value', () =>
    expectScript(rule)`
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      mute until 10:00
      at 09:15 value 60 -> firing
      at 09:30 value 40 -> ok
      at 09:45 value 10 -> ok
      at 10:00 value 20 -> ok; mail resolved 40.000 since 09:00 until 09:30
      at 10:15 value 20 -> ok`);

  it('that ends while the rule is pending again causes the resolved mail first, then the firing mail', () =>
    expectScript({ ...rule, forChecks: 2 })`
      at 08:45 value 60 -> pending 1
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      mute until 10:00
      at 09:15 value 40 -> ok
      at 10:00 value 60 -> pending 1; mail resolved 40.000 since 09:00 until 09:15
      at 10:15 value 60 -> firing; mail firing 60.000 since 10:15`);

  it('that ends the next day, when the rule fires again, causes mails about both days', () =>
    expectScript(rule)`
      at 20:00 value 60 -> firing; mail firing 60.000 since 20:00
      mute until 2026-11-21 08:00
      at 21:00 value 40 -> ok
      2026-11-21
      at 07:00 value 70 -> firing
      at 08:00 value 71 -> firing; mail resolved 40.000 since 2026-11-20 20:00 until 2026-11-20 21:00; mail firing 71.000 since 07:00
      at 09:00 value 0 -> ok; mail resolved 0.000 since 07:00 until 09:00`);

  it('that ends on a later day than a firing under it causes the resolved mail of the firing before', () =>
    expectScript(rule)`
      at 20:00 value 60 -> firing; mail firing 60.000 since 20:00
      mute until 2026-11-22 08:00
      at 21:00 value 40 -> ok
      2026-11-21
      at 07:00 value 70 -> firing
      at 08:00 value 30 -> ok
      at 09:00 value 80 -> firing
      2026-11-22
      at 07:00 value 0 -> day ended; ok
      at 08:00 value 0 -> ok; mail resolved 40.000 since 2026-11-20 20:00 until 2026-11-20 21:00
      at 09:00 value 0 -> ok`);
});
