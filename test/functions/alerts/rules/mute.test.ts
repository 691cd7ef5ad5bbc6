import { describe, it } from 'vitest';
import { expectScript } from '#support/domain/alert-script.ts';

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };

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

  it('under which the rule fired and resolved causes no mail', () =>
    expectScript(rule)`
      mute until 10:00
      at 09:00 value 60 -> firing
      at 09:15 value 40 -> ok
      at 09:30 value 70 -> firing
      at 09:45 value 40 -> ok
      at 10:00 value 40 -> ok
      at 10:15 value 60 -> firing; mail firing 60.000 since 10:15`);

  it('that ends while the rule is pending again causes the resolved mail first, then the firing mail', () =>
    expectScript({ ...rule, forChecks: 2 })`
      at 08:45 value 60 -> pending 1
      at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
      mute until 10:00
      at 09:15 value 40 -> ok
      at 10:00 value 60 -> pending 1; mail resolved 40.000 since 09:00 until 09:15
      at 10:15 value 60 -> firing; mail firing 60.000 since 10:15`);

  it('ends exactly at its time and not before', () =>
    expectScript(rule)`
      mute until 09:01
      at 09:00 value 60 -> firing
      at 09:01 value 60 -> firing; mail firing 60.000 since 09:00`);

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
