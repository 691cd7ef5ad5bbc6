import * as z from 'zod';
import { holdsFor } from './behaviour.ts';
import { envelope, Refusal } from './envelopes.ts';
import { parseJson } from '../json.ts';
import type { Service } from '../service.ts';

const credentials = z.object({ username: z.string(), password: z.string() });
const renewal = z.object({ refreshToken: z.string() });

function parse<T>(schema: z.ZodType<T>, body: string, shape: string): T {
  const parsed = schema.safeParse(parseJson(body));
  if (!parsed.success) throw new Refusal('invalidData', `the body is not ${shape}`);
  return parsed.data;
}

function tokenEnvelope({ tokens, behaviour }: Service, merchantCode: string): string {
  return envelope(
    'Success',
    JSON.stringify({ token: tokens.issue(merchantCode) }),
    behaviour.extraEnvelopeFields,
  );
}

/** `POST /api/v1/login` (published). Throws a Refusal: "Invalid Signature." for a wrong username or password. */
export function login(service: Service, body: string): string {
  const { username, password } = parse(credentials, body, '{"username":"…","password":"…"}');
  const merchant = service.merchants.find((candidate) => candidate.username === username);
  if (merchant?.password !== password)
    throw new Refusal('invalidSignature', 'the username or the password is wrong');
  if (holdsFor(service.behaviour.loginRefused, merchant.merchantCode)) {
    throw new Refusal('invalidSignature', 'loginRefused is on');
  }
  return tokenEnvelope(service, merchant.merchantCode);
}

/** `POST /api/v1/token-refresh` (published). Throws a Refusal for a refresh token that is unknown or already used. */
export function refresh(service: Service, body: string): string {
  const { refreshToken } = parse(renewal, body, '{"refreshToken":"…"}');
  const merchantCode = service.tokens.redeem(refreshToken);
  if (merchantCode === undefined)
    throw new Refusal('notFound', 'the refresh token is unknown or was used before');
  if (holdsFor(service.behaviour.refreshRefused, merchantCode))
    throw new Refusal('notFound', 'refreshRefused is on');
  return tokenEnvelope(service, merchantCode);
}
