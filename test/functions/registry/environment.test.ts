import { readEnvironment, variableNames, variablesOf } from '#registry/environment.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { readSettings } from '#lib/settings.ts';
import { assertServiceAllowed, ForbiddenOriginError, serviceUrl } from '#registry/service-origin.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { colourFault, onDarkSheet } from '#registry/branding.ts';
import { serviceAt } from '#support/payments/running-service.ts';
import { registryOf } from '#support/plan/running-plan.ts';

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
  const GOOD = ['config/merchants.json', 'config/eu/merchants.json', 'merchants.json'];
  it.each([...GOOD, 'registry/stage=prod/m.json'])('%s', (key) => {
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
});

const ALLOWED = ['https://pay.example.com', 'http://127.0.0.1:4080'];

function service(members: Partial<Parameters<typeof assertServiceAllowed>[0]> = {}) {
  return { ...serviceAt('https://pay.example.com').service, ...members };
}

/** The refusal names this member of the service. */
function expectRefusal(members: Parameters<typeof service>[0], member: string, more: object = {}): void {
  expect(() => assertServiceAllowed(service(members), ALLOWED)).toThrow(
    expect.objectContaining({ name: 'ForbiddenOriginError', member, ...more }),
  );
}

describe('credentials may be sent to', () => {
  test.each([
    'https://pay.example.com',
    'https://PAY.example.com/',
    'https://pay.example.com:443/merchant/',
    'http://127.0.0.1:4080',
  ])('%s', (baseUrl) => {
    expect(() => assertServiceAllowed(service({ baseUrl }), ALLOWED)).not.toThrow();
  });

  test.each([
    'https://evil.example',
    'http://pay.example.com',
    'https://pay.example.com:8443',
    'https://pay.example.com.evil.example',
    'https://pay.example.com.',
    'https://pay.example.com@evil.example',
    'https://pay.example.com%2f@evil.example',
    'https://evil.example#@pay.example.com',
    'https://evil.example\\@pay.example.com',
    'https:/\\evil.example/pay.example.com',
    'https://раy.example.com',
    'https://pay.example.com?next=https://evil.example',
    'https://pay.example.com/#x',
    'blob:https://pay.example.com/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,https://pay.example.com',
    '//pay.example.com',
    'pay.example.com',
    '',
  ])('but not to %s', (baseUrl) => {
    expectRefusal({ baseUrl }, 'service.baseUrl');
  });

  test('but not to a URL with a user name or password, and the error does not repeat them', () => {
    for (const baseUrl of ['https://merchant@pay.example.com', 'https://:hunter2@pay.example.com']) {
      const message = "the registry's service.baseUrl must not have a user name or a password";
      expectRefusal({ baseUrl }, 'service.baseUrl', { message });
    }
  });

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    'https://evil.example/login',
    'https:evil.example',
    '@evil.example',
    '.evil.example',
    ':8443/login',
    '',
  ])('and no path leads to another origin: %j', (path) => {
    for (const member of ['loginPath', 'refreshPath', 'refundListPath']) {
      expectRefusal({ [member]: path }, `service.${member}`);
    }
    expect(() => serviceUrl(service(), path)).toThrow(ForbiddenOriginError);
  });
});

describe('the address of an operation', () => {
  test.each([
    ['https://pay.example.com', '/api/v1/login', 'https://pay.example.com/api/v1/login'],
    ['https://pay.example.com/', '/api/v1/refund/', 'https://pay.example.com/api/v1/refund/'],
    ['https://pay.example.com/v2/x', '/login', 'https://pay.example.com/v2/x/login'],
    ['https://pay.example.com/v2//', '/login', 'https://pay.example.com/v2/login'],
    ['http://127.0.0.1:4080', '/a?b#c', 'http://127.0.0.1:4080/a%3Fb%23c'],
  ])('%s and %s', (baseUrl, path, url) => {
    expect(serviceUrl({ baseUrl }, path).href).toBe(url);
  });

  test('is a new URL each time', () => {
    serviceUrl(service(), '/a').searchParams.set('data', 'x');
    expect(serviceUrl(service(), '/a').search).toBe('');
  });

  test('has the origin of the base URL with any path', () => {
    const hostile = fc
      .array(fc.constantFrom('/', '\\', '@', ':', '..', '?', '#', '\t', '\n', 'evil.example', '%2f', ' '), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    forAll([fc.oneof(hostile, fc.string({ unit: ANY_CHARACTER }))], { numRuns: 1_000 }, (path) => {
      let url: URL;
      try {
        url = serviceUrl(service({ baseUrl: 'https://pay.example.com/v2' }), path);
      } catch (error) {
        expect(error).toBeInstanceOf(ForbiddenOriginError);
        return;
      }
      expect(url.origin).toBe('https://pay.example.com');
      expect(url.username + url.password).toBe('');
    });
  });
});

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
