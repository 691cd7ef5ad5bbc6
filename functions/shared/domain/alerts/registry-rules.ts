import * as z from 'zod';
import type { Registry } from '../registry/registry.ts';
import type { Rejection } from '../registry/merchants.ts';
import { readRules } from './rule.ts';

const alertsSchema = z.lazy(() => z.object({ alerts: z.array(z.unknown()) }));

/** The rules that an entry itself has; whether they are a list at all is the entry's own question. */
function alertsOf(entry: unknown): unknown[] {
  return alertsSchema.safeParse(entry).data?.alerts ?? [];
}

/** What is wrong with rules of a registry, each by the path at which it stands there. */
export interface RegistryRules {
  rejected: Rejection[];
  unknownMembers: string[];
}

/** A registry stays the same object until it changes, and ten thousand merchants have many rules. */
const looked = new WeakMap<Registry, RegistryRules>();

/**
 * Looks at all rules of a registry, those of `defaults` once, whoever inherits them: `merchants[3].alerts[1].above`,
 * `defaults.alerts[0].measure`.
 */
export function rulesOfRegistry(registry: Registry): RegistryRules {
  const known = looked.get(registry);
  if (known !== undefined) return known;
  const read = [
    readRules(alertsOf(registry.defaults), ['defaults', 'alerts']),
    ...registry.merchants.map((entry, index) => readRules(alertsOf(entry), ['merchants', index, 'alerts'])),
  ];
  const rules = {
    rejected: read.flatMap(({ rejected }) => rejected),
    unknownMembers: read.flatMap(({ unknownMembers }) => unknownMembers),
  };
  looked.set(registry, rules);
  return rules;
}
