import { describe, it } from 'vitest';
import { expectScript } from '#support/domain/alert-script.ts';

const above = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };
const below = { name: 'too-few', measure: 'unpaidCount', below: 10 };

describe('when the day changes', () => {
  it('a firing rule ends without a false resolved mail, and starts again', () =>
    expectScript({ ...above, repeatAfter: '1h' })`
      at 23:30 value 60 -> firing; mail firing 60.000 since 23:30
      2026-11-21
      at 00:00 value 0 -> day ended; ok
      at 01:00 value 51 -> firing; mail firing 51.000 since 01:00
      2026-11-22
      at 00:00 value 60 -> day ended; firing; mail firing 60.000 since 00:00
      at 00:15 value 10 -> ok; mail resolved 10.000 since 00:00 until 00:15`);

  it('a pending rule starts to count again', () =>
    expectScript({ ...above, forChecks: 2 })`
      at 23:45 value 60 -> pending 1
      2026-11-21
      at 00:00 value 60 -> day ended; pending 1
      at 00:15 value 60 -> firing; mail firing 60.000 since 00:15`);

  it('the merchant’s own midnight counts', () =>
    expectScript(above, { timeZone: 'Asia/Kuwait' })`
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
  expectScript({ ...above, notBefore: '09:00' })`
      at 08:45 value 60 -> ok
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00`);
