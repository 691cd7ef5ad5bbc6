import type * as z from 'zod';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import { merchantSchema, OWN_MEMBERS } from './registry-schema.ts';

/** An entry as it is used: its own members, then the registry's defaults, then the product's. */
export type EntrySettings = z.infer<typeof merchantSchema>;

/** Members whose own members are inherited one by one: a merchant's `source` keeps the default `statuses`. */
const MERGED: readonly string[] = ['refunds', 'balance', 'branding', 'attachments'];

/**
 * The most values of one list or object in an entry. Each wrong value is a problem of its own, and a problem
 * costs more memory than the value.
 */
const MOST_OF_ONE = 1_000;

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isMembers(value) ? Object.keys(value).length : 0;
}

/** The members with these names, and a problem for each that holds too many values. */
function readable(
  members: Members,
  names: readonly string[],
  at: readonly PropertyKey[],
): { members: Members; problems: Problem[] } {
  const kept: Members = {};
  const problems: Problem[] = [];
  for (const name of names) {
    if (!Object.hasOwn(members, name)) continue;
    const value = members[name];
    if (MERGED.includes(name) && isMembers(value)) {
      const inner = readable(value, innerNames(name), [...at, name]);
      kept[name] = inner.members;
      problems.push(...inner.problems);
    } else if (name !== 'alerts' && sizeOf(value) > MOST_OF_ONE) {
      const reason = `has more than ${MOST_OF_ONE} values`;
      problems.push({ at: [...at, name], reason, value, candidates: [] });
    } else kept[name] = value;
  }
  return { members: kept, problems };
}

/** What of the schema is needed again and again. Every unwrapping builds the schema again. */
interface EntryShape {
  schema: z.ZodType<EntrySettings>;
  names: readonly string[];
  inherited: readonly string[];
  inner: ReadonlyMap<string, readonly string[]>;
}

let known: EntryShape | undefined;

function shape(): EntryShape {
  if (known !== undefined) return known;
  const schema = merchantSchema.unwrap();
  const { refunds, balance, branding, attachments } = schema.shape;
  const inner = new Map<string, readonly string[]>(
    Object.entries({ refunds, balance, branding, attachments }).map(([name, member]) => [
      name,
      Object.keys(member.unwrap().unwrap().shape),
    ]),
  );
  const names = Object.keys(schema.shape);
  const inherited = names.filter((name) => !OWN_MEMBERS.includes(name));
  return (known = { schema, names, inherited, inner });
}

function innerNames(name: string): readonly string[] {
  return shape().inner.get(name) ?? [];
}

/** A default that cannot be used. Entries without an own value cannot be used either. */
export interface BadDefault {
  /** The member, such as `reportAt`. */
  name: string;
  /** The member of a merged member, such as `source` of `refunds`. `undefined`: the whole member. */
  inner: string | undefined;
  /** What is wrong with it, at its place in `defaults`. */
  problems: Problem[];
}

/** The defaults of a registry, read once for all of its entries. */
interface ReadDefaults {
  /** Without the bad ones. Entries that inherit a bad one are not used. */
  settings: EntrySettings;
  bad: readonly BadDefault[];
}

const looked = new WeakMap<object, ReadDefaults>();

/** Any code that is allowed: settings are read together with a code. */
const NO_CODE = { merchantCode: '-' };

function badDefaults(problems: readonly Problem[]): BadDefault[] {
  const bad = new Map<string, BadDefault>();
  for (const problem of problems) {
    const [, name = '', inner] = problem.at.map(String);
    const ofWhole = !MERGED.includes(name) || inner === undefined;
    const key = ofWhole ? name : `${name}.${inner}`;
    const found = bad.get(key);
    if (found === undefined) {
      bad.set(key, { name, inner: ofWhole ? undefined : inner, problems: [problem] });
    } else found.problems.push(problem);
  }
  return [...bad.values()];
}

function without(members: Members, bad: readonly BadDefault[]): Members {
  const kept = { ...members };
  for (const { name, inner } of bad) {
    const value = kept[name];
    const { [inner ?? '']: _bad, ...others } = membersOf(value);
    if (inner === undefined) Reflect.deleteProperty(kept, name);
    else kept[name] = others;
  }
  return kept;
}

function readDefaults(defaults: Members): ReadDefaults {
  const before = looked.get(defaults);
  if (before !== undefined) return before;
  const { schema, inherited } = shape();
  const at = ['defaults'];
  const { members, problems } = readable(defaults, inherited, at);
  const parsed = schema.safeParse({ ...NO_CODE, ...members });
  const found = parsed.success ? problems : [...problems, ...problemsOf(parsed.error, members, at)];
  const bad = badDefaults(found);
  const settings = parsed.success ? parsed.data : schema.parse({ ...NO_CODE, ...without(members, bad) });
  const read = { settings, bad };
  looked.set(defaults, read);
  return read;
}

/** What is wrong with the defaults of a registry. */
export function badDefaultsOf(defaults: Members): readonly BadDefault[] {
  return readDefaults(defaults).bad;
}

/** The settings whose members were given, without those that the schema filled in. */
function given<Settings extends object>(settings: Settings, own: unknown): Partial<Settings> {
  const members = membersOf(own);
  const kept: Partial<Settings> = { ...settings };
  for (const name in kept) if (!Object.hasOwn(members, name)) Reflect.deleteProperty(kept, name);
  return kept;
}

function isInherited({ name, inner }: BadDefault, own: Members): boolean {
  if (!Object.hasOwn(own, name)) return true;
  const value = own[name];
  return inner !== undefined && isMembers(value) && !Object.hasOwn(value, inner);
}

/** An entry that was read, or everything that makes it unusable. */
export type EntryReading =
  | { settings: EntrySettings; problems?: never; inherited?: never }
  | {
      settings?: never;
      /** What is wrong with the entry itself. */
      problems: Problem[];
      /** The bad defaults that it inherits. */
      inherited: readonly BadDefault[];
    };

/**
 * Reads an entry with the defaults. The defaults are read once for all entries, so the time is that of the
 * entry's own members.
 *
 * @param at the place of the entry in the registry
 */
export function readEntry(defaults: Members, entry: unknown, at: readonly PropertyKey[]): EntryReading {
  const base = readDefaults(defaults);
  if (!isMembers(entry)) {
    return { problems: [{ at, reason: 'must be object', value: entry, candidates: [] }], inherited: [] };
  }
  const { schema, names } = shape();
  const { members, problems } = readable(entry, names, at);
  const parsed = schema.safeParse(members);
  if (!parsed.success) problems.push(...problemsOf(parsed.error, members, at));
  const inherited = base.bad.filter((bad) => isInherited(bad, entry));
  if (!parsed.success || problems.length > 0 || inherited.length > 0) return { problems, inherited };
  const { refunds, balance, branding, attachments } = parsed.data;
  return {
    settings: {
      ...base.settings,
      ...given(parsed.data, members),
      refunds: { ...base.settings.refunds, ...given(refunds, members.refunds) },
      balance: { ...base.settings.balance, ...given(balance, members.balance) },
      branding: { ...base.settings.branding, ...given(branding, members.branding) },
      attachments: { ...base.settings.attachments, ...given(attachments, members.attachments) },
    },
  };
}
