import { describe, it } from 'vitest';
import { expectScript } from '#support/domain/alert-script.ts';

describe('reportAge', () => {
  const readings = (value: string) => ({ lastSealedAt: Date.parse(value) });
  const rule = { name: 'no-report', measure: 'reportAge', above: 25 };

  it('counts the hour that comes twice: two reports at 06:00 are 25 hours apart', () => {
    // 06:00 in Berlin is 04:00 UTC on 24 October and 05:00 UTC on 25 October.
    expectScript(
      rule,
      `2026-10-25
       at 05:00 value 2026-10-24T04:00Z -> ok
       at 05:01 value 2026-10-24T04:00Z -> firing; mail firing 25.016 since 05:01
       at 05:02 value 2026-10-25T05:01Z -> ok; mail resolved 0.016 since 05:01 until 05:02`,
      { readings, timeZone: 'Europe/Berlin' },
    );
  });
});

describe('expiringUnpaid', () => {
  const rule = {
    name: 'expiring',
    measure: 'expiringUnpaid',
    above: 0,
    withinDays: 1,
    createdWithinDays: 30,
  };
  const readings = (value: string) => ({
    expiring:
      value === '-' ? [] : value.split(',').map((expiresOn) => ({ createdOn: '2026-10-01', expiresOn })),
  });

  it('uses the zone’s calendar on a day of 25 hours, and continues from day to day', () => {
    // Berlin's 25 October begins at 22:00 UTC of the 24th and ends at 23:00 UTC of the 25th.
    expectScript(
      rule,
      `2026-10-24
       at 21:59 value 2026-10-26 -> ok
       at 22:00 value 2026-10-26 -> firing; mail firing 1.000 since 22:00
       2026-10-25
       at 22:30 value 2026-10-26,2026-10-27 -> firing
       at 23:00 value 2026-10-26,2026-10-27 -> firing
       2026-10-26
       at 22:59 value 2026-10-26 -> firing
       at 23:00 value 2026-10-26 -> ok; mail resolved 0.000 since 2026-10-24 22:00 until 23:00`,
      { readings, timeZone: 'Europe/Berlin' },
    );
  });
});
