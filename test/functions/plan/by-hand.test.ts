import { describe, expect, test } from 'vitest';
import { backfillItems, dayItems } from '#functions/plan/create-plan.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import type { DaysMessage } from '#runtime/queue-message.ts';
import { merchant } from '#support/plan/merchants.ts';

/** 02:30 of the 21st in Kuwait, still the 20th in New York. */
const now = Date.parse('2026-11-20T23:30:00Z');
const NOW = new Date(now).toISOString();
const kuwait = merchant({ merchantCode: 'KW' });
const newYork = merchant({ merchantCode: 'NY', timeZone: 'America/New_York' });

function items(members: Record<string, unknown>, merchants = [kuwait, newYork]): DaysMessage[] {
  const event = readPlanEvent({ kind: 'daily', ...members });
  if (event.is === 'day') return dayItems(merchants, event, now);
  if (event.is === 'backfill') return backfillItems(merchants, event, now);
  throw new Error('this test is about events by hand');
}

describe('one day by hand', () => {
  test('without members: yesterday in the zone, no lookback, with mail', () => {
    expect(items({})).toEqual([
      { merchantCode: 'KW', days: ['2026-11-20'], send: true, scheduledTime: NOW },
      { merchantCode: 'NY', days: ['2026-11-19'], send: true, scheduledTime: NOW },
    ]);
  });

  test('today in the zone, and without mail if the event says so', () => {
    expect(items({ day: 'today', send: false })).toEqual([
      { merchantCode: 'KW', days: ['2026-11-21'], send: false, scheduledTime: NOW },
      { merchantCode: 'NY', days: ['2026-11-20'], send: false, scheduledTime: NOW },
    ]);
  });

  test('with a scheduled time: yesterday at that time, and the time is passed on', () => {
    expect(items({ day: 'yesterday', scheduledTime: '2026-11-11T03:00:00Z' }, [kuwait])).toEqual([
      { merchantCode: 'KW', days: ['2026-11-10'], send: true, scheduledTime: '2026-11-11T03:00:00Z' },
    ]);
  });

  test('with a scheduled time: the date may be after it if the day has begun', () => {
    const members = { day: '2026-11-20', scheduledTime: '2026-11-11T03:00:00Z' };
    expect(items(members, [kuwait]).map(({ days }) => days)).toEqual([['2026-11-20']]);
  });

  test('a date that has not begun everywhere is refused, with the names of the member and the merchant', () => {
    expect(() => items({ day: '2026-11-21' })).toThrow(
      'the event is not usable: day: 2026-11-21 has not begun yet in America/New_York, the zone of merchant NY',
    );
    expect(items({ day: '2026-11-21' }, [kuwait])).toHaveLength(1);
  });

  test('a day before reportFrom is mailed only when the event says so', () => {
    const later = merchant({ reportFrom: '2026-11-20' });
    const sendOf = (members: Record<string, unknown>) => items(members, [later]).map(({ send }) => send);
    expect(sendOf({ day: '2026-11-19' })).toEqual([false]);
    expect(sendOf({ day: '2026-11-19', send: true })).toEqual([true]);
    expect(sendOf({ day: '2026-11-20' })).toEqual([true]);
  });
});

describe('a backfill', () => {
  test('every day from the first to the last, without mail', () => {
    const days = ['2026-02-27', '2026-02-28', '2026-03-01'];
    expect(items({ from: '2026-02-27', to: '2026-03-01' }, [kuwait])).toEqual([
      { merchantCode: 'KW', days, send: false, scheduledTime: NOW },
    ]);
  });

  test('with mail if the event says so, whatever the reportFrom', () => {
    const later = merchant({ reportFrom: '2026-02-28' });
    const [item, ...more] = items({ from: '2026-02-27', to: '2026-03-01', send: true }, [later]);
    expect(item).toMatchObject({ send: true, days: { length: 3 } });
    expect(more).toEqual([]);
  });

  test('up to today in the zone of every merchant, and not later', () => {
    expect(items({ from: '2026-11-19', to: '2026-11-20' })).toHaveLength(2);
    expect(() => items({ from: '2026-11-19', to: '2026-11-21' })).toThrow(
      'the event is not usable: to: 2026-11-21 has not begun yet in America/New_York, the zone of merchant NY',
    );
  });
});
