import { readFileSync } from 'node:fs';
import { readAlertCheckEvent } from '#alerts/alert-check/alert-check-run.ts';
import { readDailyReportEvent } from '#page/daily-report/prepare-run.ts';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readSesEvent } from '#mail/mail-events/ses-event.ts';
import { addressHash } from '#records/storage/keys.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { allMerchants, hasUsableMerchant, merchantSettings } from '#registry/merchants.ts';
import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import { durationText, type StatementSettings } from '#registry/statement-settings.ts';
import { membersOf, allGroups, groupSettings } from '#registry/groups.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import { serviceUrl } from '#registry/service-origin.ts';
import { Cipher } from '#service/envelope/cipher.ts';
import { readSecretEntry } from '#service/authentication/credentials.ts';
import { openAnswer } from '#service/envelope/envelope.ts';
import { invoiceRecord } from '#support/records/records.ts';
import { hostileText, hostileValue, orNamedError, runs } from '#support/fuzz/mutations.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';

const cipher = new Cipher({ algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) });

it('the cipher reads back what it wrote, and gives text or one error for any other input', () =>
  forAll([fc.string({ unit: ANY_CHARACTER }), fc.string()], runs(600), (text, other) => {
    expect(cipher.decrypt(cipher.encrypt(text))).toBe(text.toWellFormed());
    orNamedError(() => cipher.decrypt(other));
    orNamedError(() => cipher.decrypt(Buffer.from(other).toString('hex')));
  }));

describe('the envelope', () => {
  const envelope = { status: true, message: 'ok', response: { invoices: { data: [invoiceRecord()] } } };
  const refusal = { status: false, code: 506, message: 'Invalid Request Data', response: null };
  it.each([
    ['success', envelope],
    ['a refusal', refusal],
    ['an encrypted answer', { response: cipher.encrypt(JSON.stringify(envelope)) }],
  ])('of %s is opened or refused with a named error, plain and encrypted', (_what, document) => {
    const date = fc.date({ noInvalidDate: true }).map((one) => one.toUTCString());
    const retryAfter = fc.option(fc.oneof(fc.string(), fc.integer().map(String), date));
    const status = fc.constantFrom(200, 204, 401, 404, 429, 500, 503, 999);
    forAll([hostileText(document), retryAfter, status], runs(400), (text, retry, code) => {
      const exchange = { operation: 'invoice list', status: code };
      for (const sent of [text, JSON.stringify({ response: cipher.encrypt(text) })]) {
        const head = { exchange, retryAfter: retry, contentType: sent };
        const answer = { ...head, body: Buffer.from(sent), giveBack: () => undefined };
        orNamedError(() => openAnswer(answer, cipher, 0));
      }
    });
  });
});

const REGISTRY = {
  service: { baseUrl: 'https://pay.example.com/', loginPath: '/api/v1/login' },
  defaults: {
    timeZone: 'Asia/Kuwait',
    reportAt: '06:00',
    lookbackDays: [1, 3],
    refunds: { statuses: { 1: 'approved' } },
  },
  merchants: [
    {
      merchantCode: '700001',
      name: 'Cafe',
      recipients: ['a@example.com'],
      reportFrom: '2026-11-01',
      refunds: { source: 'watchlist' },
      invoiceStatuses: { 0: 'not_paid', 1: 'paid' },
      alerts: [
        {
          ...{ name: 'unpaid', measure: 'unpaidCount', above: 50, clearAt: 40 },
          ...{ forChecks: 2, repeatAfter: '24h', severity: 'warning' },
        },
      ],
    },
    {
      merchantCode: '700002',
      weekStart: 'saturday',
      statements: {
        weekly: { on: 'sunday', at: '08:00' },
        monthly: { onDay: 1, at: '09:00' },
        waitFor: '36h',
        correctFor: '45d',
      },
    },
  ],
  groups: [
    {
      name: 'shops',
      merchants: ['700001', '700002'],
      recipients: ['chief@example.com'],
      language: 'ar',
      daily: true,
      weekly: { on: 'sunday', at: '08:00' },
      waitFor: '2d',
    },
    { name: 'chain', merchants: { prefix: '70' }, recipients: [], monthly: { onDay: 28, at: '09:00' } },
    { name: 'everybody', merchants: 'all', recipients: ['chief@example.com'], timeZone: 'UTC' },
  ],
};

/** Settings with durations as the registry writes them. */
function written<Settings extends { followFor?: number; statements?: StatementSettings | undefined }>(
  settings: Settings,
) {
  const { statements, followFor, ...rest } = settings;
  const others = followFor === undefined ? rest : { ...rest, followFor: `${followFor}d` };
  return statements === undefined ? others : { ...others, statements: withDurations(statements) };
}

function withDurations<Settings extends { waitFor: number; correctFor: number }>(settings: Settings) {
  const [waitFor, correctFor] = [durationText(settings.waitFor), durationText(settings.correctFor)];
  return { ...settings, waitFor, correctFor };
}

it('the registry is read entry by entry or refused, and a usable one reads back the same', () =>
  forAll([hostileText(REGISTRY)], runs(600), (text) => {
    const registry = orNamedError(() => parseRegistry(text));
    if (registry === undefined) return;
    const { merchants, rejected, leftOut } = allMerchants(registry);
    expect(merchants.length + leftOut).toBe(registry.merchants.length);
    expect(rejected.length > 0).toBe(leftOut > 0);
    const groups = allGroups(registry);
    expect(groups.groups.length + groups.leftOut).toBe(registry.groups.length);
    expect(groups.rejected.length > 0).toBe(groups.leftOut > 0);
    for (const group of groups.groups) {
      expect(groupSettings(registry, group.name)).toEqual(group);
      const { codes } = membersOf(group, registry);
      expect(codes.filter((code) => !codesInEntries(registry).has(code))).toEqual([]);
    }
    if (merchants.length > 0) expect(hasUsableMerchant(registry)).toBe(true);
    unknownMembers(registry);
    rulesOfRegistry(registry);
    orNamedError(() => serviceUrl(registry.service, registry.service.loginPath));
    for (const code of codesInEntries(registry)) orNamedError(() => merchantSettings(registry, code));
    // At that depth `JSON.stringify` itself fails.
    if (text.includes('[{"a":[{"a":[{')) return;
    const own = { merchants: merchants.map(written), groups: groups.groups.map(withDurations) };
    const again = parseRegistry(JSON.stringify({ service: registry.service, ...own }));
    expect(allMerchants(again).rejected).toEqual([]);
    expect(allGroups(again).rejected).toEqual([]);
    // Compares it as JSON: a rule may have the number Infinity, which JSON cannot write.
    expect(allMerchants(again).merchants).toEqual(JSON.parse(JSON.stringify(merchants)));
    expect(allGroups(again).groups).toEqual(JSON.parse(JSON.stringify(groups.groups)));
  }));

describe('a secret', () => {
  const entry = {
    accessCode: 'a',
    cipher: { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) },
    username: 'u',
    password: 'p',
  };
  const secret = { merchants: { 700001: { ...entry, previous: { cipher: entry.cipher } }, 700002: entry } };
  it('gives credentials that a cipher accepts, or is refused with an error that shows no value', () => {
    const code = fc.constantFrom('700001', '__proto__', 'constructor');
    forAll([hostileText(secret), code], runs(600), (text, merchantCode) => {
      const read = orNamedError(() => readSecretEntry(text, merchantCode, 'daybook/merchants'));
      if (read === undefined) return;
      for (const credentials of [read.current, read.previous ?? read.current]) {
        const { accessCode, accessToken = '' } = credentials;
        new Headers({ accessCode, authorization: `Bearer ${accessToken}` });
        expect(new Cipher(credentials.cipher).encrypt('x')).toMatch(/^[0-9a-f]{32}$/);
      }
    });
  });
});

const bounce: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/ses-events/bounced-permanent.json', import.meta.url), 'utf8'),
);
const AT = '2026-11-21T03:00:00Z';
const EVENTS: [string, unknown, (event: unknown) => unknown][] = [
  [
    'daily-report',
    {
      ...{ merchantCode: '700001', day: '2026-11-20', refundIds: [1, '2'], send: true },
      ...{ to: ['a@example.com'], dryRun: false, scheduledTime: AT },
    },
    readDailyReportEvent,
  ],
  [
    'plan',
    { kind: 'daily', scheduledTime: AT, merchants: ['700001'], from: '2026-11-01', to: '2026-11-03' },
    readPlanEvent,
  ],
  ['plan, of statements', { kind: 'statement', merchants: ['700001'], send: false }, readPlanEvent],
  [
    'alert-check',
    { merchantCode: '700001', day: 'today', now: '2026-11-21T03:00:00Z', dryRun: true },
    readAlertCheckEvent,
  ],
  [
    'delivery-watch',
    { day: '2026-11-20', now: '2026-11-21T03:00:00+03:00' },
    (event) => readWatchEvent(event, () => 0),
  ],
  ['mail-events', bounce, (event) => readSesEvent(event, addressHash('daybook@example.com'))],
];

describe('an event', () => {
  it.each(EVENTS)('of %s is read or refused with a named error', (_function, event, read) =>
    forAll([fc.oneof({ weight: 5, arbitrary: hostileValue(event) }, fc.anything())], runs(600), (given) => {
      orNamedError(() => read(given));
    }),
  );

  it('of daily-report reads back the same', () => {
    const [, event] = EVENTS[0] ?? [];
    forAll([hostileValue(event)], runs(400), (given) => {
      const read = orNamedError(() => readDailyReportEvent(given));
      if (read !== undefined) expect(readDailyReportEvent(read)).toEqual(read);
    });
  });
});
