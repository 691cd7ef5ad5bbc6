import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { problemsOf, MOST_OF_OWNER, rejectionOf, rejectionsOf } from './problem.ts';
import type { Problem, Rejection } from './problem.ts';
import { memoized, once } from './once.ts';
import { repeatedProblems } from './registry.ts';
import { MERGED_SCHEMAS, merchantSchema, OWN_MEMBERS } from './registry-schema.ts';
import type * as z from 'zod';

const MERGED: readonly string[] = Object.keys(MERGED_SCHEMAS);

/** Each wrong value is a problem, and costs more memory than the value. */
const MOST_OF_ONE = 1_000;

/** Members whose values are counted where they are read: rules one by one, the merchants of a group by their codes. */
const COUNTED_ELSEWHERE: readonly string[] = ['alerts', 'merchants'];

const innerNames = once(
  () =>
    new Map(
      Object.entries(MERGED_SCHEMAS).map(([name, schema]) => [name, Object.keys(schema.unwrap().shape)]),
    ),
);

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isMembers(value) ? Object.keys(value).length : 0;
}

/** What of the members can be read: those with these names, and not too many values. */
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
      const inner = readable(value, innerNames().get(name) ?? [], [...at, name]);
      kept[name] = inner.members;
      problems.push(...inner.problems);
    } else if (!COUNTED_ELSEWHERE.includes(name) && sizeOf(value) > MOST_OF_ONE) {
      const reason = `has more than ${MOST_OF_ONE} values`;
      problems.push({ at: [...at, name], reason, value, candidates: [] });
    } else kept[name] = value;
  }
  return { members: kept, problems };
}

/** The settings that were given, without what the schema filled in. */
export function given<Settings extends object>(settings: Settings, own: unknown): Partial<Settings> {
  const members = isMembers(own) ? own : {};
  const kept: Partial<Settings> = { ...settings };
  for (const name in kept) if (!Object.hasOwn(members, name)) Reflect.deleteProperty(kept, name);
  return kept;
}

export type EntrySettings = z.infer<typeof merchantSchema>;

const entryShape = once(() => {
  const schema: z.ZodType<EntrySettings> & { shape: object } = merchantSchema.unwrap();
  return { schema, names: Object.keys(schema.shape) };
});

export interface BadDefault {
  name: string;
  /** Such as `source` of `refunds`. `undefined`: the whole member. */
  inner: string | undefined;
  problems: Problem[];
}

interface ReadDefaults {
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

/** The defaults of a registry, read once for all of its owners. */
export function readDefaults(defaults: Members): ReadDefaults {
  return memoized(looked, defaults, () => {
    const { schema, names } = entryShape();
    const at = ['defaults'];
    const inherited = names.filter((name) => !OWN_MEMBERS.includes(name));
    const { members, problems } = readable(defaults, inherited, at);
    const parsed = schema.safeParse({ ...NO_CODE, ...members });
    const found = parsed.success ? problems : [...problems, ...problemsOf(parsed.error, members, at)];
    const bad = badDefaults(found);
    const settings = parsed.success ? parsed.data : schema.parse({ ...NO_CODE, ...without(members, bad) });
    return { settings, bad };
  });
}

/** Whether an owner has no such member of its own. */
export function isInherited({ name, inner }: BadDefault, own: Members): boolean {
  if (!Object.hasOwn(own, name)) return true;
  const value = own[name];
  return inner !== undefined && isMembers(value) && !Object.hasOwn(value, inner);
}

/** What an entry or a group says together with the defaults, or why it cannot be used. */
export type Reading<Settings> = { settings: Settings; problems?: never; inherited?: never } | Unusable;

interface Unusable {
  settings?: never;
  /** What is wrong with the owner itself. */
  problems: Problem[];
  inherited: readonly BadDefault[];
}

/** Why a reading has no settings, with the bad defaults that it inherits. */
export function rejectionsOfReading({ problems, inherited }: Unusable): Rejection[] {
  const all = [...problems, ...inherited.flatMap((bad) => bad.problems)];
  return all.map((problem) => rejectionOf(problem, null));
}

interface OwnerReader<Own, Settings> {
  schema: z.ZodType<Own>;
  names: readonly string[];
  /** Whether an owner gets this of the defaults. */
  inherits: (bad: BadDefault, owner: Members) => boolean;
  /** @param members as they were written */
  over: (base: EntrySettings, own: Own, members: Members) => Settings;
}

/** @param at its place in the registry */
export function readOwner<Own, Settings>(
  { schema, names, inherits, over }: OwnerReader<Own, Settings>,
  defaults: Members,
  owner: unknown,
  at: readonly PropertyKey[],
): Reading<Settings> {
  const problems = repeatedProblems(owner, at);
  if (!isMembers(owner)) {
    problems.push({ at, reason: 'must be object', value: owner, candidates: [] });
    return { problems, inherited: [] };
  }
  const base = readDefaults(defaults);
  const { members, problems: tooMany } = readable(owner, names, at);
  problems.push(...tooMany);
  const parsed = schema.safeParse(members);
  if (!parsed.success) {
    // What holds too many values was taken out, and is not missing.
    const known = new Set(tooMany.map((problem) => fieldPath(problem.at)));
    const found = problemsOf(parsed.error, members, at);
    problems.push(...found.filter((one) => !known.has(fieldPath(one.at))));
  }
  const inherited = base.bad.filter((bad) => inherits(bad, owner));
  if (!parsed.success || problems.length > 0 || inherited.length > 0) return { problems, inherited };
  return { settings: over(base.settings, parsed.data, members) };
}

function overDefaults(base: EntrySettings, own: EntrySettings, members: Members): EntrySettings {
  const { refunds, balance, branding, attachments, statements } = own;
  return {
    ...base,
    ...given(own, members),
    refunds: { ...base.refunds, ...given(refunds, members.refunds) },
    balance: { ...base.balance, ...given(balance, members.balance) },
    branding: { ...base.branding, ...given(branding, members.branding) },
    attachments: { ...base.attachments, ...given(attachments, members.attachments) },
    ...(statements !== undefined && {
      // Without own statements, the spread above has decided: inherited, or none where they are `null`.
      statements: { ...(base.statements ?? statements), ...given(statements, members.statements) },
    }),
  };
}

/** @param at its place in the registry */
export function readEntry(
  defaults: Members,
  entry: unknown,
  at: readonly PropertyKey[],
): Reading<EntrySettings> {
  return readOwner({ ...entryShape(), inherits: isInherited, over: overDefaults }, defaults, entry, at);
}

const MOST_NAMED = 5;

/** Who inherits each bad default. */
export class Heirs {
  readonly #found = new Map<BadDefault, { count: number; names: string[] }>();
  readonly #one: string;
  readonly #many: string;

  constructor(one: string, many: string) {
    this.#one = one;
    this.#many = many;
  }

  /** @param name `null` when the heir has no usable one */
  note(bad: BadDefault, name: string | null): void {
    const heirs = this.#found.get(bad) ?? { count: 0, names: [] };
    heirs.count += 1;
    if (name !== null && heirs.names.length < MOST_NAMED) heirs.names.push(name);
    this.#found.set(bad, heirs);
  }

  rejections(): Rejection[] {
    return [...this.#found].flatMap(([bad, { count, names }]) => {
      const who = names.length === 0 ? '' : ` (${names.join(', ')}${count > names.length ? ', …' : ''})`;
      const spoils = `; ${count} ${count === 1 ? `${this.#one} inherits` : `${this.#many} inherit`} it${who}`;
      const at = ['defaults', bad.name, ...(bad.inner === undefined ? [] : [bad.inner])];
      return rejectionsOf(bad.problems, null, at, MOST_OF_OWNER).map(({ path, reason }) => {
        return { path, reason: `${reason}${spoils}` };
      });
    });
  }
}
