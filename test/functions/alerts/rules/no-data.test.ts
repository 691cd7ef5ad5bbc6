import { describe, it } from 'vitest';
import { expectScript } from '#support/domain/alert-script.ts';

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };

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

  it('include a share of zero', () => {
    const readings = (value: string) => {
      const [notPaid = 0, total = 0] = value.split('/').map(Number);
      return { counts: { total, paid: null, notPaid, cancelled: null, other: null } };
    };
    expectScript({ name: 'share', measure: 'unpaidShare', above: '33.333' }, { readings })`
      at 09:00 value 0/0 -> ok; no data since 09:00
      at 09:15 value 1/3 -> ok
      at 09:30 value 2/5 -> firing; mail firing 40.000 since 09:30
      at 09:45 value 0/0 -> firing; no data since 09:45
      at 10:00 value 1/4 -> ok; mail resolved 25.000 since 09:30 until 10:00`;
  });
});
