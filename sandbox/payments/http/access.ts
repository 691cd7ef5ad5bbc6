import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { holdsFor } from './behaviour.ts';
import { decrypt } from './cipher.ts';
import { Refusal } from './envelopes.ts';
import { parseJson } from '../json.ts';
import type { SandboxMerchant } from '../day/merchant.ts';
import type { Service } from '../service.ts';

const payload = z.object({ merchantCode: z.string() });

function isJson(header: string | undefined): boolean {
  return (
    header?.split(',').some((type) => type.trim().toLowerCase().split(';')[0] === 'application/json') ?? false
  );
}

export function merchantByAccessCode(
  service: Pick<Service, 'merchants'>,
  headers: IncomingHttpHeaders,
): SandboxMerchant | undefined {
  return service.merchants.find((merchant) => merchant.accessCode === headers['accesscode']);
}

/** Checks the token first, then access code, headers and payload (docs/contract.md, 5). Throws a Refusal. */
export function authenticate(
  service: Service,
  headers: IncomingHttpHeaders,
  data: string | null,
): SandboxMerchant {
  const { behaviour, tokens } = service;
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined) throw new Refusal('unauthorized', 'there is no Authorization: Bearer header');
  const token = tokens.use(bearer);
  if ('refusal' in token) throw new Refusal('unauthorized', token.refusal);
  if (holdsFor(behaviour.accessRefused, token.merchantCode))
    throw new Refusal('unauthorized', 'accessRefused is on');

  const merchant = merchantByAccessCode(service, headers);
  if (merchant === undefined) throw new Refusal('forbidden', 'the accessCode header is missing or unknown');
  if (merchant.merchantCode !== token.merchantCode) {
    throw new Refusal('forbidden', 'the access code and the token belong to different merchants');
  }

  if (!isJson(headers.accept) || !isJson(headers['content-type'])) {
    throw new Refusal('invalidData', 'Accept and Content-Type are not both application/json');
  }

  if (data === null) throw new Refusal('invalidData', 'there is no data parameter');
  const text = decrypt(data, service.cipherOf(merchant.merchantCode));
  if (text === undefined)
    throw new Refusal('invalidData', 'data cannot be decrypted with the key of this merchant');
  const parsed = payload.safeParse(parseJson(text));
  if (!parsed.success) throw new Refusal('invalidData', 'data is not {"merchantCode":"…"}');
  if (parsed.data.merchantCode !== merchant.merchantCode) {
    throw new Refusal('forbidden', 'data holds the code of another merchant');
  }
  return merchant;
}
