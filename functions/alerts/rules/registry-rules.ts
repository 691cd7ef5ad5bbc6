import { isMembers } from '#records/json/exact-json.ts';
import { usableCode } from '#registry/registry.ts';
import type { MerchantProblem, Problem } from '#registry/problem.ts';
import type { Registry } from '#registry/registry.ts';
import { readRules } from './rule.ts';

function alertsOf(entry: unknown): readonly unknown[] {
  return isMembers(entry) && Array.isArray(entry.alerts) ? entry.alerts : [];
}

export interface RegistryRules {
  leftOut: number;
  problems: MerchantProblem[];
  unknown: MerchantProblem[];
}

/** A registry stays the same object until it changes. */
const looked = new WeakMap<object, RegistryRules>();

/** Checks all rules of a registry, those of `defaults` once. Paths: `merchants[3].alerts[1].above`. */
export function rulesOfRegistry(registry: Pick<Registry, 'defaults' | 'merchants'>): RegistryRules {
  const known = looked.get(registry);
  if (known !== undefined) return known;
  const rules: RegistryRules = { leftOut: 0, problems: [], unknown: [] };
  const look = (owner: unknown, at: readonly PropertyKey[], merchantCode: string | null) => {
    const { leftOut, problems, unknown } = readRules(alertsOf(owner), [...at, 'alerts']);
    const ofMerchant = (problem: Problem) => ({ ...problem, merchantCode });
    rules.leftOut += leftOut;
    // One by one: a call with some hundred thousand arguments overflows the stack.
    for (const problem of problems) rules.problems.push(ofMerchant(problem));
    for (const problem of unknown) rules.unknown.push(ofMerchant(problem));
  };
  look(registry.defaults, ['defaults'], null);
  for (const [index, entry] of registry.merchants.entries()) {
    look(entry, ['merchants', index], usableCode(entry));
  }
  looked.set(registry, rules);
  return rules;
}
