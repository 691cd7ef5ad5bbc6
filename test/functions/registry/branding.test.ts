import { describe, expect, it } from 'vitest';
import { merchantSettings } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';

const registryOf = (own: unknown, defaults: unknown = {}) =>
  parseRegistry(
    JSON.stringify({
      service: { baseUrl: 'https://pay.example.com' },
      defaults: { branding: defaults },
      merchants: [{ merchantCode: '1', branding: own }],
    }),
  );
const brandingOf = (own: unknown, defaults?: unknown) =>
  merchantSettings(registryOf(own, defaults), '1').branding;

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
