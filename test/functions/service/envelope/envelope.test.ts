import { gzipSync } from 'node:zlib';
import { Cipher } from '#service/envelope/cipher.ts';
import { formOf, openAnswer } from '#service/envelope/envelope.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { membersOf, fc, forAll } from '#support/assertions/index.ts';
import * as z from 'zod';
import { asSent, countOf, listAsSent } from '#service/envelope/answer-schemas.ts';

const cipher = new Cipher({ algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) });
const other = new Cipher({ algorithm: 'aes-256-cbc', key: 'o'.repeat(32), iv: 'i'.repeat(16) });
const NOW = Date.parse('2026-11-20T10:00:00Z');

function answer(text: string, status = 200, retryAfter: string | null = null) {
  return {
    exchange: { operation: 'invoice list', status },
    retryAfter,
    contentType: 'application/json',
    body: Buffer.from(text),
    giveBack: () => undefined,
  };
}

function sealed(text: string): string {
  return JSON.stringify({ response: cipher.encrypt(text) });
}

function open(text: string, status?: number, retryAfter?: string): unknown {
  return openAnswer(answer(text, status, retryAfter), cipher, NOW);
}

function errorOf(...given: Parameters<typeof open>): DaybookError {
  try {
    open(...given);
  } catch (error) {
    if (error instanceof DaybookError) return error;
    throw error;
  }
  throw new Error('the answer should be an error');
}

/** What an answer opens to, or the error's message. */
function opened(text: string): unknown {
  try {
    return open(text);
  } catch (error) {
    return membersOf(error)['message'];
  }
}

const SUCCESS = '{"status":true,"message":"ok","response":{"a":1}}';
const NOT_FOUND =
  '{"status":false,"message":"Request not found, Please verify the request data","response":null}';
const FORBIDDEN = '{"status":false,"message":"Forbidden Access","response":null}';
const SERVER_ERROR = '{"message":"Internal server error occurred"}';
const INVALID = '{"status":false,"code":506,"message":"Invalid Request Data","response":null}';
const SIGNATURE = '{"status":false,"message":"Invalid Signature.","response":null}';

describe('an envelope', () => {
  it('is read plain or encrypted, with any HTTP status', () => {
    for (const text of [SUCCESS, sealed(SUCCESS)])
      expect([200, 404, 500].map((status) => open(text, status))).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  });

  it('keeps integers beyond 2^53, also when encrypted', () => {
    const text = '{"status":true,"response":{"id":9007199254740993}}';
    for (const sent of [text, sealed(text)])
      expect(JSON.stringify(open(sent))).toBe('{"id":9007199254740993}');
  });

  const long = cipher.encrypt(`{"status":true,"response":{"a":"${'x'.repeat(5_000)}"}}`);

  it.each([
    ['alone', { response: long }],
    ['after other members', { status: true, message: '{"', list: [1, ['"']], response: long }],
    ['before other members', { response: long, status: true, message: '"response":' }],
    ['twice', membersOf(JSON.parse(`{"response":"${long}","more":{"response":""}}`))],
    ['inside another member and empty at the top', { more: { response: long }, status: true, response: '' }],
    ['inside another member', { more: { response: long }, status: true }],
    ['that is incomplete', { response: long.slice(1) }],
    ['with a character that is not a digit', { response: `${long}g` }],
    ['with a character of two bytes', { response: `${long.slice(0, -1)}ı` }],
    ['with an escaped quote', { response: `${long}"` }],
    ['of another key', { response: other.encrypt('x'.repeat(5_000)) }],
    ['in another member', { other: long, response: 'ab' }],
  ])('with long ciphertext %s is read the same in any layout', (_what, body) => {
    expect(opened(JSON.stringify(body))).toEqual(opened(JSON.stringify(body, null, 1)));
  });

  it.each([
    ['with an escaped digit', `\\u00${long.charCodeAt(0).toString(16)}${long.slice(1)}`],
    ['followed by an empty one', `${long}","response" : "`],
  ])('with long ciphertext %s is read as a JSON parser reads it', (_what, written) => {
    const text = `{"response":"${written}"}`;
    const { response } = membersOf(JSON.parse(text));
    expect(opened(text)).toEqual(opened(JSON.stringify({ response })));
  });

  it('is not JSON if long ciphertext has a line break in it, and the request may be repeated', () => {
    const text = `{"response":"${long.slice(0, 100)}\n${long.slice(100)}"}`;
    expect(errorOf(text).name).toBe('MalformedAnswerError');
    expect(errorOf(text, 502).name).toBe('ServerError');
  });

  it('is not decrypted without a cipher', () => {
    expect(() => openAnswer(answer(sealed(SUCCESS)), undefined, NOW)).toThrow(
      expect.objectContaining({ name: 'ContractError', path: 'status' }),
    );
  });
});

describe('an error body', () => {
  it.each([
    [NOT_FOUND, 'NotFoundError'],
    [FORBIDDEN, 'ForbiddenError'],
    [SERVER_ERROR, 'ServerError'],
    [INVALID, 'InvalidRequestError'],
    ['{"status":false,"message":"Invalid Request Data","response":null}', 'InvalidRequestError'],
    ['{"status":false,"code":506,"message":"other words","response":null}', 'InvalidRequestError'],
    [SIGNATURE, 'LoginRefusedError'],
    ['{"status":false,"message":"Internal server error occurred","response":null}', 'ServerError'],
    ['{"status":false,"message":"Forbidden Access"}', 'ForbiddenError'],
  ])('%s decides, with any HTTP status', (body, name) => {
    for (const status of [200, 400, 401, 404, 422, 429, 500]) {
      expect(errorOf(body, status), String(status)).toMatchObject({
        name,
        status,
        operation: 'invoice list',
      });
      expect(errorOf(sealed(body), status), `encrypted, ${status}`).toMatchObject({ name, status });
    }
  });

  it('in words that the contract does not list is decided by the HTTP status, and is a refusal under 200', () => {
    const body = '{"status":false,"code":7,"message":"canary","response":null}';
    expect([200, 401, 404, 429, 503, 422].map((status) => errorOf(body, status).name)).toEqual([
      'RefusedError',
      'ForbiddenError',
      'NotFoundError',
      'RateLimitedError',
      'ServerError',
      'RefusedError',
    ]);
    expect(errorOf(body).message).not.toContain('canary');
  });

  it('with only a message is decided by the HTTP status, and is a ContractError under 200', () => {
    expect(errorOf('{"message":"Unauthenticated."}', 401).name).toBe('ForbiddenError');
    expect(errorOf('{"message":"Forbidden Access"}', 200).name).toBe('ContractError');
  });
});

describe('a refusal', () => {
  it.each(['[]', '{}', '""', '7', '{"a":1}'])('may have %s in place of null', (response) => {
    for (const text of [NOT_FOUND, FORBIDDEN, INVALID, SIGNATURE]) {
      const other = text.replace('"response":null', `"response":${response}`);
      expect(errorOf(other).name).toBe(errorOf(text).name);
    }
  });

  it('may have its code as digits, and any message', () => {
    expect(errorOf('{"status":false,"code":"506","message":null}').name).toBe('InvalidRequestError');
    expect(errorOf('{"status":false,"message":["canary"]}').name).toBe('RefusedError');
    expect(errorOf('{"status":false}', 503).name).toBe('ServerError');
  });
});

describe('an answer that is neither an envelope nor an error body', () => {
  it.each(['', 'no', '<html></html>', '{"status":true,', '{"status":true,"response":{"a":'])(
    '(%j) is malformed under HTTP 200',
    (text) => {
      expect(errorOf(text).name).toBe('MalformedAnswerError');
    },
  );

  it.each('null [] 7 "canary" {} {"status":"true","response":{}} {"status":1} {"data":[]}'.split(' '))(
    '(%s) does not follow the contract under HTTP 200',
    (text) => {
      expect(errorOf(text)).toMatchObject({ name: 'ContractError', path: 'status' });
    },
  );

  it.each([
    [400, 'RefusedError'],
    [401, 'ForbiddenError'],
    [403, 'ForbiddenError'],
    [404, 'NotFoundError'],
    [408, 'ServerError'],
    [422, 'RefusedError'],
    [429, 'RateLimitedError'],
    [500, 'ServerError'],
    [504, 'ServerError'],
  ])('under HTTP %d is a %s', (status, name) => {
    for (const body of ['', '<html>', '{}', '[]', '{"detail":"no"}', 'null', '7', '"x"'])
      expect(errorOf(body, status, '7'), body).toMatchObject({ name, status, retryAfter: 7_000 });
  });

  it.each([
    ['encrypted with another key', JSON.stringify({ response: other.encrypt(SUCCESS) })],
    ['not hexadecimal', '{"response":"zz"}'],
    ['empty', '{"response":""}'],
  ])('does not decrypt if it is %s', (_what, text) => {
    const error = errorOf(text);
    expect(error.name).toBe('CipherError');
    expect(error.message).toMatch(/^invoice list: the answer does not decrypt: /);
  });

  it('does not decrypt if the result is not JSON', () => {
    expect(errorOf(sealed('canary'))).toMatchObject({ why: 'the decrypted text is not JSON' });
    expect(errorOf(sealed('canary')).message).not.toContain('canary');
  });
});

describe('JSON that nests deeper than any answer', () => {
  const deep = (levels: number) => `{"status":true,"response":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it('does not follow the contract, plain or encrypted', () => {
    for (const text of [deep(200), deep(200_000), sealed(deep(20_000)), '['.repeat(50_000)]) {
      expect(errorOf(text)).toMatchObject({ name: 'ContractError', path: '(root)' });
    }
  });

  it('may be inside a string', () => {
    const text = JSON.stringify({ status: true, response: { text: '['.repeat(50_000) } });
    expect(open(text)).toEqual({ text: '['.repeat(50_000) });
  });

  it('is read up to a depth that no record reaches', () => {
    expect(() => open(deep(99))).not.toThrow();
  });
});

describe('JSON with more in it than any answer', () => {
  const withMembers = (count: number) =>
    `{"status":true,"response":{${Array.from({ length: count }, (_, index) => `"n${index}":0`).join(',')}}}`;
  const withValues = (count: number, value: string) =>
    `{"status":true,"response":[${Array<string>(count).fill(value).join(',')}]}`;

  it('is refused when an object has more than 1,000 names', () => {
    expect(() => open(withMembers(1_000))).not.toThrow();
    for (const text of [withMembers(1_001), sealed(withMembers(1_001))]) {
      expect(errorOf(text)).toMatchObject({ name: 'ContractError', path: 'response' });
    }
  });

  it.each([
    ['than any page', 760_000, '1234567'],
    ['than its length explains', 100_000, '1'],
  ])('is refused when it has more values %s', (_what, count, value) => {
    expect(errorOf(withValues(count, value)).name).toBe('AnswerTooLargeError');
  });
});

function form(body: string | Buffer, contentType?: string): string {
  return formOf({ ...answer(''), contentType, body: Buffer.from(body) });
}

describe('what is said of an answer that cannot be read', () => {
  it.each([
    ['<!DOCTYPE html>\n<title>canary</title>', 'it begins like HTML'],
    ['\uFEFF \n<HTML lang="ar">canary', 'it begins like HTML'],
    ['<?xml version="1.0"?><canary/>', 'it begins like XML'],
    [gzipSync('canary'), 'it begins like gzip, which was not announced or is cut off'],
    ['', 'it is empty'],
    ['{"status":true,"canary":', 'it begins like JSON'],
    ['canary', 'it begins with other bytes'],
    [Buffer.from([0, 255, 31, 139]), 'it begins with other bytes'],
  ])('is the kind of its first bytes: %j', (body, said) => {
    expect(form(body)).toBe(`HTTP 200, no content type, ${said}`);
  });

  it.each([
    ['text/html', 'text/html'],
    ['Text/HTML; charset=canary', 'text/html'],
    ['application/problem+json ;canary', 'application/problem+json'],
    ['canary', 'another content type'],
    ['canary secret/x', 'another content type'],
    [`text/${'x'.repeat(50)}`, 'another content type'],
    ['text/x canary', 'another content type'],
  ])('is its content type, if it looks like one: %j', (contentType, said) => {
    expect(form('', contentType)).toBe(`HTTP 200, ${said}, it is empty`);
  });
});

const record = z.object({ id: z.number(), inner: z.object({ name: z.string() }) });
const RIGHT = { id: 1, inner: { name: 'a' }, more: true };
const WRONG = { id: 1, inner: { name: 2 } };
const REASON = 'must be string';

/** The first issue as its path and its text. */
function firstOf(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
}

describe('records as they were sent', () => {
  it('are the same objects, in the same list', () => {
    expect(asSent(record).parse(RIGHT)).toBe(RIGHT);
    const list = [RIGHT, RIGHT];
    expect(listAsSent(record).parse(list)).toBe(list);
    expect(list[0]).toBe(RIGHT);
  });

  it('are refused with the path in it, wherever one stands, for the first wrong one only', () => {
    expect(firstOf(asSent(record), WRONG)).toBe(`inner.name: ${REASON}`);
    expect(firstOf(z.object({ one: asSent(record) }), { one: WRONG })).toBe(`one.inner.name: ${REASON}`);
    const around = asSent(z.object({ list: listAsSent(record) }));
    expect(firstOf(around, { list: [RIGHT, WRONG] })).toBe(`list.1.inner.name: ${REASON}`);
    const { error } = listAsSent(record).safeParse([RIGHT, WRONG, WRONG]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[1, 'inner', 'name']]);
  });

  it.each([undefined, null, { 0: 1 }, 'x', 7])('are no list: %j', (value) => {
    expect(firstOf(listAsSent(record), value)).toBe(': must be array');
  });
});

describe('a count', () => {
  const MOST = 1e12;

  it.each([0, 1, MOST, '0', '12', '007', '999999999999'])('is read: %j', (value) => {
    expect(countOf(value)).toBe(Number(value));
  });

  it('is unknown for everything else', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.integer({ min: -3, max: 3 }).map((near) => MOST + near),
      fc.stringMatching(/^[-+ ]?\d{0,14}[. ]?$/),
      fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, JSON.rawJSON('9007199254740993'), '١', '0x1'),
    );
    forAll([value], { numRuns: 2_000 }, (any) => {
      const isNumber = typeof any === 'number' && Number.isInteger(any) && any >= 0 && any <= MOST;
      const isCount = isNumber || (typeof any === 'string' && /^\d{1,12}$/.test(any));
      expect(countOf(any)).toBe(isCount ? Number(any) : null);
    });
  });
});
