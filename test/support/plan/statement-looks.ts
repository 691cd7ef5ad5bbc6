import { allMerchants } from '#registry/merchants.ts';
import type { StatementMessage } from '#runtime/queue-message.ts';
import { dueStatements } from '#functions/plan/statements/due-statements.ts';
import type { ListedBucket } from './listed-bucket.ts';
import { registryOf } from './merchants.ts';

/** A registry of these merchants and groups, with looks at a bucket. */
export function looksAt(
  bucket: ListedBucket,
  { merchants, ...more }: { merchants: Record<string, unknown>[]; groups?: Record<string, unknown>[] },
) {
  const registry = registryOf(merchants, more);
  const { merchants: usable } = allMerchants(registry);
  const look = (at: string | number, { send = true, withPages = true, withUnchanged = false } = {}) => {
    const now = typeof at === 'number' ? at : Date.parse(at);
    const scheduledTime = new Date(now).toISOString();
    bucket.asked = [];
    const telemetry = {
      logError: (error: unknown) => {
        throw error;
      },
    };
    const ports = { statements: bucket, clock: { now: () => now }, telemetry };
    const event = { scheduledTime, send, byHand: withUnchanged, merchants: withPages ? undefined : [] };
    return dueStatements(ports, registry, usable, event);
  };
  /** What is due, such as `700001 2026-W47` or `shops 2026-11 (no mail)`. */
  const names = async (...asked: Parameters<typeof look>) => (await look(...asked)).items.map(nameOfItem);
  return { look, names };
}

function nameOfItem({ merchantCode, group, period, send }: StatementMessage): string {
  return `${merchantCode ?? group} ${period}${send ? '' : ' (no mail)'}`;
}
