import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import { hostileText, orNamedError } from '#support/fuzz/mutations.ts';
import { checkSecretText } from '#bin/daybook/check/check.ts';
import type { CheckProblem } from '#bin/daybook/check/problem.ts';
import { checkRegistryText, type RegistryLimits } from '#bin/daybook/check/registry-text.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const REGISTRY = {
  service: { baseUrl: 'https://pay.example.com/', loginPath: '/api/v1/login' },
  defaults: { timeZone: 'Asia/Kuwait', lookbackDays: [1, 3], refunds: { statuses: { 1: 'approved' } } },
  merchants: [
    {
      merchantCode: '700001',
      recipients: ['a@example.com'],
      refunds: { source: 'watchlist' },
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      alerts: [{ name: 'unpaid', measure: 'unpaidCount', above: 50, clearAt: 40 }],
    },
    {
      merchantCode: '700002',
      balance: { ignore: ['statsPaid'] },
      branding: { colour: '#0b5c4a' },
      weekStart: 'monday',
      statements: { weekly: { on: 'sunday', at: '08:00' }, waitFor: '1d' },
    },
  ],
  groups: [
    { name: 'a', merchants: ['700001'], recipients: ['a@example.com'], daily: true },
    {
      name: 'b',
      merchants: { prefix: '70' },
      recipients: ['a@example.com'],
      monthly: { onDay: 1, at: '08:00' },
    },
  ],
};

const SERVICE = '"service": { "baseUrl": "https://pay.example.com" }';

function inLines(problems: readonly CheckProblem[]): string[] {
  return problems.map(({ line, column, path, merchantCode, message, suggestion }) => {
    const meant = suggestion === undefined ? '' : ` [${suggestion}]`;
    return `${line}:${column} ${path} ${merchantCode ?? '-'} ${message}${meant}`;
  });
}

const linesOf = (text: string, limits?: RegistryLimits) => inLines(checkRegistryText(text, limits).problems);
/** Without the places. */
const wordsOf = (json: unknown) => linesOf(JSON.stringify(json)).map((line) => line.replace(/^\S+ /, ''));
const secretLines = (text: string, codes?: ReadonlySet<string>) =>
  inLines(checkSecretText(text, codes).problems);

describe('the text of a registry', () => {
  it('suggests the form in ASCII for an address whose domain is in another script', () => {
    const recipients = ['owner@دفتر.example', 'مالك@دفتر.example', 'owner@@x'];
    const merchants = [{ merchantCode: '700001', recipients }];
    expect(wordsOf({ service: REGISTRY.service, merchants })).toEqual([
      'merchants[0].recipients[0] 700001 must have its domain in ASCII letters, in the form xn--…, ' +
        'given "owner@دفتر.example" [owner@xn--pgbjh6d.example]',
      'merchants[0].recipients[1] 700001 must be a valid email, given "مالك@دفتر.example"',
      'merchants[0].recipients[2] 700001 must be a valid email, given "owner@@x"',
    ]);
  });

  it('has every problem with its place, in the order of the text', () => {
    const text = `\uFEFF{
  ${SERVICE},
  "defaults": { "reportAt": "6:30", "timezone": "UTC", "merchantId": "1" },
  "merchants": [
    {
      "merchantCode": "700001", "reciepients": ["a@example.com"],
      "timeZone": "Asia/Kuwiat",
      "language": "AR",
      "alerts": [{ "name": "x", "measure": "unpaidcount", "abov": 3 }],
      "balance": { "ignore": ["statspaid"] }, "redact": ["customer_nam"]
    },
    { "merchantCode": "700001", "name": "a", "name": "b" },
    { "language": "ar" }
  ]
}`;
    expect(linesOf(text)).toEqual([
      '3:29 defaults.reportAt - must be HH:MM, given "6:30"; 3 entries inherit it',
      '3:37 defaults.timezone - is not known here and has no effect [timeZone]',
      '3:56 defaults.merchantId - is for one merchant and has no effect in the defaults',
      '6:33 merchants[0].reciepients 700001 is not known here and has no effect [recipients]',
      '7:19 merchants[0].timeZone 700001 is not a time zone, given "Asia/Kuwiat" [Asia/Kuwait]',
      '8:19 merchants[0].language 700001 must be one of ar, en, given "AR" [ar]',
      '9:18 merchants[0].alerts[0].above 700001 "above" or "below" must be given',
      expect.stringMatching(
        /^9:44 merchants\[0\][.]alerts\[0\][.]measure 700001 must be one of .*, given "unpaidcount" \[unpaidCount\]$/,
      ),
      '9:59 merchants[0].alerts[0].abov 700001 is not known here and has no effect [above]',
      '10:31 merchants[0].balance.ignore[0] 700001 is not the name of a comparison and has no effect, given "statspaid" [statsPaid]',
      '10:58 merchants[0].redact[0] 700001 is not a column of the contract and has an effect only if the service sends it, given "customer_nam" [customer_name]',
      '12:23 merchants[1].merchantCode 700001 is the code of merchants[0], too, given "700001"',
      '12:46 merchants[1].name 700001 appears twice in its object; only the last value would count',
      '13:5 merchants[2].merchantCode - is missing, must be a text',
    ]);
  });

  it('has the problems of statements and groups, with what may have been meant', () => {
    const text = `{
  ${SERVICE},
  "merchants": [
    {
      "merchantCode": "700001", "weekstart": "monday",
      "statements": { "weekly": { "on": "Sunday", "at": "8:00" }, "waitfor": "1d", "correctFor": "400d" }
    }
  ],
  "groups": [
    {
      "name": "shops", "merchants": "al", "recipients": ["a@example.com"],
      "dayly": true, "timeZone": "Asia/Kuwiat", "weekly": { "on": "sundy", "at": "08:00" }
    },
    { "name": "b", "merchants": ["700009"], "recipients": [], "daily": true, "daily": false },
    { "name": "c", "merchants": { "prefx": "70" }, "recipients": ["a@example.com"], "daily": true },
    { "name": "b", "merchants": { "prefix": "8" }, "recipients": ["a@example.com"], "daily": true }
  ]
}`;
    expect(linesOf(text)).toEqual([
      '5:33 merchants[0].weekstart 700001 is not known here and has no effect [weekStart]',
      '6:41 merchants[0].statements.weekly.on 700001 must be one of sunday, monday, tuesday, wednesday, thursday, friday, saturday, given "Sunday" [sunday]',
      '6:57 merchants[0].statements.weekly.at 700001 must be HH:MM, given "8:00"',
      '6:67 merchants[0].statements.waitfor 700001 is not known here and has no effect [waitFor]',
      '6:98 merchants[0].statements.correctFor 700001 must be at most 366d, given "400d"',
      '11:37 groups[0].merchants - must be "all", { "prefix": "70" } or a list of codes, given "al" [all]',
      '12:7 groups[0].dayly - is not known here and has no effect [daily]',
      '12:34 groups[0].timeZone - is not a time zone, given "Asia/Kuwiat" [Asia/Kuwait]',
      '12:67 groups[0].weekly.on - must be one of sunday, monday, tuesday, wednesday, thursday, friday, saturday, given "sundy" [sunday]',
      '14:5 groups[1] - has neither "daily": true nor "weekly" or "monthly": no page of it comes by itself',
      '14:34 groups[1].merchants[0] - is the code of no merchant in the registry, given "700009"',
      '14:59 groups[1].recipients - is empty: nobody gets its pages, given a list',
      '14:78 groups[1].daily - appears twice in its object; only the last value would count',
      '15:33 groups[2].merchants.prefix - is missing, must be letters, digits and "-", 64 at most',
      '15:35 groups[2].merchants.prefx - is not known here and has no effect [prefix]',
      '16:15 groups[3].name - is the name of groups[1], too, given "b"',
      '16:45 groups[3].merchants.prefix - finds no merchant in the registry, given "8"',
    ]);
  });

  it('that is right has none, and its merchants are known', () => {
    const text = `{ "$schema": "x", ${SERVICE}, "merchants": [
      { "merchantCode": "700001" }, { "merchantCode": "700002", "secretId": "daybook/x" }] }`;
    expect(checkRegistryText(text)).toEqual({ problems: [], codes: new Set(['700001']), entries: 2 });
  });

  it.each([
    ['', '1:1 (root) - is not JSON: the text ends too early'],
    ['{\n  "a": 1,\n}', '3:1 (root) - is not JSON: there is a comma before the closing bracket'],
    [`${'['.repeat(101)}${']'.repeat(101)}`, '1:1 (root) - nests deeper than 100 levels'],
    ['[]', '1:1 (root) - must be an object, given a list'],
    ['{}', '1:1 service - is missing, must be an object'],
  ])('that is no registry has a problem: %j', (text, problem) => {
    expect(linesOf(text)[0]).toBe(problem);
  });

  it('that is too large is not parsed', () => {
    const problem = '1:1 (root) - has more than 33,554,432 bytes';
    expect(linesOf(`{"a":"${'x'.repeat(33 * 1024 * 1024)}"}`)).toEqual([problem]);
  });

  it('names an origin that is not allowed, and other secrets than the stage allows', () => {
    const text = `{ ${SERVICE},
      "merchants": [{ "merchantCode": "1", "secretId": "other/1" }, { "merchantCode": "2" }] }`;
    expect(linesOf(text, { origins: ['https://pays.example.com'], secretPrefix: 'daybook/' })).toEqual([
      '1:27 service.baseUrl - must lead to https://pays.example.com, given "https://pay.example.com" [https://pays.example.com]',
      '2:56 merchants[0].secretId 1 must begin with daybook/, given "other/1"',
    ]);
    expect(linesOf(text, { secretPrefix: null })).toEqual([
      '2:56 merchants[0].secretId 1 is not allowed: the stage has no credentials.prefix, given "other/1"',
    ]);
    expect(linesOf(text, { origins: ['https://pay.example.com'], codesInSecret: new Set(['1']) })).toEqual([
      '2:87 merchants[1].merchantCode 2 has no entry in the secret, given "2"',
    ]);
    expect(linesOf(text)).toEqual([]);
  });

  it('never shows a user name and a password in the service’s address', () => {
    const text = '{ "service": { "baseUrl": "https://user:canary@pay.example.com" }, "merchants": [] }';
    expect(linesOf(text)).toEqual(['1:27 service.baseUrl - must not have a user name or a password']);
  });

  it('is safe for a terminal and short, whatever names and values it has', () => {
    const wrong = {
      merchantCode: '1',
      're\u001b[31m "x': 1,
      reportAt: `\u001b[2J${'y'.repeat(5_000)}`,
      ['z'.repeat(5_000)]: 1,
    };
    const lines = linesOf(JSON.stringify({ service: REGISTRY.service, merchants: [wrong] }));
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    for (const line of lines) expect(line.length).toBeLessThan(250);
  });

  it('has a problem wherever the functions refuse or ignore something', () =>
    forAll([hostileText(REGISTRY)], { numRuns: 250 }, (text) => {
      const { problems } = checkRegistryText(text);
      for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThan(0);
      const registry = orNamedError(() => parseRegistry(text.replace(/^\uFEFF/, '')));
      const isFine =
        registry !== undefined &&
        allMerchants(registry).leftOut === 0 &&
        allGroups(registry).leftOut === 0 &&
        unknownMembers(registry).length === 0 &&
        rulesOfRegistry(registry).problems.length === 0 &&
        rulesOfRegistry(registry).unknown.length === 0;
      if (!isFine) expect(problems.length).toBeGreaterThan(0);
    }));

  it('has each problem at the value itself, however the text is laid out', () => {
    const blank = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n\n  ');
    forAll([fc.array(blank, { minLength: 8, maxLength: 8 }), fc.nat({ max: 5 })], (blanks, before) => {
      const [a, b, c, d, e, f, g, h] = blanks;
      const entries = Array.from({ length: before }, (_, index) => `{"merchantCode":"${index}"}${h},`);
      const head = `{${a}${SERVICE}${b},${c}"merchants"${d}:${e}[${entries.join('')}{"merchantCode":"x",${f}"language":${g}`;
      const [problem] = checkRegistryText(`${head}"fr"}]}`).problems;
      const linesBefore = head.split(/\r\n|\r|\n/);
      const column = (linesBefore.at(-1) ?? '').length + 1;
      expect(problem).toMatchObject({ line: linesBefore.length, column });
    });
  });
});

const cipher = { key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const entry = { accessCode: 'code', cipher, username: 'u', password: 'p' };

describe('the text of a secret', () => {
  it('that is right has no problem, and its codes are known', () => {
    const merchants = {
      '700001': entry,
      '700002': { accessCode: 'c', cipher, accessToken: 't', previous: { cipher } },
    };
    const text = JSON.stringify({ $schema: 'x', merchants });
    expect(checkSecretText(text)).toEqual({ problems: [], codes: new Set(['700001', '700002']) });
  });

  it('has every problem with its place, and no value', () => {
    const text = `{ "note": "canary", "merchants": {
  "700001": { "accesCode": "canary", "cipher": { "key": "canary", "iv": "iiiiiiiiiiiiiiii", "mode": "canary" } },
  "700002": "canary",
  "a b": ${JSON.stringify(entry)},
  "700003": { "accessCode": "can ary", "accessToken": "t", "accessToken": "canary", "cipher": ${JSON.stringify(cipher)},
    "previous": { "pasword": "canary", "cipher": { "key": "canary" } } }
} }`;
    expect(secretLines(text, new Set(['700001', '700003']))).toEqual([
      '1:3 note - is not known here and has no effect',
      '2:3 merchants.700001 700001 needs an accessToken, or a username and a password',
      '2:13 merchants.700001.accessCode 700001 is missing, must be a text',
      '2:15 merchants.700001.accesCode 700001 is not known here and has no effect [accessCode]',
      '2:50 merchants.700001.cipher.key 700001 must be 32 bytes of UTF-8',
      '2:93 merchants.700001.cipher.mode 700001 is not known here and has no effect',
      '3:3 merchants.700002 700002 must be an object',
      '3:3 merchants.700002 700002 is used by no merchant of the registry',
      '4:3 merchants."a b" - is not a merchant code: letters, digits and "-", 64 at most',
      '5:15 merchants.700003.accessCode 700003 must be printable ASCII without blanks',
      '5:60 merchants.700003.accessToken 700003 appears twice in its object; only the last value would count',
      '6:19 merchants.700003.previous.pasword 700003 is not known here and has no effect [password]',
      '6:50 merchants.700003.previous.cipher.iv 700003 is missing, must be a text',
      '6:52 merchants.700003.previous.cipher.key 700003 must be 32 bytes of UTF-8',
    ]);
  });

  it('never shows a value, whatever is wrong', () => {
    const canary = fc.constantFrom<unknown>('canary', ['canary'], { canary: 'x' }, 'canary\u0000', null, 7);
    const names = ['accessCode', 'cipher', 'username', 'password', 'accessToken', 'previous'];
    const broken = fc.dictionary(fc.constantFrom(...names), canary);
    forAll([broken, canary, fc.nat({ max: 200 })], (given, other, cut) => {
      const text = JSON.stringify({ merchants: { '700001': given, '700002': other } });
      for (const one of [text, text.slice(0, cut), `${text}canary`]) {
        const { problems } = checkSecretText(one, new Set());
        const said = JSON.stringify(problems).replaceAll(/"path":"[^"]*canary"/g, '');
        expect(said).not.toContain('canary');
      }
    });
  });

  it.each([
    ['x', '1:1 (root) - is not JSON: a value is missing'],
    ['7', '1:1 (root) - must be an object'],
    ['{}', '1:1 merchants - is missing, must be an object'],
    [JSON.stringify({ merchants: { a: 'x'.repeat(65_536) } }), '1:1 (root) - has more than 65,536 bytes'],
  ])('that is no secret has a problem', (text, problem) => {
    expect(secretLines(text)).toEqual([problem]);
  });
});
