import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHANGES_OF_A_DAY,
  LATEST_CHANGE,
  MARKER_SPAN,
  changeMarker,
  changeMarkerSchema,
} from '#records/storage/change-marker.ts';
import { changeKey } from '#records/storage/keys.ts';

const DAY = '2026-11-20';
const keyAt = (moment: string) => changeKey(changeMarker('days', DAY, Date.parse(moment)));

/** A day and any moment of some centuries, milliseconds UTC. */
const moments = fc.integer({ min: 0, max: Date.parse('2500-01-01T00:00:00Z') });
const changes = fc.constantFrom(...CHANGES_OF_A_DAY);

describe('a change marker', () => {
  it('has the beginning of its ten minutes in UTC', () => {
    expect(changeMarker('mail', DAY, Date.parse('2026-11-21T06:14:59.999Z'))).toEqual({
      day: DAY,
      what: 'mail',
      notedAt: '2026-11-21T06:10:00.000Z',
    });
  });

  it('has a key with the date and the time of its beginning, what changes, and the day', () => {
    expect(keyAt('2026-11-21T06:14:59.999Z')).toBe('changes/noted_on=2026-11-21/0610-days-2026-11-20.json');
    expect(keyAt('2026-11-21T00:00:00.000Z')).toBe('changes/noted_on=2026-11-21/0000-days-2026-11-20.json');
    expect(keyAt('2026-11-20T23:59:59.999Z')).toBe('changes/noted_on=2026-11-20/2350-days-2026-11-20.json');
  });

  it('is the same for all moments of its span and for no other moment', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: MARKER_SPAN - 1 }), changes, (moment, later, what) => {
        const begin = moment - (moment % MARKER_SPAN);
        const marker = changeMarker(what, DAY, begin);
        expect(changeMarker(what, DAY, begin + later)).toEqual(marker);
        expect(changeMarker(what, DAY, begin - 1)).not.toEqual(marker);
        expect(changeMarker(what, DAY, begin + MARKER_SPAN)).not.toEqual(marker);
        expect(changeMarkerSchema.parse(marker)).toEqual(marker);
      }),
    );
  });

  it('begins at its moment or before, and LATEST_CHANGE covers a run of 15 minutes', () => {
    fc.assert(
      fc.property(moments, changes, (moment, what) => {
        const noted = Date.parse(changeMarker(what, DAY, moment).notedAt);
        expect(noted).toBeLessThanOrEqual(moment);
        expect(moment + 15 * 60_000).toBeLessThan(noted + LATEST_CHANGE - 4 * 60_000);
      }),
    );
  });

  it('has another key for each span, each day and each kind of change', () => {
    fc.assert(
      fc.property(moments, moments, changes, changes, (one, other, what, otherWhat) => {
        const markers = [changeMarker(what, DAY, one), changeMarker(otherWhat, DAY, other)] as const;
        const same = JSON.stringify(markers[0]) === JSON.stringify(markers[1]);
        expect(changeKey(markers[0]) === changeKey(markers[1])).toBe(same);
      }),
    );
  });

  it.each(['not a time', Number.NaN])('refuses a moment that is not a time: %s', (moment) => {
    expect(() => changeMarker('days', DAY, Number(moment))).toThrow(RangeError);
  });
});
