import { afterAll, describe, expect, it } from 'vitest';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { seal, signIn, type Odd, type Query } from '#support/payments/signed-in-client.ts';
import { textLike } from '#support/assertions/text-like.ts';

const DAY = '2026-11-20';
const merchant = sandboxMerchant(0);
const other = sandboxMerchant(1);

const FORBIDDEN = '{"status":false,"message":"Forbidden Access","response":null}';
const NOT_FOUND =
  '{"status":false,"message":"Request not found, Please verify the request data","response":null}';
const INVALID = '{"status":false,"code":506,"message":"Invalid Request Data","response":null}';

const sandbox = await startPaymentsSandbox({ merchants: [merchant, other] });
const strangersRefund = sandbox.data.insertRefund(other.merchantCode, DAY);
const client = await signIn(sandbox, merchant);
afterAll(() => sandbox.close());

const mine = (text: string): string => seal(text, merchant.cipher);

const refusals: [string, Odd, number, string, RegExp][] = [
  ['no token', { token: null }, 401, FORBIDDEN, /no Authorization/],
  ['an unknown token', { token: 'x' }, 401, FORBIDDEN, /token is unknown/],
  ['no access code', { accessCode: null }, 403, FORBIDDEN, /accessCode header/],
  ['an unknown access code', { accessCode: 'x' }, 403, FORBIDDEN, /accessCode header/],
  ["another merchant's access code", { accessCode: other.accessCode }, 403, FORBIDDEN, /different merchants/],
  ['an Accept that is not JSON', { headers: { accept: '*/*' } }, 422, INVALID, /Accept and Content-Type/],
  [
    'a Content-Type that is not JSON',
    { headers: { 'content-type': 'text/plain' } },
    422,
    INVALID,
    /Accept and Content/,
  ],
  ['no payload', { data: null }, 422, INVALID, /no data parameter/],
  ['a payload in clear text', { data: '{"merchantCode":"700001"}' }, 422, INVALID, /cannot be decrypted/],
  [
    "another key's payload",
    { data: seal('{"merchantCode":"700001"}', other.cipher) },
    422,
    INVALID,
    /cannot be decr/,
  ],
  ['a payload that is not JSON', { data: mine('700001') }, 422, INVALID, /data is not/],
  ['a payload of another shape', { data: mine('{"merchantCode":700001}') }, 422, INVALID, /data is not/],
  [
    "another merchant's code",
    { data: mine('{"merchantCode":"700002"}') },
    403,
    FORBIDDEN,
    /another merchant/,
  ],
];

describe.each(['/api/v1/invoice-dashboard', '/api/v1/refund/', '/api/v1/refund/1'])(
  'a request to %s',
  (path) => {
    it.each(refusals)('is refused with %s', async (_what, odd, status, text, refusal) => {
      const answer = await client.get(path, {}, odd);
      expect(answer).toMatchObject({ status, text, encrypted: false });
      expect(sandbox.requests.at(-1)).toMatchObject({
        path,
        status,
        refusal: textLike(refusal),
      });
    });
  },
);

describe('a request for data', () => {
  it.each<Query>([
    { fromDate: '2026-02-30' },
    { toDate: '20-11-2026' },
    { page: '0' },
    { page: 'x' },
    { page: '-1' },
    { invoiceType: '2' },
  ])('is answered with error 506 for %j', async (query) => {
    expect(await client.invoices(query)).toMatchObject({ status: 422, text: INVALID });
  });

  it.each(['1', '999999999999999999999999', 'abc', '0x1', '%20'])('finds no refund %s', async (id) => {
    expect(await client.refund(id)).toMatchObject({ status: 404, text: NOT_FOUND });
  });

  it("does not find another merchant's refund", async () => {
    expect(await client.refund(strangersRefund)).toMatchObject({ status: 404, text: NOT_FOUND });
    const owner = await signIn(sandbox, other);
    expect((await owner.refund(strangersRefund)).body).toMatchObject({ response: { id: strangersRefund } });
  });

  it('is answered with an error for any other path or method', async () => {
    expect(await client.get('/api/v2/refund/1')).toMatchObject({ status: 404, text: NOT_FOUND });
    const posted = await client.fetch('/api/v1/refund/', {}, {}, { method: 'POST', body: '{}' });
    expect([posted.status, await posted.text()]).toEqual([404, NOT_FOUND]);
    expect(sandbox.requests.at(-1)?.operation).toBe('other');
  });
});

it("the behaviour of error answers sends the contract's server error for a failure of the sandbox itself", async () => {
  sandbox.behaviour.extraEnvelopeFields = { notJson: 1n };
  const answer = await client.invoices();
  sandbox.behaviour.extraEnvelopeFields = {};
  expect(answer).toMatchObject({ status: 500, text: '{"message":"Internal server error occurred"}' });
});

const rotated = { algorithm: 'aes-256-cbc', key: 'R'.repeat(32), iv: 'r'.repeat(16) } as const;

it('a rotation of the cipher refuses a key of the wrong length without printing it', () => {
  expect(() => sandbox.rotate(merchant.merchantCode, { ...rotated, key: 'secret' })).toThrow(
    "merchant 700001: the cipher's key is not 32 bytes long",
  );
});
