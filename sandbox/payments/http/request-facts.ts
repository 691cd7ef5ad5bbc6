import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { merchantByAccessCode } from './access.ts';
import { parseJson } from '../json.ts';
import type { ServiceRequest } from './operations.ts';
import type { Service } from '../service.ts';

/** The operations of the service; 'other' is any other path or method. */
export type Operation = 'login' | 'refresh' | 'invoices' | 'refund' | 'refunds' | 'transactions' | 'other';

/** The facts about a request that faults and latency may use. */
export interface RequestFacts {
  method: string;
  path: string;
  operation: Operation;
  /** The query without `data`. */
  query: Record<string, string>;
  /** `page` of the query; default 1. */
  page: number;
  /** Found by the access code, or by the username at login. */
  merchantCode?: string;
}

const PATHS: readonly { method: string; path: RegExp; operation: Operation }[] = [
  { method: 'POST', path: /^\/api\/v1\/login$/, operation: 'login' },
  { method: 'POST', path: /^\/api\/v1\/token-refresh$/, operation: 'refresh' },
  { method: 'GET', path: /^\/api\/v1\/invoice-dashboard$/, operation: 'invoices' },
  { method: 'GET', path: /^\/api\/v1\/refund\/?$/, operation: 'refunds' },
  { method: 'GET', path: /^\/api\/v1\/refund\/[^/]+$/, operation: 'refund' },
  { method: 'GET', path: /^\/api\/v1\/report\/transactions$/, operation: 'transactions' },
];

function operationOf(method: string, path: string): Operation {
  return PATHS.find((known) => known.method === method && known.path.test(path))?.operation ?? 'other';
}

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
