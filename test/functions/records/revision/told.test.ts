import { describe, expect, it } from 'vitest';
import { figuresOfDay, type FollowedDay } from '#records/figures/history.ts';
import { laterState, olderDays, withoutAccounted } from '#records/revision/told.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';
import { defined } from '#support/assertions/defined.ts';

type Open = { lastDay: string | null; count: number; amount: string }[];

function made(day: string, open: Open, currency = 'KWD'): FollowedDay {
  const { outcomes, ...manifest } = sealedManifest();
  return figuresOfDay({ ...manifest, day, currency, outcomes: { ...defined(outcomes), open } });
}

const DAYS = [
  made('2026-11-19', [
    { lastDay: '2026-11-19', count: 1, amount: '1.000' },
    { lastDay: '2026-11-20', count: 2, amount: '20.000' },
    { lastDay: '2026-11-21', count: 4, amount: '4.000' },
  ]),
  made('2026-11-12', [{ lastDay: '2026-11-20', count: 1, amount: '0.500' }], 'USD'),
  made('2026-11-10', [
    { lastDay: null, count: 3, amount: '30.000' },
    { lastDay: '2026-11-15', count: 9, amount: '9.000' },
  ]),
  made('2026-11-09', [{ lastDay: '2026-12-01', count: 1, amount: '5.000' }]),
];

describe('what is said of all older days', () => {
  const page = { day: '2026-11-20', reported: '2026-11-19', currency: 'KWD', followFor: 10 };

  it('is what expired since the last report, and what is open and followed no longer', () => {
    expect(olderDays(DAYS, page)).toEqual({
      expired: { count: 2, sum: '20.000' },
      leaving: { count: 3, sum: '30.000', until: '2026-11-10' },
    });
  });

  it('has more after mornings without a report', () => {
    expect(olderDays(DAYS, { ...page, reported: '2026-11-18' })).toEqual({
      expired: { count: 3, sum: '21.000' },
      leaving: { count: 4, sum: '35.000', until: '2026-11-10' },
    });
  });

  it('is nothing when nothing ended', () => {
    expect(olderDays(DAYS, { ...page, day: '2026-11-25', reported: '2026-11-24', followFor: 0 })).toBeNull();
  });
});

describe('what is known of mails', () => {
  const state = (until: string) => ({ until, reported: null, days: [] });

  it('is the later of two states', () => {
    expect(laterState(null, state('2026-11-01'))).toEqual(state('2026-11-01'));
    expect(laterState(state('2026-11-02'), state('2026-11-01'))).toEqual(state('2026-11-02'));
    expect(laterState(state('2026-11-01'), state('2026-11-02'))).toEqual(state('2026-11-02'));
    expect(laterState(null, null)).toBeNull();
  });

  it('is not kept twice: beside a day only until it is accounted for', () => {
    const days = DAYS.map((day) => ({ ...day, told: [{ day: '2026-11-01', to: 2 }] }));
    const kept = withoutAccounted(days, state('2026-11-12')).filter(({ told }) => told !== undefined);
    expect(kept.map(({ day }) => day)).toEqual(['2026-11-19']);
    expect(withoutAccounted(days, null)).toEqual(days);
  });
});
