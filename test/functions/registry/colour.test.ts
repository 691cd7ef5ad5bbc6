import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colourFault, onDarkSheet } from '#registry/branding.ts';

describe('a colour of text on the white sheet', () => {
  it.each(['#000000', '#1d4ed8', '#767676', '#AA0000'])('%s can be read', (colour) => {
    expect(colourFault(colour)).toBeUndefined();
  });

  // The contrasts are those of the WebAIM checker, rounded down.
  it.each([
    ['#777777', '4.47'],
    ['#ffffff', '1.00'],
    ['#FFD700', '1.40'],
    ['#ff0000', '3.99'],
  ])('%s has the contrast %s, which is not enough', (colour, ratio) => {
    expect(colourFault(colour)).toBe(
      `has a contrast of ${ratio} to 1 with white, and needs 4.5 to 1: choose a darker colour`,
    );
  });
});

/** As in WCAG 2.2, written apart from the code under test. */
function contrastWithDarkSheet(colour: string): number {
  const light = (hex: string) => {
    const parts = [hex.slice(1, 3), hex.slice(3, 5), hex.slice(5, 7)].map((part) => {
      const share = parseInt(part, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    });
    return 0.05 + 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
  };
  const [sheet, text] = [light('#22252c'), light(colour)];
  return Math.max(sheet, text) / Math.min(sheet, text);
}

it('every colour has a counterpart that can be read on the dark sheet', () => {
  const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (text) => {
      const dark = onDarkSheet(text);
      expect(dark).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrastWithDarkSheet(dark)).toBeGreaterThanOrEqual(4.5);
      if (contrastWithDarkSheet(text) >= 4.5) expect(dark).toBe(text);
    }),
    { numRuns: 500 },
  );
});
