import { isMembers } from '../json/exact-json.ts';
import { usableCode } from '../registry/merchant-codes.ts';
import type { MerchantProblem, Problem } from '../registry/problem.ts';
import type { Registry } from '../registry/registry.ts';
import { readRules } from './rule.ts';

/** The rules in an entry. An entry whose rules are not a list is reported elsewhere. */
function alertsOf(entry: unknown): readonly unknown[] {
  return isMembers(entry) && Array.isArray(entry.alerts) ? entry.alerts : [];
}

/** What is wrong with the rules of a registry, each by its place in the registry. */
export interface RegistryRules {
  /** The number of rules that are left out. A rule in `defaults` counts once. */
  leftOut: number;
  problems: MerchantProblem[];
  /** Members of rules that this version does not know. */
  unknown: MerchantProblem[];
}

/**
 * The result for each registry. A registry stays the same object until it changes, and ten thousand merchants
 * have many rules.
 */
const looked = new WeakMap<object, RegistryRules>();

/**
 * Checks all rules of a registry. Rules of `defaults` are checked once, however many merchants inherit them.
 * Paths: `merchants[3].alerts[1].above`, `defaults.alerts[0].measure`.
 */
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
