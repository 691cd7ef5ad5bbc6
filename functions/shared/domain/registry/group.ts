import type * as z from 'zod';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { fieldPath } from '../json/schema-issue.ts';
import type { Branding } from './branding.ts';
import { isInherited, readDefaults } from './defaults.ts';
import type { BadDefault } from './defaults.ts';
import { GROUP_NAME, groupSchema } from './group-schema.ts';
import type { GroupMembers } from './group-schema.ts';
import type { Language } from './languages.ts';
import { problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import { given, readable } from './readable-members.ts';
import { statementSettingsSchema } from './statement-settings.ts';
import type { MonthlySettings, StatementSettings, WeeklySettings } from './statement-settings.ts';

/** A group as it is used: its own members, then the registry's defaults, then the product's. */
export interface GroupSettings {
  name: string;
  /** `membersOf` says which merchants these are. */
  merchants: GroupMembers;
  recipients: string[];
  language: Language;
  branding: Branding;
  /** The clock of `weekly.at`, `monthly.at` and of the times in the group's mails. IANA name. */
  timeZone: string;
  /** Whether it gets a page of each day. */
  daily: boolean;
  /** Without it, no pages of weeks. */
  weekly?: WeeklySettings | undefined;
  /** Without it, no pages of months. */
  monthly?: MonthlySettings | undefined;
  /** Milliseconds. How long after its time a page waits for what is not sealed. */
  waitFor: number;
  /** Milliseconds. How long after its time a page follows revisions. */
  correctFor: number;
  /** Whether its mails have a workbook with every row. */
  attachXlsx: boolean;
}

/** A group that was read, or everything that makes it unusable. */
export type GroupReading =
  | { settings: GroupSettings; problems?: never; inherited?: never }
  | {
      settings?: never;
      /** What is wrong with the group itself. */
      problems: Problem[];
      /** The bad defaults that it inherits. */
      inherited: readonly BadDefault[];
    };

/** The members of the defaults that a group inherits as they are. */
const INHERITED = ['language', 'branding', 'timeZone'];
/** The members of the default `statements` that a group has itself. */
const DURATIONS = ['waitFor', 'correctFor'] as const;

/** What of the schema is needed again and again. Every unwrapping builds the schema again. */
interface GroupShape {
  schema: z.ZodType<z.infer<typeof groupSchema>>;
  names: readonly string[];
  durations: Pick<StatementSettings, 'waitFor' | 'correctFor'>;
}

let known: GroupShape | undefined;

function shape(): GroupShape {
  if (known !== undefined) return known;
  const schema = groupSchema.unwrap();
  return (known = { schema, names: Object.keys(schema.shape), durations: statementSettingsSchema.parse({}) });
}

/** The name of a group, `null` when it has none or one that is not a name. */
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

/**
 * Reads a group with the defaults.
 *
 * @param at the place of the group in the registry
 */
export function readGroup(defaults: Members, group: unknown, at: readonly PropertyKey[]): GroupReading {
  const base = readDefaults(defaults);
  if (!isMembers(group)) {
    return { problems: [{ at, reason: 'must be object', value: group, candidates: [] }], inherited: [] };
  }
  const { schema, names, durations } = shape();
  const { members, problems } = readable(group, names, at);
  const parsed = schema.safeParse(members);
  if (!parsed.success) {
    // What holds too many values was taken out, and is not missing.
    const known = new Set(problems.map((problem) => fieldPath(problem.at)));
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
