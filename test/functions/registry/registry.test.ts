import { InvalidMerchantError, RegistryError } from '#registry/registry-errors.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { parseRegistry, type Registry } from '#registry/registry.ts';
import { rejectionOf } from '#registry/problem.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import { anyOf, matcher, textLike } from '#support/assertions/index.ts';
import { registryOf, registryText } from '#support/plan/running-plan.ts';

const SERVICE = { baseUrl: 'https://pay.example.com' };

const registry = (merchants: unknown[], defaults = {}) => registryOf(merchants, { defaults });
const settingsOf = (own: object, defaults?: object) =>
  merchantSettings(registry([{ merchantCode: '700001', ...own }], defaults), '700001');

/** The problems of all entries, a line each. */
function rejectedOf(given: Registry): string[] {
  return allMerchants(given).rejected.map(({ path, reason }) => `${path}: ${reason}`);
}

describe('parseRegistry', () => {
  it('fills in the published paths', () => {
    expect(registry([]).service).toEqual({
      baseUrl: 'https://pay.example.com',
      loginPath: '/api/v1/login',
      refreshPath: '/api/v1/token-refresh',
      refundListPath: '/api/v1/refund/',
    });
  });

  it.each([
    ['', 'the registry is not JSON (line 1, column 1: the text ends too early)'],
    [
      '{\n  "canary": 1,\n}',
      'the registry is not JSON (line 3, column 1: there is a comma before the closing bracket)',
    ],
    [
      '{"service":{"baseUrl":"canary","loginPath":"canary"},"defaults":[],"merchants":1}',
      'the registry is not usable: service.baseUrl: must be a valid url; service.loginPath: must begin with one ' +
        '"/" and have no "\\", "?" or "#"; defaults: must be record; merchants: must be array',
    ],
    ['[]', 'the registry is not usable: (root): must be object'],
    ['{"merchants":[]}', 'the registry is not usable: service: must be object'],
    [`{"service":${JSON.stringify(SERVICE)}}`, 'the registry is not usable: merchants: must be array'],
  ])('refuses %j', (text, message) => {
    expect(() => parseRegistry(text)).toThrow(new RegistryError(message));
  });

  it.each(['login', '//evil.example', '/\\evil.example', '/a?b', '/a#b', '/a b', '/a\nb', ''])(
    'refuses %j as a path of the service',
    (loginPath) => {
      const text = JSON.stringify({ service: { ...SERVICE, loginPath }, merchants: [] });
      expect(() => parseRegistry(text)).toThrow('service.loginPath: must begin with one "/"');
    },
  );
});

describe('merchantSettings', () => {
  it('adds the product’s defaults', () => {
    expect(settingsOf({})).toEqual({
      merchantCode: '700001',
      name: '700001',
      timeZone: 'Asia/Kuwait',
      reportAt: '06:00',
      weekStart: 'sunday',
      currency: 'KWD',
      language: 'en',
      lookbackDays: [1, 3, 7],
      followFor: 90,
      corrections: 'morning',
      otherChannels: true,
      invoiceTypes: ['1', '0', '6', '7'],
      maxConcurrency: 16,
      recipients: [],
      attachCsv: false,
      attachXlsx: false,
      attachments: { paymentMethods: {}, idsAsText: false },
      skipEmpty: false,
      redact: [],
      charges: [],
      refunds: { source: 'list', statuses: {} },
      balance: { ignore: [] },
      branding: {},
      alerts: [],
    });
  });

  it('takes the merchant’s own charges, else those of the defaults, and no other column', () => {
    const defaults = { charges: ['admin_charge'] };
    const settings = (own: object) => settingsOf(own, defaults);
    expect(settings({}).charges).toEqual(['admin_charge']);
    expect(settings({ charges: [] }).charges).toEqual([]);
    expect(settings({ charges: ['service_charge'] }).charges).toEqual(['service_charge']);
    expect(() => settings({ charges: ['discount'] })).toThrow(/charges\[0\]/);
  });

  it('leaves out members that earlier versions had', () => {
    const attachments = { columns: ['id'], filePrefix: '/', paymentMethods: { 1: 'KNET' } };
    const settings = settingsOf({ digits: 'arabic-indic', attachments }, { digits: 7 });
    expect(settings.attachments).toEqual({ paymentMethods: { 1: 'KNET' }, idsAsText: false });
    expect(settings).not.toHaveProperty('digits');
  });

  it('takes no code, name or secret from the defaults', () => {
    const defaults = { merchantCode: '700009', name: 'Everybody', secretId: 'theirs' };
    const settings = settingsOf({}, defaults);
    expect(settings).toMatchObject({ merchantCode: '700001', name: '700001' });
    expect(settings.secretId).toBeUndefined();
    expect(allMerchants(registry([{}], defaults)).merchants).toEqual([]);
  });

  it.each([
    '<b>"&\'',
    'شركة الأفق',
    '=HYPERLINK("x")',
    'a\r\nBcc: b@example.com',
    '__proto__',
    '\u202Eevil',
    ' ',
  ])('accepts %j as a name', (name) => {
    expect(settingsOf({ name }).name).toBe(name);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['timeZone', { timeZone: 'Asia/Canary' }, 'is not a time zone, given "Asia/Canary"'],
    ['reportAt', { reportAt: '24:00' }, 'must be HH:MM, given "24:00"'],
    ['currency', { currency: 'kwd' }, 'must be a currency code of three capitals, given "kwd"'],
    ['language', { language: 'AR' }, 'must be one of ar, en, given "AR"'],
    ['language', { language: 'canary' }, 'must be one of ar, en'],
    ['lookbackDays[1]', { lookbackDays: [1, 0] }, 'is out of bounds (at least 1), given 0'],
    ['invoiceTypes', { invoiceTypes: [] }, 'is out of bounds (at least 1), given a list'],
    ['maxConcurrency', { maxConcurrency: 65 }, 'is out of bounds (at most 64), given 65'],
    ['recipients[1]', { recipients: ['a@example.com', 'canary'] }, 'must be a valid email'],
    ['reportFrom', { reportFrom: '2026-02-30' }, 'is not a date (YYYY-MM-DD), given "2026-02-30"'],
    ['attachCsv', { attachCsv: 'canary' }, 'must be boolean'],
    [
      'attachments.paymentMethods.1',
      { attachments: { paymentMethods: { 1: 7 } } },
      'must be string, given 7',
    ],
    ['refunds.source', { refunds: { source: 'canary' } }, 'must be one of list, watchlist, both'],
    ...['Canary!', '__proto__'].map((status): [string, Record<string, unknown>, string] => [
      'refunds.statuses.1',
      { refunds: { statuses: { 1: status } } },
      'must be a name of a-z, 0-9, "_" and "-"',
    ]),
    [
      'invoiceStatuses.1',
      { invoiceStatuses: { 1: 'canary' } },
      'must be one of paid, not_paid, cancelled, other',
    ],
    ['alerts', { alerts: 'canary' }, 'must be array'],
    ['balance', { balance: ['statsPaid'] }, 'must be object, given a list'],
    ['balance.ignore[0]', { balance: { ignore: [7] } }, 'must be string, given 7'],
    ['redact[1]', { redact: ['token', 'status'] }, 'is needed and cannot be redacted'],
  ])('refuses a bad %s with an error that names its path', (path, members, reason) => {
    const given = registry([{ merchantCode: '700001', ...members }]);
    expect(() => merchantSettings(given, '700001')).toThrow(
      new InvalidMerchantError('700001', [{ path, reason }]),
    );
    expect(rejectedOf(given)).toEqual([`merchants[0].${path}: ${reason} (merchant 700001)`]);
  });

  it('does not refuse a report because of a bad alert rule', () => {
    expect(settingsOf({ alerts: ['canary', { name: '<script>' }] }).alerts).toHaveLength(2);
  });
});

describe('allMerchants', () => {
  it('leaves out bad entries, names them by their paths, and keeps the others in order', () => {
    const given = registry([
      { merchantCode: '700003' },
      null,
      { merchantCode: 'not a code' },
      { merchantCode: '700001' },
      { merchantCode: '700002', language: 'fr' },
    ]);
    const rejected = ['merchants[1]', 'merchants[2].merchantCode', 'merchants[4].language'];
    expect(allMerchants(given)).toMatchObject({
      merchants: [{ merchantCode: '700003' }, { merchantCode: '700001' }],
      rejected: rejected.map((path) => ({ path })),
    });
  });

  it('leaves out every entry of a code that appears twice, even if one of them is broken', () => {
    const given = registry([
      { merchantCode: '700001' },
      { merchantCode: '700002' },
      { merchantCode: '700001', language: 'fr' },
    ]);
    expect(allMerchants(given).merchants).toMatchObject([{ merchantCode: '700002' }]);
    expect(rejectedOf(given)).toEqual([
      'merchants[0].merchantCode: appears in the registry more than once (merchant 700001)',
      'merchants[2].language: must be one of ar, en, given "fr" (merchant 700001)',
      'merchants[2].merchantCode: appears in the registry more than once (merchant 700001)',
    ]);
  });

  it('names an error in a default once, with the merchants that inherit it', () => {
    const codes = ['1', '2', '3', '4', '5', '6', '7'];
    const merchants = [
      ...codes.map((merchantCode) => ({ merchantCode })),
      { merchantCode: '8', reportAt: '06:30', language: 'fr' },
      { merchantCode: '9', reportAt: '06:30', refunds: { statuses: {} } },
      { merchantCode: '10', reportAt: '06:30', refunds: { source: 'list' } },
    ];
    const given = registry(merchants, {
      reportAt: '6:30',
      currency: 'EUR',
      refunds: { source: 'List', statuses: { 1: 'approved' } },
    });
    const { merchants: usable, leftOut } = allMerchants(given);
    const inherited = 'entries inherit it (1, 2, 3, 4, 5, …)';
    expect(rejectedOf(given)).toEqual([
      `defaults.reportAt: must be HH:MM, given "6:30"; 7 ${inherited}`,
      `defaults.refunds.source: must be one of list, watchlist, both, given "List"; 9 ${inherited}`,
      'merchants[7].language: must be one of ar, en, given "fr" (merchant 8)',
    ]);
    expect(leftOut).toBe(9);
    expect(usable).toMatchObject([
      { merchantCode: '10', currency: 'EUR', refunds: { source: 'list', statuses: { 1: 'approved' } } },
    ]);
    expect(() => merchantSettings(given, '1')).toThrow('defaults.reportAt: must be HH:MM, given "6:30"');
  });

  it('names every problem of an entry, and so does the error', () => {
    const entry = { merchantCode: '700001', reportAt: '7.30', lookbackDays: [0, 2, 400], language: 'AR' };
    const given = registry([{ merchantCode: '700002' }, entry]);
    const problems = [
      'reportAt: must be HH:MM, given "7.30"',
      'language: must be one of ar, en, given "AR"',
      'lookbackDays[0]: is out of bounds (at least 1), given 0',
      'lookbackDays[2]: is out of bounds (at most 366), given 400',
    ];
    expect(rejectedOf(given)).toEqual(problems.map((one) => `merchants[1].${one} (merchant 700001)`));
    expect(() => merchantSettings(given, '700001')).toThrow(
      `the registry's entry of merchant 700001 is not usable: ${problems.join('; ')}`,
    );
  });

  it('names twenty problems of one entry, and the number of the others', () => {
    const lookbackDays = Array.from({ length: 30 }, () => 0);
    const given = registry([{ merchantCode: '1', lookbackDays }]);
    expect(rejectedOf(given)).toHaveLength(21);
    expect(rejectedOf(given).at(-1)).toBe('merchants[0]: and 10 more that are not listed here');
    expect(() => merchantSettings(given, '1')).toThrow(/; and 20 more$/);
  });

  it.each([
    ['lookbackDays', { lookbackDays: Array.from({ length: 1_001 }, () => 0) }],
    [
      'refunds.statuses',
      { refunds: { statuses: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, 'A'])) } },
    ],
  ])('has one problem for a list or an object with more than a thousand values: %s', (path, members) => {
    const rejected = { path: `merchants[0].${path}`, reason: textLike(/^has more than 1000 values/) };
    expect(allMerchants(registry([{ merchantCode: '700001', ...members }])).rejected).toEqual([rejected]);
  });

  it.each(['a/b', '../700001', '', 'ä', 'a'.repeat(65), '__proto__', '700001\n', 700001])(
    'does not accept %j as a merchant code',
    (merchantCode) => {
      expect(allMerchants(registry([{ merchantCode }])).rejected).toEqual([
        { path: 'merchants[0].merchantCode', reason: anyOf(String) },
      ]);
    },
  );

  it('leaves out an entry in which a name appears twice, and no other', () => {
    const text = registryText([{ merchantCode: '1', recipients: [] }, { merchantCode: '2' }]);
    const twice = text.replace('"recipients"', '"recipients":["a@example.com"],"recipients"');
    const { merchants, rejected } = allMerchants(parseRegistry(twice));
    expect(merchants).toMatchObject([{ merchantCode: '2' }]);
    expect(rejected).toEqual([{ path: 'merchants[0].recipients', reason: 'appears twice (merchant 1)' }]);
  });

  it('is not affected by members that every JavaScript object has', () => {
    const entry = '{"merchantCode":"700001","__proto__":{"language":"ar"},"constructor":1,"toString":2}';
    const text = registryText([]).replace('"merchants":[]', `"merchants":[${entry}]`);
    const { merchants } = allMerchants(parseRegistry(text));
    expect(merchants).toMatchObject([{ merchantCode: '700001', language: 'en' }]);
  });
});

it('unknownMembers names by their paths what has no effect, at every level, and the merchants are still usable', () => {
  const weekly = { on: 'sunday', at: '08:00', day: 1 };
  const given = registryOf(
    [
      { merchantCode: '700001', name: 'A', secretId: 's', refunds: { statuses: { 1: 'approved' } } },
      {
        merchantCode: '700002',
        reciepients: [],
        refunds: { list: 1 },
        attachments: { colums: [] },
        balance: { ignore: ['statsPaid', 'StatsPaid'], ignroe: [] },
        redact: ['token', 'acess_key', 'customer_name'],
        statements: { weekly, daily: {} },
      },
    ],
    {
      service: { ...SERVICE, logginPath: '/x' },
      merchant: [],
      defaults: {
        ...{ timezone: 'canary', name: 'canary', refunds: { soruce: 'canary' }, redact: ['nickname'] },
        balance: { ignore: ['total'] },
        statements: { monthly: { onDay: 1, at: '09:00', on: 'sunday' } },
      },
      groups: [{ name: 'all', merchants: 'all', recipients: [], digits: 'latin' }],
    },
  );
  const found = unknownMembers(given).map(({ at }) => fieldPath(at));
  expect(found.sort()).toEqual([
    'defaults.balance.ignore[0]',
    'defaults.name',
    'defaults.redact[0]',
    'defaults.refunds.soruce',
    'defaults.statements.monthly.on',
    'defaults.timezone',
    'groups[0].digits',
    'merchant',
    'merchants[1].attachments.colums',
    'merchants[1].balance.ignore[1]',
    'merchants[1].balance.ignroe',
    'merchants[1].reciepients',
    'merchants[1].redact[1]',
    'merchants[1].refunds.list',
    'merchants[1].statements.daily',
    'merchants[1].statements.weekly.day',
    'service.logginPath',
  ]);
  expect(allMerchants(given)).toMatchObject({ merchants: [{}, {}], rejected: [] });
});

describe('errors and warnings', () => {
  /** What people may put in the wrong place. */
  const mail = 'canary@example.com';
  const canaries = ['canary', 'Canary Hassan', mail, '+965 9999 canary', 'CANARY/x', 'ca7aRy+/=='];

  it.each(canaries)('contain no value that does not have the form of its setting: %j', (canary) => {
    const wrong = {
      name: { canary },
      timeZone: canary,
      reportAt: canary,
      currency: canary,
      language: canary,
      branding: { colour: canary, logo: canary, help: canary, senderName: `<${canary}`, footer: canary },
      lookbackDays: [canary],
      invoiceTypes: [canary],
      maxConcurrency: canary,
      recipients: [`${canary} <`],
      reportFrom: canary,
      secretId: [canary],
      merchantId: [canary],
      attachCsv: canary,
      attachments: { paymentMethods: { 1: [canary] } },
      skipEmpty: canary,
      refunds: { source: canary, statuses: { 1: `${canary}!` } },
      invoiceStatuses: { 1: canary },
      charges: [canary],
      redact: [`${canary}.x`],
      alerts: canary,
      unknown: canary,
      [canary]: canary,
    };
    const merchants = Object.entries(wrong).map(([member, value], index) => ({
      merchantCode: String(index),
      [member]: value,
    }));
    merchants.push({ merchantCode: canary === 'canary' ? 'canary!' : canary });
    const given = registry(merchants, { stranger: canary, balance: { ignore: [canary] } });
    const { rejected, leftOut } = allMerchants(given);
    expect(leftOut).toBe(merchants.length - 2);
    const unknown = unknownMembers(given).map((problem) => rejectionOf(problem, problem.merchantCode));
    const text = JSON.stringify([rejected, unknown]).replaceAll(/merchants\[\d+\][.]canary"/g, '');
    expect(text).not.toMatch(/canary|ca7a/i);
    for (const { merchantCode } of merchants.slice(0, -3)) {
      expect(() => merchantSettings(given, merchantCode)).toThrow(
        expect.objectContaining({ message: matcher(expect.not.stringMatching(/canary|ca7a/i)) }),
      );
    }
  });

  it.each([
    [{ reportAt: '7:30' }, 'given "7:30"'],
    [{ reportFrom: '20.11.2026' }, 'given "20.11.2026"'],
    [{ timeZone: 'Asia/Kuwiat' }, 'given "Asia/Kuwiat"'],
    [{ invoiceStatuses: { 1: 'Not-Paid' } }, 'given "Not-Paid"'],
    [{ attachCsv: null }, 'given null'],
    [{ maxConcurrency: 96_599_991_234 }, 'given a number'],
    [{ alerts: {} }, 'given an object'],
    [{ branding: { colour: '#12' + '3d5' + 'g' } }, 'must be a colour such as #1d4ed8 (merchant'],
  ])('contain a value that has the form of its setting: %j', (members, shown) => {
    const [rejection] = allMerchants(registry([{ merchantCode: '1', ...members }])).rejected;
    expect(rejection?.reason).toContain(shown);
  });
});

it('a registry has twenty thousand entries at most, whatever they are', () => {
  const text = (entries: number) =>
    registryText(Array.from({ length: entries }, () => ({ merchantCode: 'no code' })));
  expect(parseRegistry(text(20_000)).merchants).toHaveLength(20_000);
  expect(() => parseRegistry(text(20_001))).toThrow('the registry has more than 20000 entries');
});
