import { gzipSync } from 'node:zlib';
import type { PaymentsFault, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import type { Random } from '#sandbox/payments/day/random.ts';

/** Faults of the service on a request. None of them makes a run wait for long. */
function action(random: Random): PaymentsFaultAction {
  const when = random.pick(['before', 'after'] as const);
  return random.pick<PaymentsFaultAction>([
    {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': random.pick(['0', '0', '0', '1', '-5', 'soon']) },
    },
    { kind: 'status', status: random.pick([429, 500, 502, 503, 504]) },
    { kind: 'status', status: 200 },
    { kind: 'server-error', status: random.pick([200, 500]) },
    { kind: 'reset', when },
    { kind: 'half-body' },
    { kind: 'cut-json' },
    { kind: 'html' },
    { kind: 'html', status: 200 },
    { kind: 'gzip' },
    { kind: 'content-type', value: 'text/html' },
    { kind: 'delay', milliseconds: 1 + random.below(60) },
    { kind: 'replace', body: (text) => gzipSync(text) },
    { kind: 'replace', body: (text) => `\uFEFF${text}` },
  ]);
}

/** The faults of one tick on a merchant's requests. Usually there are none. */
export function drawServiceFaults(merchantCode: string, random: Random): PaymentsFault[] {
  if (!random.chance(30)) return [];
  return Array.from({ length: 1 + random.below(4) }, () => ({
    merchantCode,
    operation: random.pick(['login', 'invoices', 'invoices', 'refunds', 'refund'] as const),
    skip: random.below(6),
    times: 1 + random.below(4),
    action: action(random),
  }));
}
