import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import type { MemberClock } from '#records/period/due.ts';
import { isInherited, given, readOwner, Heirs, rejectionsOfReading } from './entry.ts';
import type { BadDefault, EntrySettings, Reading } from './entry.ts';
import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';
import { memoized, once } from './once.ts';
import { MOST_OF_OWNER, rejectionsOf, shownPath } from './problem.ts';
import type { Problem, Rejection } from './problem.ts';
import {
  statementSettingsSchema,
  correctForSchema,
  monthlySchema,
  waitForSchema,
  weeklySchema,
} from './statement-settings.ts';
import * as z from 'zod';
import { brandingSchema } from './branding.ts';
import { timeZoneSchema } from '#records/day/business-day.ts';
import { recipientsSchema } from './registry-schema.ts';
import type { MerchantSettings } from './registry-schema.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { InvalidGroupError, UnknownGroupError } from './registry-errors.ts';
import { codesInEntries, MOST_MERCHANTS, placesOf } from './registry.ts';
import type { Registry } from './registry.ts';

export const GROUP_NAME = MERCHANT_CODE;

const CODE = 'must be letters, digits and "-", 64 at most';

export const prefixSchema = z.lazy(() => z.object({ prefix: z.string().regex(MERCHANT_CODE, CODE) }));

export type GroupMembers = 'all' | z.infer<typeof prefixSchema> | readonly string[];

const MOST_FAULTS = 20;

type Fault = (path: PropertyKey[], message: string) => void;

function readCodes(codes: readonly unknown[], fault: Fault): readonly string[] {
  if (codes.length === 0) fault([], 'must name a merchant');
  if (codes.length > MOST_MERCHANTS) fault([], `has more than ${MOST_MERCHANTS} codes`);
  if (codes.length === 0 || codes.length > MOST_MERCHANTS) return [];
  let faults = 0;
  const usable: string[] = [];
  for (const [index, code] of codes.entries()) {
    if (typeof code === 'string' && MERCHANT_CODE.test(code)) usable.push(code);
    else if ((faults += 1) <= MOST_FAULTS) fault([index], CODE);
  }
  return usable;
}

const groupMembersSchema = z.lazy(() =>
  z.unknown().transform((given, context): GroupMembers => {
    const fault: Fault = (path, message) => context.addIssue({ code: 'custom', path, message });
    if (given === 'all') return given;
    if (Array.isArray(given)) return readCodes(given, fault);
    if (!isMembers(given)) fault([], 'must be "all", { "prefix": "70" } or a list of codes');
    else {
      const read = prefixSchema.safeParse(given);
      if (read.success) return read.data;
      const isMissing = given.prefix === undefined;
      fault(['prefix'], isMissing ? `is missing, ${CODE}` : CODE);
    }
    return z.NEVER;
  }),
);

export const groupSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(GROUP_NAME, CODE),
    merchants: groupMembersSchema,
    recipients: recipientsSchema,
    language: z.enum(LANGUAGES).optional(),
    branding: brandingSchema.prefault({}),
    timeZone: timeZoneSchema.optional(),
    daily: z.boolean().default(false),
    weekly: weeklySchema.optional(),
    monthly: monthlySchema.optional(),
    waitFor: waitForSchema.optional(),
    correctFor: correctForSchema.optional(),
    attachXlsx: z.boolean().default(true),
  }),
);

type ReadGroup = z.infer<typeof groupSchema>;

/** With what it inherits. */
export interface GroupSettings extends ReadGroup {
  language: Language;
  /** IANA name: the clock of its times. */
  timeZone: string;
  /** Milliseconds that a page waits for what is not sealed. */
  waitFor: number;
  /** Milliseconds that a page follows revisions. */
  correctFor: number;
}

const INHERITED = ['language', 'branding', 'timeZone'];
const DURATIONS = ['waitFor', 'correctFor'] as const;

const reader = once(() => {
  const schema: z.ZodType<ReadGroup> & { shape: object } = groupSchema.unwrap();
  const durations = statementSettingsSchema.parse({});
  const over = (base: EntrySettings, own: ReadGroup, members: Members): GroupSettings => {
    const { statements = durations } = base;
    return {
      ...own,
      language: own.language ?? base.language,
      timeZone: own.timeZone ?? base.timeZone,
      branding: { ...base.branding, ...given(own.branding, members.branding) },
      waitFor: own.waitFor ?? statements.waitFor,
      correctFor: own.correctFor ?? statements.correctFor,
    };
  };
  return { schema, names: Object.keys(schema.shape), inherits, over };
});

export function usableName(group: unknown): string | null {
  const name = isMembers(group) ? group.name : undefined;
  return typeof name === 'string' && GROUP_NAME.test(name) ? name : null;
}

function inherits(bad: BadDefault, group: Members): boolean {
  if (bad.name !== 'statements') return INHERITED.includes(bad.name) && isInherited(bad, group);
  const needed = DURATIONS.filter((name) => !Object.hasOwn(group, name));
  return bad.inner === undefined ? needed.length > 0 : needed.some((name) => name === bad.inner);
}

/** `merchants` may be one word, which may be misspelt. */
function withWord(problem: Problem): Problem {
  return problem.at.at(-1) === 'merchants' ? { ...problem, candidates: ['all'] } : problem;
}

/** @param at its place in the registry */
export function readGroup(
  defaults: Members,
  group: unknown,
  at: readonly PropertyKey[],
): Reading<GroupSettings> {
  const read = readOwner(reader(), defaults, group, at);
  return read.settings === undefined ? { ...read, problems: read.problems.map(withWord) } : read;
}

/** Twenty merchants to a group, if each merchant of the largest registry is in one group. */
export const MOST_GROUPS = 1_000;

/** Why the groups after the first {@link MOST_GROUPS} are not used. */
export const TOO_MANY_GROUPS = `has more than ${MOST_GROUPS} groups: the ones after these are not used`;

type Owners = Pick<Registry, 'defaults' | 'groups'>;

function placesOfNames({ groups }: Owners): Map<string, number[]> {
  return placesOf(groups.slice(0, MOST_GROUPS), usableName);
}

/**
 * The settings of one group. No other group is read.
 * @throws {UnknownGroupError} when no group has this name
 * @throws {InvalidGroupError} when it is not usable, or several have this name
 */
export function groupSettings(registry: Owners, name: string): GroupSettings {
  const places = placesOfNames(registry).get(name) ?? [];
  const [place] = places;
  if (place === undefined) throw new UnknownGroupError(name);
  if (places.length > 1) {
    throw new InvalidGroupError(name, [{ path: 'name', reason: `appears ${places.length} times` }]);
  }
  const read = readGroup(registry.defaults, registry.groups[place], []);
  if (read.settings !== undefined) return read.settings;
  throw new InvalidGroupError(name, rejectionsOfReading(read));
}

interface AllGroups {
  groups: GroupSettings[];
  /** By path; a bad default once, at `defaults.…`. */
  rejected: Rejection[];
  leftOut: number;
}

function withGroup({ path, reason }: Rejection, name: string | null): Rejection {
  return { path, reason: name === null ? reason : `${reason} (group ${name})` };
}

/** Of groups with one name none is used: the recipients of the wrong one must not see its merchants. */
export function allGroups(registry: Owners): AllGroups {
  const groups: GroupSettings[] = [];
  const rejected: Rejection[] = [];
  const heirs = new Heirs('group', 'groups');
  const places = placesOfNames(registry);
  for (const [index, group] of registry.groups.slice(0, MOST_GROUPS).entries()) {
    const at = ['groups', index];
    const read = readGroup(registry.defaults, group, at);
    const name = usableName(group);
    const isOnly = name === null || places.get(name)?.length === 1;
    if (read.settings !== undefined && isOnly) {
      groups.push(read.settings);
      continue;
    }
    for (const rejection of rejectionsOf(read.problems ?? [], null, at, MOST_OF_OWNER)) {
      rejected.push(withGroup(rejection, name));
    }
    for (const bad of read.inherited ?? []) heirs.note(bad, name);
    if (isOnly) continue;
    const reason = 'is the name of more than one group, and none of them is used';
    rejected.push(withGroup({ path: shownPath([...at, 'name']), reason }, name));
  }
  const leftOut = registry.groups.length - groups.length;
  const tooMany = registry.groups.length > MOST_GROUPS ? [{ path: 'groups', reason: TOO_MANY_GROUPS }] : [];
  return { groups, rejected: [...tooMany, ...heirs.rejections(), ...rejected], leftOut };
}

interface Owner {
  readonly merchants: readonly unknown[];
}

/** The codes of each registry. A registry stays the same object until it changes, and may have many groups. */
const looked = new WeakMap<
  readonly unknown[],
  { all: readonly string[]; places: ReadonlyMap<string, number> }
>();

function codesOf(registry: Owner) {
  return memoized(looked, registry.merchants, () => {
    const all = [...codesInEntries(registry)];
    return { all, places: new Map(all.map((code, place) => [code, place])) };
  });
}

interface FoundMembers {
  /** In the registry's order, each once. Unusable entries count, too. */
  codes: readonly string[];
  /** Codes that the registry does not have, in the group's order. */
  unknown: readonly string[];
}

/** The merchants of a group. Linear in a list; one look at each code for a prefix. */
export function membersOf({ merchants }: { merchants: GroupMembers }, registry: Owner): FoundMembers {
  const { all, places } = codesOf(registry);
  if (merchants === 'all') return { codes: all, unknown: [] };
  if ('prefix' in merchants) {
    const { prefix } = merchants;
    return { codes: all.filter((code) => code.startsWith(prefix)), unknown: [] };
  }
  const named = [...new Set(merchants)];
  const found = named.flatMap((code) => places.get(code) ?? []).sort((one, other) => one - other);
  return {
    codes: found.flatMap((place) => all[place] ?? []),
    unknown: named.filter((code) => !places.has(code)),
  };
}

/** When the merchants of a group get their reports, each time once. */
export function clocksOf(merchants: readonly MerchantSettings[]): MemberClock[] {
  const clocks = new Map(
    merchants.map(({ timeZone, reportAt }) => [`${timeZone} ${reportAt}`, { timeZone, reportAt }]),
  );
  return [...clocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, clock]) => clock);
}
