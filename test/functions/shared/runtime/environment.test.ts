import { describe, expect, it } from 'vitest';
import { senderProfileOf } from '#mailing/message/sender-profile.ts';
import { brandVariables } from '#lib/brand-variables.ts';
import { readEnvironment } from '#runtime/environment.ts';
import { FUNCTIONS } from '#lib/functions.ts';

function read(change: Record<string, string>) {
  return readEnvironment({
    DATA_BUCKET: 'daybook-data',
    CREDENTIALS_SECRET: 'daybook/credentials',
    SERVICE_ORIGINS: 'https://pay.example.com',
    MAIL_FROM: 'daybook@example.com',
    ...change,
  });
}

describe('credentials may be sent to the origin', () => {
  it.each([
    'https://pay.example.com',
    'https://pay.example.com:8443',
    'https://xn--pypal-4ve.example',
    'http://127.0.0.1:4080',
    'http://[::1]:4080',
    'http://localhost:4080',
  ])('%s', (origin) => {
    expect(read({ SERVICE_ORIGINS: origin }).SERVICE_ORIGINS).toEqual([origin]);
  });

  it.each([
    'http://pay.example.com',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://10.0.0.1',
    'http://[::ffff:7f00:1]',
    'http://2130706433',
    'http://127.1',
    'https://user@pay.example.com',
    'https://pay.example.com/merchant',
    'https://pay.example.com?',
    'https://pay.example.com#',
    'https://pаypal.example',
    'https://pay.example.com\\',
    'https:\\\\pay.example.com',
    '//pay.example.com',
    'pay.example.com',
    '*',
    'null',
    'file:///',
    'blob:https://pay.example.com',
    'ws://127.0.0.1',
  ])('but not %s', (origin) => {
    expect(() => read({ SERVICE_ORIGINS: origin })).toThrow(
      'environment variable SERVICE_ORIGINS must be origins, https except on loopback',
    );
  });
});

describe('the check of TLS certificates', () => {
  it('cannot be switched off for the whole process', () => {
    expect(() => read({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      'environment variable NODE_TLS_REJECT_UNAUTHORIZED must not switch off the check of certificates',
    );
  });

  it.each(['1', '', 'false'])('is on with %j, as in the runtime', (value) => {
    expect(() => read({ NODE_TLS_REJECT_UNAUTHORIZED: value })).not.toThrow();
  });
});

describe('secrets that the registry may name', () => {
  it('are under a prefix, or any that the role may read', () => {
    expect(read({ CREDENTIALS_SECRET_PREFIX: 'daybook/merchants/' }).CREDENTIALS_SECRET_PREFIX).toBe(
      'daybook/merchants/',
    );
    expect(read({ CREDENTIALS_SECRET_PREFIX: '' }).CREDENTIALS_SECRET_PREFIX).toBeUndefined();
    expect(read({}).CREDENTIALS_SECRET_PREFIX).toBeUndefined();
  });

  it.each(['daybook/mer', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:x/', '/ /'])(
    'but their prefix cannot be %s',
    (prefix) => {
      expect(() => read({ CREDENTIALS_SECRET_PREFIX: prefix })).toThrow(
        'environment variable CREDENTIALS_SECRET_PREFIX must be the start of a name and end in "/"',
      );
    },
  );
});

describe.each(['REPLY_TO', 'UNSUBSCRIBE_ADDRESS'] as const)('%s', (name) => {
  it('is one address, or is left out', () => {
    expect(read({ [name]: 'answers@example.com' })[name]).toBe('answers@example.com');
    expect(read({ [name]: '' })[name]).toBeUndefined();
    expect(read({})[name]).toBeUndefined();
  });

  it.each([
    'somebody',
    'a@example.com, b@example.com',
    'Answers <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com?subject=x',
    ' ',
  ])('is not %j, and the error names the variable without the value', (value) => {
    expect(() => read({ [name]: value })).toThrow(
      new RegExp(`^environment variable ${name} must be one mail address, without a name$`),
    );
  });
});

describe('the registry may have the key', () => {
  it.each([
    'config/merchants.json',
    'config/eu/merchants.json',
    'merchants.json',
    'registry/stage=prod/m.json',
  ])('%s', (key) => {
    expect(read({ REGISTRY_KEY: key }).REGISTRY_KEY).toBe(key);
  });

  it.each([
    '',
    '/config/merchants.json',
    'config//merchants.json',
    'config/../plan/daily.json',
    'config/merchants.json/',
    'config/merchants.json\n',
    'config/last-good/merchants.json',
    'config/last-good',
    'config/refunds/700001.json',
  ])('but not %j', (key) => {
    expect(() => read({ REGISTRY_KEY: key })).toThrow(
      'environment variable REGISTRY_KEY must be a plain key under which no function writes',
    );
  });

  it('but no key under which a function may write', () => {
    const written = Object.values(FUNCTIONS).flatMap(({ objects }) => [
      ...objects.write,
      ...(objects.upload ?? []),
    ]);
    expect(written.length).toBeGreaterThan(10);
    for (const pattern of [...written, 'plan/results/*']) {
      for (const rest of ['', 'x', 'merchants.json', 'deep/er/merchants.json']) {
        const key = pattern.endsWith('*') ? pattern.slice(0, -1) + rest : pattern;
        expect(() => read({ REGISTRY_KEY: key }), key).toThrow('REGISTRY_KEY');
      }
    }
  });
});

describe('the brand', () => {
  it('of a stage arrives in the function, member by member', () => {
    const branding = {
      senderName: 'Gulf Pay',
      logo: 'https://cdn.example.com/logo.png',
      colour: '#0b5c4a',
      help: 'mailto:help@example.com',
      address: 'Block 3, Kuwait City',
      footer: false,
    };
    expect(senderProfileOf(read(brandVariables(branding))).branding).toEqual(branding);
    expect(senderProfileOf(read(brandVariables({ footer: true }))).branding).toEqual({ footer: true });
    expect(brandVariables({})).toEqual({});
    expect(senderProfileOf(read({ BRAND_LOGO: '', BRAND_FOOTER: '' })).branding).toEqual({});
  });

  it.each([
    ['BRAND_SENDER_NAME', 'A <b@example.com>'],
    ['BRAND_LOGO', 'http://cdn.example.com/logo.png'],
    ['BRAND_COLOUR', '#ffcc00'],
    ['BRAND_HELP', 'javascript:alert(1)'],
    ['BRAND_ADDRESS', 'two\nlines'],
    ['BRAND_FOOTER', 'no'],
  ])('%s cannot be %j, and the error does not quote it', (name, value) => {
    const error = thrownBy(() => read({ [name]: value }));
    expect(error).toContain(`environment variable ${name} `);
    expect(error).not.toContain(value);
  });

  it('names the contrast of a colour that cannot be read', () => {
    expect(thrownBy(() => read({ BRAND_COLOUR: '#ffcc00' }))).toBe(
      'environment variable BRAND_COLOUR has a contrast of 1.51 to 1 with white, and needs 4.5 to 1: choose a darker colour',
    );
  });
});

function thrownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error).replace(/^\w+: /, '');
  }
  return '';
}
