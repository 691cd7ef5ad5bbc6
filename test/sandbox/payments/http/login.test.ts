import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { post, signIn, tokenOf } from '#support/payments/signed-in-client.ts';
import { textLike } from '#support/assertions/text-like.ts';
import * as z from 'zod';

const merchant = sandboxMerchant(0);
const other = sandboxMerchant(1);
const { username, password } = merchant;

const INVALID_SIGNATURE = { status: false, message: 'Invalid Signature.', response: null };
const NOT_FOUND = {
  status: false,
  message: 'Request not found, Please verify the request data',
  response: null,
};
const FORBIDDEN = { status: false, message: 'Forbidden Access', response: null };

let sandbox: PaymentsSandbox;
let time = 1_795_000_000_000;

beforeEach(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant, other], now: () => time });
});
afterEach(() => sandbox.close());

describe('login', () => {
  it('gives the published token object', async () => {
    const { status, body } = await post(sandbox, '/api/v1/login', { username, password });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      message: 'Success',
      response: {
        token: {
          token_type: 'Bearer',
          expires_in: 900,
          access_token: textLike(/^[\w-]{40}$/),
          refresh_token: textLike(/^[\w-]{40}$/),
        },
      },
    });
  });

  it.each([
    ['an unknown username', { username: 'nobody', password }],
    ['a wrong password', { username, password: 'x' }],
    ["another merchant's password", { username, password: other.password }],
  ])('refuses %s', async (_what, credentials) => {
    expect(await post(sandbox, '/api/v1/login', credentials)).toMatchObject({
      status: 404,
      body: INVALID_SIGNATURE,
    });
  });

  it.each(['{', '[]', '{"username":1,"password":2}'])('answers 506 to %s', async (body) => {
    expect((await post(sandbox, '/api/v1/login', body)).body).toMatchObject({ code: 506 });
  });
});

describe('a token', () => {
  it('lives 15 minutes', async () => {
    const client = await signIn(sandbox, merchant);
    time += 899_999;
    expect((await client.invoices()).body).toMatchObject({ status: true });
    time += 1;
    expect(await client.invoices()).toMatchObject({ status: 401, body: FORBIDDEN });
    expect(sandbox.requests.at(-1)?.refusal).toBe('the access token has expired');
  });

  it('lives as long as the behaviour says', async () => {
    sandbox.behaviour.tokenLifetimeMilliseconds = 5_000;
    const client = await signIn(sandbox, merchant);
    expect(client.token.expires_in).toBe(5);
    time += 5_000;
    expect((await client.invoices()).body).toEqual(FORBIDDEN);
  });
});

const renewedSchema = z.object({
  response: z.object({ token: z.object({ access_token: z.string() }) }),
});

it('refresh gives a new token for a refresh token, once', async () => {
  const { refresh_token, access_token } = await tokenOf(sandbox, merchant);
  const first = await post(sandbox, '/api/v1/token-refresh', { refreshToken: refresh_token });
  expect(first).toMatchObject({ status: 200, body: { status: true, message: 'Success' } });
  const renewed = renewedSchema.parse(first.body).response.token.access_token;
  expect(renewed).not.toBe(access_token);
  const client = await signIn(sandbox, merchant);
  expect((await client.invoices({}, { token: renewed })).status).toBe(200);

  const second = await post(sandbox, '/api/v1/token-refresh', { refreshToken: refresh_token });
  expect(second).toMatchObject({ status: 404, body: NOT_FOUND });
});
