import * as z from 'zod';
import { unknownComparisons, COMPARISONS } from '#records/balance/comparisons.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isKnownColumn, knownColumnNames, redactSchema } from '#records/rows/redaction.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { groupSchema, membersOf, MOST_GROUPS, prefixSchema } from './groups.ts';
import { once } from './once.ts';
import { unknownNames } from './problem.ts';
import type { MerchantProblem, Problem } from './problem.ts';
import { OWN_MEMBERS, merchantSchema, registrySchema, serviceSchema } from './registry-schema.ts';
import { usableCode, MOST_MERCHANTS } from './registry.ts';

/** The names of an object's members, and the names in those that are objects. */
interface Names {
  own: readonly string[];
  inner: readonly (readonly [string, Names])[];
}

/** The schema of an object behind what is optional, has a default or is transformed. */
function objectIn(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectIn(schema.in);
  const isAround =
    schema instanceof z.ZodLazy ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodPrefault;
  return isAround ? objectIn(schema.unwrap()) : undefined;
}

function namesOf({ shape }: z.ZodObject): Names {
  const inner = Object.entries(shape).flatMap(([name, member]) => {
    const object = objectIn(member);
    return object === undefined ? [] : [[name, namesOf(object)] as const];
  });
  return { own: Object.keys(shape), inner };
}

/** Names the JSON Schema of the file for editors. Daybook does not read it. */
const SCHEMA_MEMBER = '$schema';

const known = once(() => {
  const merchant = namesOf(merchantSchema.unwrap());
  const group = namesOf(groupSchema.unwrap());
  return {
    frame: { own: [...Object.keys(registrySchema.unwrap().shape), SCHEMA_MEMBER], inner: [] },
    service: namesOf(serviceSchema.unwrap()),
    merchant,
    defaults: { ...merchant, own: merchant.own.filter((name) => !OWN_MEMBERS.includes(name)) },
    group: { ...group, inner: [['merchants', namesOf(prefixSchema.unwrap())] as const, ...group.inner] },
  };
});

function unknownIn({ own, inner }: Names, value: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(value)) return [];
  return [
    ...unknownNames(own, value, at),
    ...inner.flatMap(([name, names]) => unknownIn(names, value[name], [...at, name])),
  ];
}

function comparisonsOf(balance: unknown, at: readonly PropertyKey[]): Problem[] {
  return unknownComparisons(balance).map(({ index, name }) => {
    const reason = 'is not the name of a comparison and has no effect';
    return { at: [...at, 'ignore', index], reason, value: name, candidates: COMPARISONS };
  });
}

function columnsOf(columns: unknown, at: readonly PropertyKey[]): Problem[] {
  return (redactSchema.safeParse(columns).data ?? []).flatMap((column, index) => {
    if (isKnownColumn(column)) return [];
    const reason = 'is not a column of the contract and has an effect only if the service sends it';
    return [{ at: [...at, index], reason, value: column, candidates: knownColumnNames() }];
  });
}

function unknownInEntry(names: Names, entry: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(entry)) return [];
  return [
    ...unknownIn(names, entry, at),
    ...comparisonsOf(entry.balance, [...at, 'balance']),
    ...columnsOf(entry.redact, [...at, 'redact']),
  ];
}

interface Frame {
  readonly service?: unknown;
  readonly defaults: Record<string, unknown>;
  readonly merchants: readonly unknown[];
  readonly groups: readonly unknown[];
}

/** Unknown members, and names that mean nothing: reported without failure. `rulesOfRegistry` checks rules. */
export function unknownMembers(registry: Frame): MerchantProblem[] {
  const { service, defaults, merchants, groups } = registry;
  const names = known();
  const found: MerchantProblem[] = [];
  // One by one: a call with some hundred thousand arguments overflows the stack.
  const add = (problems: readonly Problem[], merchantCode: string | null = null) => {
    for (const problem of problems) found.push({ ...problem, merchantCode });
  };
  add(unknownIn(names.frame, registry, []));
  add(unknownIn(names.service, service, ['service']));
  const misplaced = 'is for one merchant and has no effect in the defaults';
  for (const problem of unknownInEntry(names.defaults, defaults, ['defaults'])) {
    const isOwn = OWN_MEMBERS.includes(String(problem.at.at(-1))) && problem.at.length === 2;
    add([isOwn ? { ...problem, reason: misplaced, candidates: [] } : problem]);
  }
  for (const [index, entry] of merchants.entries()) {
    add(unknownInEntry(names.merchant, entry, ['merchants', index]), usableCode(entry));
  }
  for (const [index, group] of groups.slice(0, MOST_GROUPS).entries()) {
    const at = ['groups', index];
    add(unknownIn(names.group, group, at));
    if (isMembers(group)) add(strangersIn(group.merchants, registry, [...at, 'merchants']));
  }
  return found;
}

/** Merchants of a group that the registry does not have. */
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
