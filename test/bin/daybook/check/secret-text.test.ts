import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSecretText } from '#bin/daybook/check/check.ts';
import { forAll } from '#support/assertions/for-all.ts';

const cipher = { key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const entry = { accessCode: 'code', cipher, username: 'u', password: 'p' };

function linesOf(text: string, codes?: ReadonlySet<string>): string[] {
  return checkSecretText(text, codes).problems.map(
    ({ line, column, path, merchantCode, message, suggestion }) => {
      const meant = suggestion === undefined ? '' : ` [${suggestion}]`;
      return `${line}:${column} ${path} ${merchantCode ?? '-'} ${message}${meant}`;
    },
  );
}

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
    expect(linesOf(text, new Set(['700001', '700003']))).toEqual([
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
    const broken = fc.record(
      {
        accessCode: canary,
        cipher: canary,
        username: canary,
        password: canary,
        accessToken: canary,
        previous: canary,
      },
      { requiredKeys: [] },
    );
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
    expect(linesOf(text)).toEqual([problem]);
  });
});
