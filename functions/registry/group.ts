import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { isInherited, readDefaults, given, once, readable } from './entry.ts';
import type { BadDefault, Reading } from './entry.ts';
import type { Language } from './languages.ts';
import { problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import {
  statementSettingsSchema,
  correctForSchema,
  monthlySchema,
  waitForSchema,
  weeklySchema,
} from './statement-settings.ts';
import * as z from 'zod';
import { brandingSchema } from './branding.ts';
import { LANGUAGES } from './languages.ts';
import { timeZoneSchema } from '#records/day/business-day.ts';
import { recipientsSchema } from './registry-schema.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { MOST_MERCHANTS, repeatedProblems } from './registry.ts';

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

const shape = once(() => {
  const schema: z.ZodType<ReadGroup> & { shape: object } = groupSchema.unwrap();
  return { schema, names: Object.keys(schema.shape), durations: statementSettingsSchema.parse({}) };
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
  const problems = repeatedProblems(group, at);
  if (!isMembers(group)) {
    problems.push({ at, reason: 'must be object', value: group, candidates: [] });
    return { problems, inherited: [] };
  }
  const base = readDefaults(defaults);
  const { schema, names, durations } = shape();
  const { members, problems: tooMany } = readable(group, names, at);
  problems.push(...tooMany);
  const parsed = schema.safeParse(members);
  if (!parsed.success) {
    // What holds too many values was taken out, and is not missing.
    const known = new Set(tooMany.map((problem) => fieldPath(problem.at)));
    const found = problemsOf(parsed.error, members, at).filter((one) => !known.has(fieldPath(one.at)));
    problems.push(...found.map(withWord));
  }
  const inherited = base.bad.filter((bad) => inherits(bad, group));
  if (!parsed.success || problems.length > 0 || inherited.length > 0) return { problems, inherited };
  const under = base.settings;
  const { statements = durations } = under;
  const own = parsed.data;
  return {
    settings: {
      ...own,
      language: own.language ?? under.language,
      timeZone: own.timeZone ?? under.timeZone,
      branding: { ...under.branding, ...given(own.branding, members.branding) },
      waitFor: own.waitFor ?? statements.waitFor,
      correctFor: own.correctFor ?? statements.correctFor,
    },
  };
}
