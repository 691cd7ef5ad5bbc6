import { unknownComparisons, COMPARISONS } from '#records/balance/comparisons.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isKnownColumn, knownColumnNames, redactSchema } from '#records/rows/redaction.ts';
import { usableCode, MOST_MERCHANTS } from './registry.ts';
import type { MerchantProblem, Problem } from './problem.ts';
import {
  MERGED_SCHEMAS,
  OWN_MEMBERS,
  merchantSchema,
  registrySchema,
  serviceSchema,
} from './registry-schema.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { monthlySchema, weeklySchema } from './statement-settings.ts';
import type * as z from 'zod';
import { unknownNames } from './problem.ts';
import { brandingSchema } from './branding.ts';
import { membersOf, MOST_GROUPS } from './groups.ts';
import { groupSchema, prefixSchema } from './group.ts';

/** Names of an object's members. Every call builds the schema again. */
function namesOf(schema: z.ZodLazy<z.ZodObject>): readonly string[] {
  return Object.keys(schema.unwrap().shape);
}

/** Names the JSON Schema of the file for editors. Daybook does not read it. */
const SCHEMA_MEMBER = '$schema';

function comparisonsOf(balance: unknown, at: readonly PropertyKey[]): Problem[] {
  return unknownComparisons(balance).map(({ index, name }) => {
    const reason = 'is not the name of a comparison and has no effect';
    return { at: [...at, 'ignore', index], reason, value: name, candidates: COMPARISONS };
  });
}

function columnsOf(owner: unknown, at: readonly PropertyKey[]): Problem[] {
  const columns = isMembers(owner) ? (redactSchema.safeParse(owner.redact).data ?? []) : [];
  return columns.flatMap((column, index) => {
    if (isKnownColumn(column)) return [];
    const reason = 'is not a column of the contract and has an effect only if the service sends it';
    return [{ at: [...at, 'redact', index], reason, value: column, candidates: knownColumnNames() }];
  });
}

interface Frame {
  readonly service?: unknown;
  readonly defaults: Record<string, unknown>;
  readonly merchants: readonly unknown[];
  readonly groups: readonly unknown[];
}

/** Unknown members, and names that mean nothing: reported without failure. `rulesOfRegistry` checks rules. */
export function unknownMembers(registry: Frame): MerchantProblem[] {
  const { service, defaults, merchants } = registry;
  const ofMerchant = namesOf(merchantSchema);
  const inner = Object.entries(MERGED_SCHEMAS).map(([name, schema]) => ({
    name,
    members: namesOf(schema),
  }));
  const times = { weekly: namesOf(weeklySchema), monthly: namesOf(monthlySchema) };
  const timesOf = (owner: unknown, at: readonly PropertyKey[]): Problem[] => {
    if (!isMembers(owner)) return [];
    return Object.entries(times).flatMap(([name, members]) =>
      unknownNames(members, owner[name], [...at, name]),
    );
  };
  const inEntry = (names: readonly string[], value: unknown, at: readonly PropertyKey[]): Problem[] => {
    if (!isMembers(value)) return [];
    return [
      ...unknownNames(names, value, at),
      ...inner.flatMap(({ name, members }) => unknownNames(members, value[name], [...at, name])),
      ...timesOf(value.statements, [...at, 'statements']),
      ...comparisonsOf(value.balance, [...at, 'balance']),
      ...columnsOf(value, at),
    ];
  };
  const found: MerchantProblem[] = [];
  // One by one: a call with some hundred thousand arguments overflows the stack.
  const add = (problems: readonly Problem[], merchantCode: string | null) => {
    for (const problem of problems) found.push({ ...problem, merchantCode });
  };
  add(unknownNames([...namesOf(registrySchema), SCHEMA_MEMBER], registry, []), null);
  add(unknownNames(namesOf(serviceSchema), service, ['service']), null);
  const inherited = ofMerchant.filter((name) => !OWN_MEMBERS.includes(name));
  const misplaced = 'is for one merchant and has no effect in the defaults';
  for (const problem of inEntry(inherited, defaults, ['defaults'])) {
    const isOwn = OWN_MEMBERS.includes(String(problem.at.at(-1))) && problem.at.length === 2;
    add([isOwn ? { ...problem, reason: misplaced, candidates: [] } : problem], null);
  }
  for (const [index, entry] of merchants.entries()) {
    add(inEntry(ofMerchant, entry, ['merchants', index]), usableCode(entry));
  }
  add(unknownInGroups(registry), null);
  return found;
}

interface Frame {
  readonly merchants: readonly unknown[];
  readonly groups: readonly unknown[];
}

function strangersIn(merchants: unknown, registry: Frame, at: readonly PropertyKey[]): Problem[] {
  if (Array.isArray(merchants)) {
    if (merchants.length > MOST_MERCHANTS) return [];
    const codes = merchants.filter((code) => typeof code === 'string' && MERCHANT_CODE.test(code));
    const unknown = new Set<unknown>(membersOf({ merchants: codes }, registry).unknown);
    return merchants.flatMap((code: unknown, index) => {
      if (!unknown.has(code)) return [];
      const reason = 'is the code of no merchant in the registry';
      return [{ at: [...at, index], reason, value: code, candidates: [] }];
    });
  }
  const given = prefixSchema.safeParse(merchants);
  if (!given.success || membersOf({ merchants: given.data }, registry).codes.length > 0) return [];
  const reason = 'finds no merchant in the registry';
  return [{ at: [...at, 'prefix'], reason, value: given.data.prefix, candidates: [] }];
}

/** Unknown members of groups, and merchants that the registry does not have. */
function unknownInGroups(registry: Frame): Problem[] {
  const names = namesOf(groupSchema);
  const inner = Object.entries({
    merchants: namesOf(prefixSchema),
    branding: namesOf(brandingSchema),
    weekly: namesOf(weeklySchema),
    monthly: namesOf(monthlySchema),
  });
  const found: Problem[] = [];
  for (const [index, group] of registry.groups.slice(0, MOST_GROUPS).entries()) {
    if (!isMembers(group)) continue;
    const at = ['groups', index];
    const lists = [
      unknownNames(names, group, at),
      ...inner.map(([name, members]) => unknownNames(members, group[name], [...at, name])),
      strangersIn(group.merchants, registry, [...at, 'merchants']),
    ];
    // One by one: a call with some hundred thousand arguments overflows the stack.
    for (const list of lists) for (const problem of list) found.push(problem);
  }
  return found;
}
