import type * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import { MERGED, readable } from './readable-members.ts';
import { merchantSchema, OWN_MEMBERS } from './registry-schema.ts';

export type EntrySettings = z.infer<typeof merchantSchema>;

interface EntryShape {
  schema: z.ZodType<EntrySettings>;
  names: readonly string[];
  inherited: readonly string[];
}

let known: EntryShape | undefined;

export function entryShape(): EntryShape {
  if (known !== undefined) return known;
  const schema = merchantSchema.unwrap();
  const names = Object.keys(schema.shape);
  return (known = { schema, names, inherited: names.filter((name) => !OWN_MEMBERS.includes(name)) });
}

export interface BadDefault {
  name: string;
  /** Such as `source` of `refunds`. `undefined`: the whole member. */
  inner: string | undefined;
  problems: Problem[];
}

export interface ReadDefaults {
  /** Entries that inherit a bad one are not used. */
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
    const { [inner ?? '']: _bad, ...others } = isMembers(value) ? value : {};
    if (inner === undefined) Reflect.deleteProperty(kept, name);
    else kept[name] = others;
  }
  return kept;
}

export function readDefaults(defaults: Members): ReadDefaults {
  const before = looked.get(defaults);
  if (before !== undefined) return before;
  const { schema, inherited } = entryShape();
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

export function badDefaultsOf(defaults: Members): readonly BadDefault[] {
  return readDefaults(defaults).bad;
}

/** Whether an owner has no such member of its own. */
export function isInherited({ name, inner }: BadDefault, own: Members): boolean {
  if (!Object.hasOwn(own, name)) return true;
  const value = own[name];
  return inner !== undefined && isMembers(value) && !Object.hasOwn(value, inner);
}
