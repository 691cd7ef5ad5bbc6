import { allMerchants } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';
import type { StatementMessage } from '#runtime/queue-message.ts';
import { dueStatements, type PlannedStatements } from '#functions/plan/statements/due-statements.ts';
import type { ListedBucket } from './listed-bucket.ts';
import { registryText } from './merchants.ts';

/** A registry of these merchants and groups, with looks at a bucket. */
export function looksAt(
  bucket: ListedBucket,
  { merchants, groups = [], defaults = {} }: LookedRegistry,
): Looks {
  const registry = parseRegistry(registryText(merchants, { groups, defaults }));
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
  return { look, names: async (at, options) => (await look(at, options)).items.map(nameOfItem) };
}

interface LookedRegistry {
  merchants: Record<string, unknown>[];
  groups?: Record<string, unknown>[];
  defaults?: Record<string, unknown>;
}

interface LookOptions {
  send?: boolean;
  withPages?: boolean;
  withUnchanged?: boolean;
}

interface Looks {
  look: (at: string | number, options?: LookOptions) => Promise<PlannedStatements>;
  /** What is due, such as `700001 2026-W47` or `shops 2026-11 (no mail)`. */
  names: (at: string | number, options?: LookOptions) => Promise<string[]>;
}

function nameOfItem({ merchantCode, group, period, send }: StatementMessage): string {
  return `${merchantCode ?? group} ${period}${send ? '' : ' (no mail)'}`;
}
