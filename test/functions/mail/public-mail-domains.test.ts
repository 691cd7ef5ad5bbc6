import { describe, expect, it } from 'vitest';
import { isPublicMailDomain } from '#mail/mail-preview.ts';

describe('isPublicMailDomain', () => {
  it.each(
    [
      'gmail.com',
      'outlook.com',
      'outlook.sa',
      'hotmail.co.uk',
      'yahoo.com.kw',
      'live.nl',
      'icloud.com',
    ].concat([
      'fastmail.com',
      'tuta.com',
      'yandex.com.tr',
      'me.com',
      'qq.com',
      'qualitynet.net',
      'mailinator.com',
    ]),
  )('says yes to %s', (domain) => {
    expect(isPublicMailDomain(domain)).toBe(true);
  });

  it.each([
    'example.com',
    'bakery.example',
    'gmail.com.bakery.example',
    'live.bakery.example',
    'mygmail.com',
    '',
  ])('says no to %j', (domain) => {
    expect(isPublicMailDomain(domain)).toBe(false);
  });
});
