import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { Behaviour } from '#sandbox/payments/index.ts';
import { UsageError } from './terminal/terminal.ts';

/** The faults by name, for `--help` and for {@link readFaults}. */
export const FAULTS = [
  { name: '429', does: 'answers 429 (too many requests) a dozen times' },
  { name: 'resets', does: 'cuts six connections, half of them within an answer' },
  { name: 'slow', does: 'takes 1.5 s for each of ten pages' },
  { name: 'shift', does: 'adds new invoices to the first page while we read' },
  { name: 'wrong-total', does: 'states one invoice too many' },
  { name: 'expired-tokens', does: 'lets each token expire after 30 requests' },
  { name: 'down:<merchant>', does: 'is down for one merchant, e.g. down:700002' },
] as const;

type Broad = Exclude<(typeof FAULTS)[number]['name'], 'down:<merchant>'>;

export type NamedFault = { name: Broad } | { name: 'down'; merchantCode: string };

const BROAD = new Map<string, Broad>(
  FAULTS.flatMap(({ name }) => (name === 'down:<merchant>' ? [] : [[name, name] as const])),
);

/**
 * Reads `--faults`: names separated by commas; empty means none.
 *
 * @throws {UsageError} for an unknown name, or a merchant that is not in this run
 */
export function readFaults(list: string, merchants: number): NamedFault[] {
  const codes = Array.from({ length: merchants }, (_, index) => sandboxMerchant(index).merchantCode);
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names)].flatMap((name): NamedFault[] => {
    if (name === '') return [];
    const broad = BROAD.get(name);
    if (broad !== undefined) return [{ name: broad }];
    const merchantCode = /^down:(.*)$/s.exec(name)?.[1];
    if (merchantCode !== undefined && codes.includes(merchantCode)) return [{ name: 'down', merchantCode }];
    if (merchantCode !== undefined) {
      throw new UsageError(`--faults: there is no merchant ${JSON.stringify(merchantCode)} in this run`);
    }
    const known = FAULTS.map((fault) => fault.name).join(', ');
    throw new UsageError(`--faults knows ${known}, not ${JSON.stringify(name)}`);
  });
}

/** What the service is going to do. */
export function faultWords(fault: NamedFault): string {
  if (fault.name === 'down') return `the service is down for ${fault.merchantCode}`;
  const does = FAULTS.find(({ name }) => name === fault.name)?.does ?? '';
  return `${fault.name}: the service ${does}`;
}

/** Makes the payments sandbox misbehave. All faults end after a while, except `wrong-total`, `expired-tokens` and `down`. */
export function switchOn(faults: readonly NamedFault[], behaviour: Behaviour): void {
  for (const fault of faults) {
    switch (fault.name) {
      case '429':
        behaviour.faults.add({
          operation: 'invoices',
          skip: 5,
          times: 12,
          action: { kind: 'status', status: 429, retryAfter: 1 },
        });
        break;
      case 'resets':
        behaviour.faults.add({ operation: 'invoices', skip: 4, times: 3, action: { kind: 'reset' } });
        behaviour.faults.add({ operation: 'invoices', skip: 9, times: 3, action: { kind: 'half-body' } });
        break;
      case 'slow':
        behaviour.faults.add({
          operation: 'invoices',
          skip: 8,
          times: 10,
          action: { kind: 'delay', milliseconds: 1_500 },
        });
        break;
      case 'shift':
        // Early, because an invoice that arrives while the last page is read belongs to the next report.
        behaviour.shift = { every: 3, times: 2, invoices: 2 };
        break;
      case 'wrong-total':
        behaviour.wrongTotal = 1;
        break;
      case 'expired-tokens':
        behaviour.tokenDiesEvery = 30;
        break;
      case 'down':
        // The service asks for a longer wait than the client accepts, so the client gives up at once.
        behaviour.faults.add({
          merchantCode: fault.merchantCode,
          times: Infinity,
          action: { kind: 'status', status: 503, retryAfter: 3_600 },
        });
        break;
    }
  }
}
