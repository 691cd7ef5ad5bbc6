import { describe, expect, it } from 'vitest';
import { readEnvironment, variableNames, variablesOf } from '#registry/environment.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { readSettings } from '#lib/settings.ts';

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
    expect(read({ SERVICE_ORIGINS: origin }).service.origins).toEqual([origin]);
  });

  const HOST = 'pay.example.com';
  it.each([
    ['without TLS', [HOST, '10.0.0.1', '2130706433', '127.1'].map((host) => `http://${host}`)],
    [
      'without TLS to a name like a local one',
      ['127.0.0.1', 'localhost'].map((host) => `http://${host}.evil.example`),
    ],
    ['without TLS to another form of a local address', ['http://[::ffff:7f00:1]']],
    ['with more than an origin', ['/merchant', '?', '#', '\\'].map((more) => `https://${HOST}${more}`)],
    ['with a user, or letters that look like others', [`https://user@${HOST}`, 'https://pаypal.example']],
    ['of no scheme or another one', [`https:\\\\${HOST}`, `//${HOST}`, HOST, `blob:https://${HOST}`]],
    ['of no host', ['*', 'null', 'file:///', 'ws://127.0.0.1']],
  ])('but not %s: %j', (_what, origins) => {
    for (const origin of origins)
      expect(() => read({ SERVICE_ORIGINS: origin }), origin).toThrow(
        'environment variable SERVICE_ORIGINS must be an origin such as https://api.example.com, without a path',
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
    expect(read({ CREDENTIALS_PREFIX: 'daybook/merchants/' }).credentials.prefix).toBe('daybook/merchants/');
    expect(read({ CREDENTIALS_PREFIX: '' }).credentials.prefix).toBeUndefined();
    expect(read({}).credentials.prefix).toBeUndefined();
  });

  it.each(['daybook/mer', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:x/', '/ /'])(
    'but their prefix cannot be %s',
    (prefix) => {
      expect(() => read({ CREDENTIALS_PREFIX: prefix })).toThrow(
        'environment variable CREDENTIALS_PREFIX must be the start of a name and end in "/"',
      );
    },
  );
});

describe.each([
  ['MAIL_REPLY_TO', 'replyTo'],
  ['MAIL_UNSUBSCRIBE', 'unsubscribe'],
] as const)('%s', (name, member) => {
  it('is one address, or is left out', () => {
    expect(read({ [name]: 'answers@example.com' }).mail[member]).toBe('answers@example.com');
    expect(read({ [name]: '' }).mail[member]).toBeUndefined();
    expect(read({}).mail[member]).toBeUndefined();
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
      new RegExp(`^environment variable ${name} must be a mail address$`),
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
    expect(read({ REGISTRY_KEY: key }).registry.key).toBe(key);
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
    const written = Object.values(FUNCTIONS).flatMap(({ objects: { write, upload = [] } }) => [
      ...write,
      ...upload,
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

describe('the settings of a stage', () => {
  it.each(['dev', 'prod'])('of %s arrive in the function as they are', (stage) => {
    const settings = readSettings(stage);
    const { mail, ops, service, credentials, deadlines, stage: name } = read(variablesOf(settings));
    expect(settings).toMatchObject({ service, credentials, deadlines, stage: name });
    expect(name).toBe(stage);
    const { from, replyTo, unsubscribe } = settings.mail;
    expect(mail).toEqual({ from, replyTo, unsubscribe });
    expect(ops).toEqual({ recipients: settings.ops.recipients, runbook: settings.ops.runbook });
  });

  it('have variables by their names, and others have none', () => {
    const mail = { replyTo: 'a@example.com', domain: 'example.com' };
    expect(variablesOf({ mail, region: 'x' })).toEqual({ MAIL_REPLY_TO: 'a@example.com' });
    const ops = { recipients: ['a@example.com', 'b@example.com'] };
    expect(variablesOf({ ops })).toEqual({ OPS_RECIPIENTS: 'a@example.com,b@example.com' });
    expect(variableNames()).toContain('DEADLINES_NO_DATA_MINUTES');
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
    expect(read(variablesOf({ branding })).branding).toEqual(branding);
    expect(read(variablesOf({ branding: { footer: true } })).branding).toEqual({ footer: true });
    expect(variablesOf({ branding: {} })).toEqual({});
    expect(read({ BRANDING_LOGO: '', BRANDING_FOOTER: '' }).branding).toEqual({});
  });

  it.each([
    ['BRANDING_SENDER_NAME', 'A <b@example.com>'],
    ['BRANDING_LOGO', 'http://cdn.example.com/logo.png'],
    ['BRANDING_COLOUR', '#ffcc00'],
    ['BRANDING_HELP', 'javascript:alert(1)'],
    ['BRANDING_ADDRESS', 'two\nlines'],
    ['BRANDING_FOOTER', 'no'],
  ])('%s cannot be %j, and the error does not quote it', (name, value) => {
    const reading = () => read({ [name]: value });
    expect(reading).toThrow(`environment variable ${name} `);
    expect(reading).not.toThrow(value);
  });

  it('names the contrast of a colour that cannot be read', () => {
    expect(() => read({ BRANDING_COLOUR: '#ffcc00' })).toThrow(
      'environment variable BRANDING_COLOUR has a contrast of 1.51 to 1 with white, and needs 4.5 to 1: choose a darker colour',
    );
  });
});
