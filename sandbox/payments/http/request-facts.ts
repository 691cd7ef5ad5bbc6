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

export function operationOf(method: string, path: string): Operation {
  return PATHS.find((known) => known.method === method && known.path.test(path))?.operation ?? 'other';
}
