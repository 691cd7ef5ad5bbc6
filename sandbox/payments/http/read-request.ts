import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { merchantByAccessCode } from './access.ts';
import { parseJson } from '../json.ts';
import type { ServiceRequest } from './operations.ts';
import { operationOf } from './request-facts.ts';
import type { Service } from '../service.ts';

const loginBody = z.object({ username: z.string() });
const refreshBody = z.object({ refreshToken: z.string() });

function merchantOf(
  { merchants, tokens }: Service,
  request: IncomingMessage,
  body: string,
): string | undefined {
  const json = parseJson(body);
  const login = loginBody.safeParse(json).data;
  if (login !== undefined) return merchants.find(({ username }) => username === login.username)?.merchantCode;
  const refresh = refreshBody.safeParse(json).data;
  if (refresh !== undefined) return tokens.ownerOf(refresh.refreshToken);
  return merchantByAccessCode({ merchants }, request.headers)?.merchantCode;
}

/** The content of a request before any check. The payload is separate. */
export function readRequest(service: Service, request: IncomingMessage, body: string): ServiceRequest {
  const [path = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
  const { data = null, ...query } = Object.fromEntries(new URLSearchParams(search));
  const method = request.method ?? '';
  const merchantCode = merchantOf(service, request, body);
  const page = Number(query['page'] ?? '1');
  const operation = operationOf(method, path);
  const facts = { method, path, operation, query, page, ...(merchantCode !== undefined && { merchantCode }) };
  return { facts, headers: request.headers, data, body };
}
