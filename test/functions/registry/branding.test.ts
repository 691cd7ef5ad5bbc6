import { describe, expect, it } from 'vitest';
import { merchantSettings } from '#registry/merchants.ts';
import { colourFault, onDarkSheet } from '#registry/branding.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';
import { registryOf } from '#support/plan/merchants.ts';

const brandingOf = (branding: unknown) =>
  merchantSettings(registryOf([{ merchantCode: '1', branding }]), '1').branding;

describe('the branding of a merchant', () => {
  it.each([
    { senderName: 'Gulf Pay, Kuwait' },
    { senderName: 'خليج للدفع' },
    { logo: 'https://cdn.example.com/logo.png' },
    { colour: '#0b5c4a' },
    { help: 'https://example.com/help?lang=ar#mails' },
    { help: 'mailto:help@example.com' },
    { address: 'Block 3, Street 5, Kuwait City' },
    { footer: false },
  ])('may have %j', (branding) => {
    expect(brandingOf(branding)).toEqual(branding);
  });

  it.each([
    [{ senderName: '' }, 'branding.senderName'],
    [{ senderName: '  ' }, 'branding.senderName'],
    [{ senderName: 'A\r\nBcc: b@example.com' }, 'branding.senderName'],
    [{ senderName: 'A <b@example.com>' }, 'branding.senderName'],
    [{ senderName: 'a'.repeat(101) }, 'branding.senderName'],
    [{ logo: 'http://cdn.example.com/logo.png' }, 'branding.logo'],
    [{ logo: 'data:image/png;base64,AA' }, 'branding.logo'],
    [{ logo: 'javascript:alert(1)' }, 'branding.logo'],
    [{ logo: 'https://user:word@example.com/logo.png' }, 'branding.logo'],
    // Nothing in it may name a recipient.
    [{ logo: 'https://cdn.example.com/logo.png?to={{recipient}}' }, 'branding.logo'],
    [{ logo: 'https://cdn.example.com/{{recipient}}/logo.png' }, 'branding.logo'],
    [{ logo: 'https://cdn.example.com/owner@example.com/logo.png' }, 'branding.logo'],
    [{ colour: 'green' }, 'branding.colour'],
    [{ colour: '#0b5c4a;background:url(https://example.com)' }, 'branding.colour'],
    [{ help: 'javascript:alert(1)' }, 'branding.help'],
    [{ help: 'mailto:a@example.com?bcc=b@example.com' }, 'branding.help'],
    [{ help: 'http://example.com/help' }, 'branding.help'],
    [{ address: 'two\nlines' }, 'branding.address'],
    [{ footer: 'no' }, 'branding.footer'],
  ])('may not have %j', (branding, path) => {
    expect(() => brandingOf(branding)).toThrow(path);
  });
});

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
  forAll([colour], { numRuns: 500 }, (text) => {
    const dark = onDarkSheet(text);
    expect(dark).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrastWithDarkSheet(dark)).toBeGreaterThanOrEqual(4.5);
    if (contrastWithDarkSheet(text) >= 4.5) expect(dark).toBe(text);
  });
});
