import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { MEASURES } from '#registry/alert-rules.ts';
import { EVENT_TYPES, detailSchema } from '#watch/announce/event-schemas.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { merchantSchema } from '#registry/registry-schema.ts';
import { registryProblems } from '#bin/daybook/check/registry-problems.ts';
import { readSecretEntry } from '#service/authentication/credentials.ts';
import { SCHEMAS, eventJsonSchema, schemaText } from '#scripts/schemas.ts';
import { registryJsonSchema, secretJsonSchema } from '#scripts/schemas/registry-schema.ts';
import { textOf } from '#support/documentation/documents.ts';
import { membersOf } from '#support/assertions/index.ts';
import { examplesIn, sectionOf } from '#support/documentation/markdown.ts';

type Members = Record<string, unknown>;

function reader(): Ajv {
  const ajv = new Ajv({ allowUnionTypes: true });
  // Of editors.
  ajv.addVocabulary(['patternErrorMessage', 'enumDescriptions']);
  addFormats.default(ajv);
  return ajv;
}

describe('the JSON Schemas', () => {
  it.each(SCHEMAS)('in $file are those of the code: npm run schemas', async ({ file, schema }) => {
    expect(await readFile(file, 'utf8')).toBe(await schemaText(file, schema()));
  });

  it('are schemas, and have a description for every member', () => {
    const ajv = reader();
    const without: string[] = [];
    const look = (schema: unknown, path: string) => {
      if (!isMembers(schema)) return;
      for (const name of ['properties', 'definitions']) {
        const inner = isMembers(schema[name]) ? schema[name] : {};
        for (const [member, of] of Object.entries(inner)) {
          const isText = isMembers(of) && (typeof of.description === 'string' || of.$ref !== undefined);
          if (!isText && member !== 'rule' && member !== 'entry') without.push(`${path}.${member}`);
          look(of, `${path}.${member}`);
        }
      }
      if (Array.isArray(schema.anyOf)) for (const of of schema.anyOf) look(of, `${path}?`);
    };
    for (const schema of [registryJsonSchema(), secretJsonSchema()]) {
      expect(ajv.validateSchema(schema)).toBe(true);
      look(schema, '');
    }
    expect(without).toEqual([]);
  });
});

describe('the schemas of events', () => {
  const documented = textOf('docs/events.md');

  it.each(EVENT_TYPES)('%s has an example that fits, and is on the page', (type) => {
    const schema = eventJsonSchema(type);
    const [example] = z.array(z.record(z.string(), z.unknown())).parse(schema['examples']);
    const accepts = reader().compile(schema);
    expect([accepts(example), accepts.errors]).toEqual([true, null]);
    expect(z.strictObject(detailSchema(type).shape).parse(example)).toEqual(example);
    // Later versions add members; one that is missing is wrong.
    expect(accepts({ ...example, newcomer: 1 })).toBe(true);
    expect(accepts({ ...example, id: undefined })).toBe(false);
    expect(documented).toContain(`- \`${type}\`: `);
  });
});

const acceptsRegistry = reader().compile(registryJsonSchema());
const acceptsSecret = reader().compile(secretJsonSchema());

const WEEKLY = { on: 'sunday', at: '08:00' };
const service = { baseUrl: 'https://pay.example.com' };
const rule = { name: 'r', measure: 'unpaidCount', above: 1 };

function registryOf(entry: Members, defaults: Members = {}): Members {
  return { service, defaults, merchants: [{ merchantCode: '700001', ...entry }] };
}

/** Checks that the schema and the code say the same of a registry. */
function expectAgreement(registry: unknown, isGood: boolean): void {
  const problems = registryProblems(registry);
  expect({ schema: acceptsRegistry(registry), code: problems.length === 0 }).toEqual({
    schema: isGood,
    code: isGood,
  });
}

describe('the JSON Schema of the registry agrees with the code', () => {
  const words = { invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' } };
  it.each<[Members]>([
    [{}],
    [{ name: 'Café <b>', recipients: ['a@example.com'], language: 'ar' }],
    [{ branding: { senderName: 'Gulf Pay price', colour: '#0b5c4a', address: '1 Chapel Place' } }],
    [{ branding: { footer: false } }],
    [{ timeZone: 'Asia/Dubai', reportAt: '23:59', reportFrom: '2026-11-01', lookbackDays: [] }],
    [{ ...words, charges: ['admin_charge'], refunds: { source: 'both', statuses: { 1: 'approved' } } }],
    [{ balance: { ignore: ['statsPaid'] }, maxConcurrency: 64, redact: ['customer_name'] }],
    [{ attachCsv: true, attachments: { paymentMethods: { 1: 'KNET' } } }],
    [{ weekStart: 'saturday', statements: { weekly: WEEKLY, monthly: { onDay: 28, at: '09:00' } } }],
    [{ statements: { monthly: { onDay: 1, at: '09:00' }, waitFor: '12h', correctFor: '366d' } }],
    [{ statements: null }],
    [{ statements: { weekly: null, monthly: { onDay: 1, at: '09:00' } } }],
    [{ secretId: 'daybook/x', merchantId: '84', skipEmpty: true, alerts: [rule] }],
  ])('about a good entry: %j', (entry) => {
    expectAgreement({ $schema: '../registry.schema.json', ...registryOf(entry) }, true);
    const { name: _name, secretId: _secretId, merchantId: _merchantId, ...inherited } = entry;
    expectAgreement(registryOf({}, inherited), true);
  });

  it.each<[Members]>([
    [{ name: '' }],
    [{ name: 7 }],
    [{ recipients: 'a@example.com' }],
    [{ recipients: ['nobody'] }],
    [{ recipients: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`) }],
    [{ reciepients: [] }],
    [{ language: 'fr' }],
    [{ branding: { colour: 'red' } }],
    [{ branding: { senderName: '<b>' } }],
    [{ branding: { color: '#0b5c4a' } }],
    [{ reportAt: '6:00' }],
    [{ reportFrom: '2026-13-01' }],
    [{ lookbackDays: [0] }],
    [{ lookbackDays: Array.from({ length: 32 }, () => 1) }],
    [{ currency: 'kwd' }],
    [{ invoiceTypes: [] }],
    [{ invoiceTypes: ['1', '1'] }],
    [{ invoiceTypes: [1] }],
    [{ invoiceStatuses: { 0: 'unpaid', 1: 'paid', 3: 'cancelled' } }],
    [{ charges: ['discount'] }],
    [{ charges: ['admin_charge', 'admin_charge'] }],
    [{ refunds: { source: 'lists' } }],
    [{ refunds: { statuses: { 1: 'Approved' } } }],
    [{ refunds: [] }],
    [{ balance: { ignore: ['statsPayed'] } }],
    [{ maxConcurrency: 0 }],
    [{ maxConcurrency: 1.5 }],
    [{ attachCsv: 'true' }],
    [{ attachments: { paymentMethods: { 1: 7 } } }],
    [{ redact: ['a.b'] }],
    [{ weekStart: 'Sunday' }],
    [{ weekStart: null }],
    [{ statements: [] }],
    [{ statements: { weekly: { on: 'sunday' } } }],
    [{ statements: { weekly: { on: 'noday', at: '08:00' } } }],
    [{ statements: { weekly: { ...WEEKLY, day: 1 } } }],
    [{ statements: { monthly: { onDay: 29, at: '08:00' } } }],
    [{ statements: { monthly: { onDay: 1, at: '8:00' } } }],
    [{ statements: { weekly: WEEKLY, waitFor: '30m' } }],
    [{ statements: { weekly: WEEKLY, daily: true } }],
    [{ alerts: {} }],
    [{ alerts: [7] }],
  ])('about a bad entry, and about a bad default: %j', (entry) => {
    expectAgreement(registryOf(entry), false);
    expectAgreement(registryOf({}, entry), false);
  });

  it.each([
    [7],
    [{}],
    [{ service, merchants: {} }],
    [{ service: { baseUrl: 'x' }, merchants: [] }],
    [{ service: { ...service, loginPath: '//x' }, merchants: [] }],
    [{ service: { ...service, login: '/x' }, merchants: [] }],
    [{ service, merchants: [], merchant: [] }],
    [{ service, merchants: [{}] }],
    [{ service, merchants: [{ merchantCode: 'a b' }] }],
    [{ service, merchants: [], defaults: { merchantCode: '1' } }],
    [{ service, merchants: [], defaults: { secretId: '1' } }],
    [{ service, merchants: [], groups: {} }],
    [{ service, merchants: [], groups: [7] }],
    [{ service, merchants: [], defaults: { groups: [] } }],
  ])('about a bad frame: %j', (registry) => {
    expectAgreement(registry, false);
  });

  const group = { name: 'shops', merchants: 'all', recipients: ['a@example.com'], daily: true };

  it.each<[Members]>([
    [{}],
    [{ merchants: { prefix: '70' }, language: 'ar', timeZone: 'UTC' }],
    [{ merchants: ['700001'], branding: { senderName: 'Gulf Pay' }, attachXlsx: false }],
    [{ daily: false, weekly: WEEKLY, monthly: { onDay: 1, at: '09:00' }, waitFor: '7d', correctFor: '9h' }],
  ])('about a good group: %j', (members) => {
    expectAgreement({ ...registryOf({}), groups: [{ ...group, ...members }] }, true);
  });

  it.each<[Members]>([
    [{ name: 'a b' }],
    [{ name: undefined }],
    [{ merchants: undefined }],
    [{ merchants: 'some' }],
    [{ merchants: [] }],
    [{ merchants: ['700001', '700001'] }],
    [{ merchants: ['a b'] }],
    [{ merchants: {} }],
    [{ merchants: { prefix: '' } }],
    [{ merchants: { prefix: '70', suffix: '1' } }],
    [{ recipients: undefined }],
    [{ recipients: [] }],
    [{ recipients: ['nobody'] }],
    [{ recipients: ['a@example.com', 'a@example.com'] }],
    [{ reciepients: [] }],
    [{ language: 'fr' }],
    [{ branding: { color: 'red' } }],
    [{ daily: 'yes' }],
    [{ weekly: null }],
    [{ weekly: { ...WEEKLY, at: '8' } }],
    [{ monthly: { onDay: 0, at: '08:00' } }],
    [{ waitFor: '0h' }],
    [{ attachCsv: true }],
  ])('about a bad group: %j', (members) => {
    const given: Members = { ...group, ...members };
    const known = Object.entries(given).filter(([, value]) => value !== undefined);
    expectAgreement({ ...registryOf({}), groups: [Object.fromEntries(known)] }, false);
  });

  it.each(MEASURES.map(({ name, unit, ofDay }) => ({ name, unit, ofDay })))(
    'about rules of $name',
    ({ name, unit, ofDay }) => {
      const own = name === 'expiringUnpaid' ? { withinDays: 3 } : {};
      const bounds = {
        amount: ['12.500', 12.5],
        count: [12, 12.5],
        percent: ['33.3', '33%'],
        hours: [26.5, -1],
      };
      const [bound, wrong] = bounds[unit];
      const good = { name: 'r', measure: name, above: bound, ...own };
      const about = (of: Members, isGood: boolean) => expectAgreement(registryOf({ alerts: [of] }), isGood);
      about(good, true);
      const words = { severity: 'info', title: 'a', note: 'b' };
      about({ ...good, ...words, clearAt: bound, forChecks: 2, repeatAfter: '24h' }, true);
      about({ ...good, muteUntil: '2026-11-21T09:00:00+03:00' }, true);
      about({ ...good, notBefore: '09:00' }, ofDay);
      about({ ...good, withinDays: 3, createdWithinDays: 60 }, name === 'expiringUnpaid');
      for (const bad of [
        { above: wrong },
        { above: undefined },
        { below: bound },
        { clearat: bound },
        { forChecks: 0 },
        { repeatAfter: '24' },
        { severity: 'fatal' },
        { name: 'a b' },
        { title: '' },
        { muteUntil: 'tomorrow' },
        { measure: 'unpaid' },
      ]) {
        const rule: Members = { ...good, ...bad };
        about(Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)), false);
      }
    },
  );

  it('about the examples in docs/registry.md and docs/alerts.md', () => {
    const [whole, statements, groups] = examplesIn(sectionOf(textOf('docs/registry.md'), 'The registry'));
    const [, examples] = examplesIn(textOf('docs/alerts.md'));
    expectAgreement(whole, true);
    expectAgreement({ service, merchants: [{ merchantCode: '1', ...membersOf(statements) }] }, true);
    const merchants = ['700001', '700002'].map((merchantCode) => ({ merchantCode }));
    expectAgreement({ service, merchants, ...membersOf(groups) }, true);
    expectAgreement(registryOf({ alerts: examples }), true);
  });

  it('about every member of a merchant', () => {
    const known = Object.keys(merchantSchema.unwrap().shape);
    const { definitions } = registryJsonSchema();
    expect(Object.keys(isMembers(definitions) ? definitions : {}).sort()).toEqual([...known, 'rule'].sort());
  });
});

describe('the JSON Schema of the secret agrees with the code', () => {
  const cipher = { key: 'k'.repeat(32), iv: 'i'.repeat(16) };
  const entry = { accessCode: 'code', cipher, username: 'u', password: 'p' };

  it.each<[Members, boolean]>([
    [entry, true],
    [{ ...entry, cipher: { algorithm: 'aes-256-cbc', ...cipher } }, true],
    [{ accessCode: 'code', cipher, accessToken: 't' }, true],
    [{ ...entry, previous: { cipher } }, true],
    [{ ...entry, previous: {} }, true],
    [{ ...entry, accessCode: 'a b' }, false],
    [{ ...entry, accessCode: undefined }, false],
    [{ ...entry, cipher: undefined }, false],
    [{ ...entry, cipher: { ...cipher, algorithm: 'aes-128-cbc' } }, false],
    [{ ...entry, cipher: { key: cipher.key } }, false],
    [{ ...entry, password: undefined }, false],
    [{ ...entry, username: '' }, false],
    [{ ...entry, previous: { cipher: {} } }, false],
  ])('about %j', (given, isGood) => {
    const text = JSON.stringify({ $schema: 'x', merchants: { '700001': given } });
    let isUsed = true;
    try {
      readSecretEntry(text, '700001', 'secret');
    } catch {
      isUsed = false;
    }
    expect({ schema: acceptsSecret(JSON.parse(text)), code: isUsed }).toEqual({
      schema: isGood,
      code: isGood,
    });
  });

  it('and names members that have no effect', () => {
    const stranger = { merchants: { '700001': { ...entry, pasword: 'p' } } };
    expect(acceptsSecret(stranger)).toBe(false);
    expect(acceptsSecret({ merchants: { 'a b': entry } })).toBe(false);
  });
});
