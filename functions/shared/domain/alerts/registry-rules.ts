import * as z from 'zod';
import type { Registry } from '../registry/registry.ts';
import type { Rejection } from '../registry/merchants.ts';
import { readRules } from './rule.ts';

const alertsSchema = z.lazy(() => z.object({ alerts: z.array(z.unknown()) }));

/** The rules in an entry. An entry whose rules are not a list is reported elsewhere. */
function alertsOf(entry: unknown): unknown[] {
  return alertsSchema.safeParse(entry).data?.alerts ?? [];
}

/** What is wrong with the rules of a registry, each by its path in the registry. */
export interface RegistryRules {
  rejected: Rejection[];
  unknownMembers: string[];
}

/**
 * The result for each registry. A registry stays the same object until it changes, and ten thousand merchants
 * have many rules.
 */
const looked = new WeakMap<Registry, RegistryRules>();

/**
 * Checks all rules of a registry. Rules of `defaults` are checked once, however many merchants inherit them.
 * Paths: `merchants[3].alerts[1].above`, `defaults.alerts[0].measure`.
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
