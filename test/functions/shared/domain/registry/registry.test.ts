import { describe, expect, it } from 'vitest';
import {
  InvalidMerchantError,
  RegistryError,
  UnknownMerchantError,
} from '#domain/registry/registry-errors.ts';
import { allMerchants, merchantSettings } from '#domain/registry/merchants.ts';
import { INVOICE_COLUMN_NAMES, REFUND_COLUMN_NAMES } from '#domain/registry/attachment-settings.ts';
import { codesInEntries } from '#domain/registry/merchant-codes.ts';
import { parseRegistry } from '#domain/registry/registry.ts';
import { unknownMembers } from '#domain/registry/unknown-members.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { matcher } from '#support/assertions/matcher.ts';

const SERVICE = { baseUrl: 'https://pay.example.com' };

function registry(merchants: unknown[], defaults: Record<string, unknown> = {}): Registry {
  return parseRegistry(JSON.stringify({ service: SERVICE, defaults, merchants }));
}

/** The registry with this text in place of the merchants' array. It allows what JSON.stringify cannot write. */
function registryOf(merchants: string): Registry {
  return parseRegistry(`{"service":${JSON.stringify(SERVICE)},"merchants":${merchants}}`);
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
    ['', 'the registry is not JSON'],
    ['{"canary":', 'the registry is not JSON'],
    ['[]', 'the registry is not usable: (root): must be object'],
    ['{"merchants":[]}', 'the registry is not usable: service: must be object'],
    [
      '{"service":{"baseUrl":"canary"},"merchants":[]}',
      'the registry is not usable: service.baseUrl: must be a valid url',
    ],
    [`{"service":${JSON.stringify(SERVICE)}}`, 'the registry is not usable: merchants: must be array'],
    [
      `{"service":${JSON.stringify(SERVICE)},"merchants":{}}`,
      'the registry is not usable: merchants: must be array',
    ],
    [
      `{"service":${JSON.stringify(SERVICE)},"defaults":[],"merchants":[]}`,
      'the registry is not usable: defaults: must be record',
    ],
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
    expect(merchantSettings(registry([{ merchantCode: '700001' }]), '700001')).toEqual({
      merchantCode: '700001',
      name: '700001',
      timeZone: 'Asia/Kuwait',
      reportAt: '06:00',
      currency: 'KWD',
      language: 'en',
      digits: 'latin',
      lookbackDays: [1, 3, 7],
      invoiceTypes: ['1', '0', '6', '7'],
      maxConcurrency: 16,
      recipients: [],
      attachCsv: false,
      attachXlsx: false,
      attachments: { filePrefix: 'invoices', paymentMethods: {} },
      skipEmpty: false,
      redact: [],
      charges: [],
      refunds: { source: 'list', statuses: {} },
      balance: { ignore: [] },
      branding: {},
      alerts: [],
    });
  });

  it('prefers the merchant’s own members to the registry’s defaults, and those to the product’s', () => {
    const defaults = {
      timeZone: 'Europe/Berlin',
      reportAt: '07:30',
      recipients: ['all@example.com'],
      alerts: [{}],
    };
    const own = { merchantCode: '700001', reportAt: '08:15', recipients: [] };
    expect(merchantSettings(registry([own], defaults), '700001')).toMatchObject({
      timeZone: 'Europe/Berlin',
      reportAt: '08:15',
      recipients: [],
      alerts: [{}],
      currency: 'KWD',
    });
  });

  it('takes the merchant’s own charges, else those of the defaults, and no other column', () => {
    const defaults = { charges: ['admin_charge'] };
    const settings = (own: object) =>
      merchantSettings(registry([{ merchantCode: '700001', ...own }], defaults), '700001');
    expect(settings({}).charges).toEqual(['admin_charge']);
    expect(settings({ charges: [] }).charges).toEqual([]);
    expect(settings({ charges: ['service_charge'] }).charges).toEqual(['service_charge']);
    expect(() => settings({ charges: ['discount'] })).toThrow(/charges\[0\]/);
  });

  it('prefers the members of `refunds` to those of the defaults, one by one', () => {
    const defaults = { refunds: { source: 'both', statuses: { 1: 'approved' } } };
    const own = { merchantCode: '700001', refunds: { source: 'watchlist' } };
    expect(merchantSettings(registry([own], defaults), '700001').refunds).toEqual({
      source: 'watchlist',
      statuses: { 1: 'approved' },
    });
  });

  it('puts the members of `attachments` over those of the defaults one by one', () => {
    const defaults = { attachments: { filePrefix: 'shop', paymentMethods: { 1: 'KNET' } } };
    const own = { merchantCode: '700001', attachments: { columns: ['amount', 'id'] } };
    expect(merchantSettings(registry([own], defaults), '700001').attachments).toEqual({
      columns: ['amount', 'id'],
      filePrefix: 'shop',
      paymentMethods: { 1: 'KNET' },
    });
  });

  it('takes no code, name or secret from the defaults', () => {
    const defaults = { merchantCode: '700009', name: 'Everybody', secretId: 'theirs' };
    const settings = merchantSettings(registry([{ merchantCode: '700001' }], defaults), '700001');
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
    expect(merchantSettings(registry([{ merchantCode: '700001', name }]), '700001').name).toBe(name);
  });

  it('throws an error if the merchant does not exist', () => {
    expect(() => merchantSettings(registry([{ merchantCode: '700001' }]), '700002')).toThrow(
      UnknownMerchantError,
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['timeZone', { timeZone: 'Asia/Canary' }, 'is not a time zone'],
    ['reportAt', { reportAt: '24:00' }, 'must be HH:MM'],
    ['currency', { currency: 'kwd' }, 'must be a currency code of three capitals'],
    ['language', { language: 'canary' }, 'must be one of ar, en'],
    ['lookbackDays[1]', { lookbackDays: [1, 0] }, 'is out of bounds (at least 1)'],
    ['invoiceTypes', { invoiceTypes: [] }, 'is out of bounds (at least 1)'],
    ['maxConcurrency', { maxConcurrency: 65 }, 'is out of bounds (at most 64)'],
    ['recipients[1]', { recipients: ['a@example.com', 'canary'] }, 'must be a valid email'],
    ['reportFrom', { reportFrom: '2026-02-30' }, 'is not a date (YYYY-MM-DD)'],
    ['attachCsv', { attachCsv: 'canary' }, 'must be boolean'],
    [
      'attachments.columns[1]',
      { attachments: { columns: ['id', 'canary'] } },
      `must be one of ${INVOICE_COLUMN_NAMES.join(', ')}`,
    ],
    ['attachments.columns', { attachments: { columns: ['id', 'id'] } }, 'has a column twice'],
    ['attachments.columns', { attachments: { columns: [] } }, 'is out of bounds (at least 1)'],
    [
      'attachments.refundColumns[0]',
      { attachments: { refundColumns: ['customerName'] } },
      `must be one of ${REFUND_COLUMN_NAMES.join(', ')}`,
    ],
    [
      'attachments.filePrefix',
      { attachments: { filePrefix: '../canary' } },
      'must be letters, digits, "_" and "-", 40 at most',
    ],
    ['attachments.paymentMethods.1', { attachments: { paymentMethods: { 1: 7 } } }, 'must be string'],
    ['refunds.source', { refunds: { source: 'canary' } }, 'must be one of list, watchlist, both'],
    [
      'refunds.statuses.1',
      { refunds: { statuses: { 1: 'Canary!' } } },
      'must be a name of a-z, 0-9, "_" and "-"',
    ],
    [
      'invoiceStatuses.1',
      { invoiceStatuses: { 1: 'canary' } },
      'must be one of paid, not_paid, cancelled, other',
    ],
    ['alerts', { alerts: 'canary' }, 'must be array'],
  ])('refuses a bad %s with an error that names its path', (path, members, reason) => {
    const given = registry([{ merchantCode: '700001', ...members }]);
    expect(() => merchantSettings(given, '700001')).toThrow(new InvalidMerchantError('700001', path, reason));
    expect(allMerchants(given).rejected).toEqual([{ path: `merchants[0].${path}`, reason }]);
  });

  it('ignores other entries', () => {
    const given = registry(['canary', { merchantCode: '700002', timeZone: 7 }, { merchantCode: '700001' }]);
    expect(merchantSettings(given, '700001').merchantCode).toBe('700001');
  });

  it('refuses a code that appears twice', () => {
    const given = registry([{ merchantCode: '700001' }, { merchantCode: '700001' }]);
    expect(() => merchantSettings(given, '700001')).toThrow('appears 2 times');
  });

  it('does not refuse a report because of a bad alert rule', () => {
    const given = registry([{ merchantCode: '700001', alerts: ['canary', { name: '<script>' }] }]);
    expect(merchantSettings(given, '700001').alerts).toHaveLength(2);
  });

  it('refuses a name of a refund status that a report cannot contain', () => {
    const given = registry([{ merchantCode: '700001', refunds: { statuses: { 1: '__proto__' } } }]);
    expect(() => merchantSettings(given, '700001')).toThrow(InvalidMerchantError);
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
    const { merchants, rejected } = allMerchants(given);
    expect(merchants.map(({ merchantCode }) => merchantCode)).toEqual(['700003', '700001']);
    expect(rejected.map(({ path }) => path)).toEqual([
      'merchants[1].merchantCode',
      'merchants[2].merchantCode',
      'merchants[4].language',
    ]);
  });

  it('leaves out every entry of a code that appears twice, even if one of them is broken', () => {
    const given = registry([
      { merchantCode: '700001' },
      { merchantCode: '700002' },
      { merchantCode: '700001', language: 'fr' },
    ]);
    const { merchants, rejected } = allMerchants(given);
    expect(merchants.map(({ merchantCode }) => merchantCode)).toEqual(['700002']);
    expect(rejected).toEqual([
      { path: 'merchants[0].merchantCode', reason: 'appears in the registry more than once' },
      { path: 'merchants[2].language', reason: 'must be one of ar, en' },
    ]);
  });

  it('reports an error in a default at every merchant without an own value', () => {
    const given = registry([{ merchantCode: '700001' }, { merchantCode: '700002', reportAt: '06:30' }], {
      reportAt: '6:30',
    });
    expect(allMerchants(given).rejected).toEqual([
      { path: 'merchants[0].reportAt', reason: 'must be HH:MM' },
    ]);
    expect(allMerchants(given).merchants.map(({ merchantCode }) => merchantCode)).toEqual(['700002']);
  });

  it.each(['a/b', '../700001', '', 'ä', 'a'.repeat(65), '__proto__', '700001\n', 700001])(
    'does not accept %j as a merchant code',
    (merchantCode) => {
      expect(allMerchants(registry([{ merchantCode }])).rejected).toEqual([
        { path: 'merchants[0].merchantCode', reason: matcher(expect.any(String)) },
      ]);
    },
  );

  it('is not affected by members that every JavaScript object has', () => {
    const { merchants } = allMerchants(
      registryOf('[{"merchantCode":"700001","__proto__":{"language":"ar"},"constructor":1,"toString":2}]'),
    );
    expect(merchants).toMatchObject([{ merchantCode: '700001', language: 'en' }]);
  });
});

describe('codesInEntries', () => {
  it('contains usable and broken entries, and no invalid codes', () => {
    const given = registry([
      { merchantCode: '700001' },
      { merchantCode: '700002', language: 1 },
      { merchantCode: 'a b' },
      7,
    ]);
    expect([...codesInEntries(given)]).toEqual(['700001', '700002']);
  });
});

describe('unknownMembers', () => {
  it('finds none if there is none', () => {
    const given = registry(
      [{ merchantCode: '700001', name: 'A', secretId: 's', refunds: { source: 'list' } }],
      {
        language: 'ar',
        refunds: { statuses: { 1: 'approved' } },
      },
    );
    expect(unknownMembers(given)).toEqual([]);
  });

  it('names them by their paths, at every level', () => {
    const given = parseRegistry(
      JSON.stringify({
        service: { ...SERVICE, logginPath: '/x' },
        merchant: [],
        defaults: { timezone: 'canary', name: 'canary', refunds: { soruce: 'canary' } },
        merchants: [
          { merchantCode: '700001' },
          { merchantCode: '700002', reciepients: [], refunds: { list: 1 }, attachments: { colums: [] } },
        ],
      }),
    );
    expect(unknownMembers(given).sort()).toEqual([
      'defaults.name',
      'defaults.refunds.soruce',
      'defaults.timezone',
      'merchant',
      'merchants[1].attachments.colums',
      'merchants[1].reciepients',
      'merchants[1].refunds.list',
      'service.logginPath',
    ]);
  });
});

describe('errors and warnings', () => {
  it('contain no value of the registry', () => {
    const canaries = {
      name: { canary: 1 },
      timeZone: 'canary',
      reportAt: 'canary',
      currency: 'canary',
      language: 'canary',
      lookbackDays: ['canary'],
      invoiceTypes: ['canary'],
      maxConcurrency: 'canary',
      recipients: ['canary'],
      reportFrom: 'canary',
      secretId: ['canary'],
      attachCsv: 'canary',
      attachments: { columns: ['canary'], filePrefix: '/canary' },
      skipEmpty: 'canary',
      refunds: { source: 'canary', statuses: { 1: 'CANARY' } },
      invoiceStatuses: { 1: 'canary' },
      alerts: 'canary',
      unknown: 'canary',
    };
    const merchants = Object.entries(canaries).map(([member, value], index) => ({
      merchantCode: String(index),
      [member]: value,
    }));
    const given = registry(merchants, { stranger: 'canary' });
    const { rejected } = allMerchants(given);
    expect(rejected).toHaveLength(merchants.length - 1);
    expect(JSON.stringify([rejected, unknownMembers(given)])).not.toMatch(/canary/i);
    for (const { merchantCode } of merchants.slice(0, -1)) {
      expect(() => merchantSettings(given, merchantCode)).toThrow(
        expect.objectContaining({ message: matcher(expect.not.stringMatching(/canary/i)) }),
      );
    }
  });
});

describe('comparisons to ignore', () => {
  const settingsOf = (own: object, defaults = {}) =>
    merchantSettings(registry([{ merchantCode: '1', ...own }], defaults), '1').balance;

  it('are inherited, and a merchant’s own list replaces the default list', () => {
    const defaults = { balance: { ignore: ['statsPaid'] } };
    expect(settingsOf({}, defaults)).toEqual({ ignore: ['statsPaid'] });
    expect(settingsOf({ balance: {} }, defaults)).toEqual({ ignore: ['statsPaid'] });
    expect(settingsOf({ balance: { ignore: ['invoiceType'] } }, defaults)).toEqual({
      ignore: ['invoiceType'],
    });
    expect(settingsOf({ balance: { ignore: [] } }, defaults)).toEqual({ ignore: [] });
  });

  it('that do not exist are reported by their paths, and the merchant is still usable', () => {
    const merchants = [{ merchantCode: '1', balance: { ignore: ['statsPaid', 'StatsPaid'], ignroe: [] } }];
    const given = registry(merchants, { balance: { ignore: ['total'] } });
    expect(unknownMembers(given)).toEqual([
      'defaults.balance.ignore[0]',
      'merchants[0].balance.ignroe',
      'merchants[0].balance.ignore[1]',
    ]);
    expect(allMerchants(given)).toMatchObject({ merchants: [{ merchantCode: '1' }], rejected: [] });
  });

  it.each([
    ['balance.ignore', { ignore: 'statsPaid' }],
    ['balance.ignore[0]', { ignore: [7] }],
    ['balance', ['statsPaid']],
  ])('that are not a list of names make the entry unusable: %s', (path, balance) => {
    expect(() => settingsOf({ balance })).toThrow(matcher(expect.objectContaining({ path })));
  });
});

describe('columns to redact', () => {
  it('are reported by their place if the contract does not have them: the field may be new, or the name misspelled', () => {
    const merchants = [{ merchantCode: '1', redact: ['token', 'acess_key', 'customer_name'] }];
    const { service } = registry([]);
    expect(unknownMembers({ service, defaults: { redact: ['nickname'] }, merchants })).toEqual([
      'defaults.redact[0]',
      'merchants[0].redact[1]',
    ]);
  });

  it('that are needed make the entry unusable, and are named by their path', () => {
    const { service } = registry([]);
    const merchants = [{ merchantCode: '1', redact: ['token', 'status'] }, { merchantCode: '2' }];
    const { merchants: usable, rejected } = allMerchants({ service, defaults: {}, merchants });
    expect(usable.map(({ merchantCode }) => merchantCode)).toEqual(['2']);
    expect(rejected).toEqual([
      { path: 'merchants[0].redact[1]', reason: 'is needed and cannot be redacted' },
    ]);
  });
});

it('a registry has twenty thousand entries at most, whatever they are', () => {
  const text = (entries: number) =>
    JSON.stringify({
      service: { baseUrl: 'https://pay.example.com' },
      merchants: Array.from({ length: entries }, () => ({ merchantCode: 'no code' })),
    });
  expect(parseRegistry(text(20_000)).merchants).toHaveLength(20_000);
  expect(() => parseRegistry(text(20_001))).toThrow('the registry has more than 20000 entries');
});
