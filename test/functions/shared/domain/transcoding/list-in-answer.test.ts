import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listInAnswer, pathInAnswer } from '#domain/transcoding/list-in-answer.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { invoice, invoicePage } from '#support/hostile-shapes/answers.ts';
import { bothWays } from '#support/transcoding/both-ways.ts';
import { PLAIN, printed } from '#support/transcoding/printed.ts';
import { hostile } from '#support/transcoding/records.ts';

const PATH = pathInAnswer(['response', 'invoices', 'data']);

/** What stands in the list that is found, up to its first closing bracket. */
function found(text: string): string | undefined {
  const json = Buffer.from(text);
  const start = listInAnswer(json, PATH);
  return start === undefined ? undefined : json.toString('utf8', start, json.indexOf(']', start));
}

/** An answer around the list `[1]`. */
const around = (before: string, inResponse = '', inInvoices = '') =>
  `{${before}"response":{${inResponse}"invoices":{${inInvoices}"data":[1]}}}`;

describe('the list of an answer', () => {
  it.each([
    ['alone', around('')],
    ['after other members', around('"status":true,"a":null,', '"b":[1,[2],{}],', '"c":{"d":"e"},')],
    [
      'after texts that look like it',
      around('"a":"\\"response\\":{\\"invoices\\":{\\"data\\":[2]}}",', '"b":"}],",'),
    ],
    ['after a text with a backslash at its end', around('"a":"\\\\",', '"b":"\\\\\\"",')],
    ['after an inner object of the same name', around('"a":{"response":{"invoices":{"data":[2]}}},')],
    [
      'after an inner list of the same name',
      around('', '"a":{"invoices":{"data":[2]}},', '"b":{"data":[2]},'),
    ],
    ['after names that begin like it', around('"respons":1,"response2":{"invoices":{"data":[2]}},', '"":1,')],
    ['after a name with a quote', around('"response\\":[1]":0,')],
  ])('is found %s', (_what, text) => {
    expect(JSON.parse(text)).toHaveProperty('response.invoices.data', [1]);
    expect(found(text)).toBe('1');
  });

  it.each([
    ['in an answer without it', '{"response":{"invoices":{"list":[1]}}}'],
    ['in a list', '[{"response":{"invoices":{"data":[1]}}}]'],
    ['when it is an object', '{"response":{"invoices":{"data":{"a":[1]}}}}'],
    ['when an object around it is a list', '{"response":[{"invoices":{"data":[1]}}]}'],
    ['when an object around it is a text', '{"response":"{\\"invoices\\":{\\"data\\":[1]}}"}'],
    ['when it is one level higher', '{"response":{"data":[1]}}'],
    ['when it is one level deeper', '{"response":{"a":{"invoices":{"data":[1]}}}}'],
    ['when its name has an escape', '{"response":{"invoices":{"dat\\u0061":[1]}}}'],
    ['after a blank', '{"response": {"invoices":{"data":[1]}}}'],
    ['after a blank before a colon', '{"response" :{"invoices":{"data":[1]}}}'],
    ['after a blank before a name', '{"a":1, "response":{"invoices":{"data":[1]}}}'],
    ['after a byte order mark', '\ufeff{"response":{"invoices":{"data":[1]}}}'],
    ['when the object ends before it', '{"a":1},"response":{"invoices":{"data":[1]}}'],
    ['in an answer that is cut off', '{"a":[1,2'],
    ['in an answer that is cut off in a name', '{"respon'],
    ['in an answer that is cut off after a name', '{"response":{"invoices":{"data":'],
    ['in an empty answer', ''],
    ['in an empty object', '{}'],
    ['after a name without its first quote', '{a":1,"response":{"invoices":{"data":[1]}}}'],
    ['in brackets instead of braces', '["response":{"invoices":{"data":[1]}}]'],
    ['when something else stands for a colon', '{"response";{"invoices":{"data":[1]}}}'],
    ['when a bracket stands for a comma', '{"a":1}"response":{"invoices":{"data":[1]}}'],
    ['when a name has other capitals', '{"Response":{"invoices":{"data":[1]}}}'],
  ])('is not found %s', (_what, text) => {
    expect(found(text)).toBeUndefined();
  });

  it('is the list of the parsed answer, when no name appears twice', () => {
    const names = fc.oneof(fc.constantFrom('data', 'invoices', 'response', 'a', '"response"', '\\'), hostile);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom<unknown>(null, 1, '"data":[1]', '}],{["', 'response'),
        hostile,
        fc.array(tie('tree'), { maxLength: 2 }),
        fc
          .array(fc.tuple(names, tie('tree')), { maxLength: 4 })
          .map((members) => Object.fromEntries(members)),
      ),
    }));
    const list = fc.array(fc.constantFrom(1, 2), { maxLength: 3 });
    const members = fc.array(fc.tuple(names, tree), { maxLength: 3 });
    fc.assert(
      fc.property(members, members, members, members, list, (first, second, third, last, data) => {
        const inner = Object.fromEntries([...third, ['data', data], ...last.slice(2)]);
        const middle = Object.fromEntries([...second, ['invoices', inner], ...last.slice(1)]);
        const answer = Object.fromEntries([...first, ['response', middle], ...last]);
        const json = Buffer.from(printed(answer, PLAIN));
        const place = json.toString('utf8', listInAnswer(json, PATH) ?? json.length);
        const lastList: unknown = ['response', 'invoices', 'data'].reduce<unknown>(
          (value, name) =>
            typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
          answer,
        );
        const wanted = Array.isArray(lastList) ? JSON.stringify(lastList).slice(1) : '';
        expect(place.slice(0, wanted.length)).toBe(wanted);
        expect(place === '').toBe(wanted === '');
      }),
      runs(1_000),
    );
  });
});

const RECORDS = `${invoice(1)},${invoice(2)}`;
const PAGE = invoicePage(RECORDS);
const OTHER = '{"data":[],"pagination":null}';

describe('an answer with its list', () => {
  it.each([
    ['as the service sends it', (text: string) => text],
    [
      'after unknown members',
      (text: string) => text.replace('"response":{', '"a":{"data":[]},"response":{"b":[{}],'),
    ],
    ['before unknown members', (text: string) => `${text.slice(0, -1)},"a":{"invoices":{"data":[]}}}`],
    ['with blanks behind it', (text: string) => text.replace('"pagination":', ' "pagination" : ')],
    ['beside names with escapes', (text: string) => text.replace('"pagination":', '"paginatio\\u006e":')],
    ['that is empty', () => invoicePage('')],
  ])('is read in its bytes: %s', (_what, change) => {
    const { isTaken, transcoded, parsed } = bothWays(Buffer.from(change(PAGE)));
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });

  it.each([
    ['its response twice', (text: string) => `${text.slice(0, -1)},"response":{"invoices":${OTHER}}}`],
    [
      'its response twice, once escaped',
      (text: string) => `{"respons\\u0065":{"invoices":${OTHER}},${text.slice(1)}`,
    ],
    [
      'its response twice, the second escaped',
      (text: string) => `${text.slice(0, -1)},"\\u0072esponse":null}`,
    ],
    ['its invoices twice', (text: string) => text.replace('"invoices":', `"invoices":${OTHER},"invoices":`)],
    ['its list twice', (text: string) => text.replace('"pagination":', '"data":[],"pagination":')],
    [
      'its list twice, once escaped',
      (text: string) => text.replace('"pagination":', '"d\\u0061ta":[],"pagination":'),
    ],
    ['another name twice', (text: string) => text.replace('"pagination":', '"a":1,"a":2,"pagination":')],
    ['text behind it', (text: string) => `${text}1`],
    ['a part missing', (text: string) => text.slice(0, -1)],
    ['a wrong bracket behind it', (text: string) => text.replace(']', '}')],
    ['a comma too many', (text: string) => text.replace(RECORDS, `${RECORDS},`)],
    ['a comma before its records', (text: string) => text.replace(RECORDS, `,${RECORDS}`)],
    ['two commas', (text: string) => text.replace('},{"id":2', '},,{"id":2')],
    ['no comma', (text: string) => text.replace('},{"id":2', '}{"id":2')],
    ['a blank between records', (text: string) => text.replace('},{"id":2', '}, {"id":2')],
    ['a record that is none', (text: string) => text.replace(RECORDS, `${RECORDS},1`)],
    ['only a record that is none', (text: string) => text.replace(RECORDS, 'null')],
    ['a list in a list', (text: string) => text.replace(RECORDS, `[${RECORDS}]`)],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['blanks in it', (text: string) => JSON.stringify(JSON.parse(text), null, 1)],
  ])('is left to the parser: %s', (_what, change) => {
    const text = change(PAGE);
    expect(text).not.toBe(PAGE);
    expect(bothWays(Buffer.from(text)).isTaken).toBe(false);
  });
});
