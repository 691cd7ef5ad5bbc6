import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { post, seal, signIn, tokenOf, type Odd, type Query } from '#support/payments/running-service.ts';
import { textLike } from '#support/assertions/index.ts';
import * as z from 'zod';

const merchant = sandboxMerchant(0);
const other = sandboxMerchant(1);
const { username, password } = merchant;

const refused = (message: string) => ({ status: false, message, response: null });
const FORBIDDEN = refused('Forbidden Access');
const NOT_FOUND = refused('Request not found, Please verify the request data');
const INVALID = { status: false, code: 506, message: 'Invalid Request Data', response: null };
const BODIES: Record<number, object> = { 401: FORBIDDEN, 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID };

let time = 1_795_000_000_000;
const sandbox = await startPaymentsSandbox({ merchants: [merchant, other], now: () => time });
const strangersRefund = sandbox.data.insertRefund(other.merchantCode, '2026-11-20');
const client = await signIn(sandbox, merchant);
afterAll(() => sandbox.close());

/** The error body that the contract has for an HTTP status, as bytes. */
const refusal = (status: number) => ({ status, text: JSON.stringify(BODIES[status]), encrypted: false });
const mine = (text: string): string => seal(text, merchant.cipher);

describe.each(['/api/v1/invoice-dashboard', '/api/v1/refund/', '/api/v1/refund/1'])(
  'a request to %s',
  (path) => {
    it.each<[string, Odd, number, RegExp]>([
      ['no token', { token: null }, 401, /no Authorization/],
      ['an unknown token', { token: 'x' }, 401, /token is unknown/],
      ['no access code', { accessCode: null }, 403, /accessCode header/],
      ['an unknown access code', { accessCode: 'x' }, 403, /accessCode header/],
      ["another merchant's access code", { accessCode: other.accessCode }, 403, /different merchants/],
      ['an Accept that is not JSON', { headers: { accept: '*/*' } }, 422, /Accept and Content-Type/],
      ['a Content-Type that is not JSON', { headers: { 'content-type': 'text/plain' } }, 422, /Accept and/],
      ['no payload', { data: null }, 422, /no data parameter/],
      ['a payload in clear text', { data: '{"merchantCode":"700001"}' }, 422, /cannot be decrypted/],
      [
        "another key's payload",
        { data: seal('{"merchantCode":"700001"}', other.cipher) },
        422,
        /cannot be dec/,
      ],
      ['a payload that is not JSON', { data: mine('700001') }, 422, /data is not/],
      ['a payload of another shape', { data: mine('{"merchantCode":700001}') }, 422, /data is not/],
      ["another merchant's code", { data: mine('{"merchantCode":"700002"}') }, 403, /another merchant/],
    ])('is refused with %s', async (_what, odd, status, why) => {
      expect(await client.get(path, {}, odd)).toMatchObject(refusal(status));
      expect(sandbox.requests.at(-1)).toMatchObject({ path, status, refusal: textLike(why) });
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
    expect(await client.invoices(query)).toMatchObject(refusal(422));
  });

  it.each(['1', '999999999999999999999999', 'abc', '0x1', '%20', `${strangersRefund}`])(
    'finds no refund %s',
    async (id) => {
      expect(await client.refund(id)).toMatchObject(refusal(404));
    },
  );

  it("finds a refund with its own merchant's token", async () => {
    const { body } = await (await signIn(sandbox, other)).refund(strangersRefund);
    expect(body).toMatchObject({ response: { id: strangersRefund } });
  });

  it('is answered with an error for any other path or method', async () => {
    expect(await client.get('/api/v2/refund/1')).toMatchObject(refusal(404));
    const posted = await client.fetch('/api/v1/refund/', {}, {}, { method: 'POST', body: '{}' });
    expect([posted.status, await posted.json()]).toEqual([404, NOT_FOUND]);
    expect(sandbox.requests.at(-1)?.operation).toBe('other');
  });

  it("is answered with the contract's server error for a failure of the sandbox itself", async () => {
    sandbox.behaviour.extraEnvelopeFields = { notJson: 1n };
    const answer = await client.invoices();
    sandbox.behaviour.extraEnvelopeFields = {};
    expect(answer).toMatchObject({ status: 500, text: '{"message":"Internal server error occurred"}' });
  });
});

describe('a login', () => {
  it('gives the published token object', async () => {
    const text = textLike(/^[\w-]{40}$/);
    const token = { token_type: 'Bearer', expires_in: 900, access_token: text, refresh_token: text };
    expect(await post(sandbox, '/api/v1/login', { username, password })).toMatchObject({
      status: 200,
      body: { status: true, message: 'Success', response: { token } },
    });
  });

  it.each([
    ['an unknown username', { username: 'nobody', password }],
    ['a wrong password', { username, password: 'x' }],
    ["another merchant's password", { username, password: other.password }],
  ])('is refused with %s', async (_what, credentials) => {
    const answer = { status: 404, body: refused('Invalid Signature.') };
    expect(await post(sandbox, '/api/v1/login', credentials)).toMatchObject(answer);
  });

  it.each(['{', '[]', '{"username":1,"password":2}'])('is answered with error 506 to %s', async (body) => {
    expect((await post(sandbox, '/api/v1/login', body)).body).toEqual(INVALID);
  });
});

describe('a token', () => {
  it.each([900, 5])('lives for %i seconds, as the behaviour says', async (seconds) => {
    sandbox.behaviour.tokenLifetimeMilliseconds = seconds * 1_000;
    const signedIn = await signIn(sandbox, merchant);
    expect(signedIn.token.expires_in).toBe(seconds);
    time += seconds * 1_000 - 1;
    expect((await signedIn.invoices()).status).toBe(200);
    time += 1;
    expect(await signedIn.invoices()).toMatchObject(refusal(401));
    expect(sandbox.requests.at(-1)?.refusal).toBe('the access token has expired');
  });

  it('is given for a refresh token, once', async () => {
    const before = await tokenOf(sandbox, merchant);
    const body = { refreshToken: before.refresh_token };
    const first = await post(sandbox, '/api/v1/token-refresh', body);
    const renewed = z.object({ response: z.object({ token: z.object({ access_token: z.string() }) }) });
    const token = renewed.parse(first.body).response.token.access_token;
    expect(token).not.toBe(before.access_token);
    const signedIn = await signIn(sandbox, merchant);
    expect((await signedIn.invoices({}, { token })).status).toBe(200);
    expect(await post(sandbox, '/api/v1/token-refresh', body)).toMatchObject({
      status: 404,
      body: NOT_FOUND,
    });
  });
});
