import type * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
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

export interface GroupSettings {
  name: string;
  merchants: GroupMembers;
  recipients: string[];
  language: Language;
  branding: Branding;
  /** IANA name: the clock of its times. */
  timeZone: string;
  daily: boolean;
  /** Left out: no pages of weeks. */
  weekly?: WeeklySettings | undefined;
  /** Left out: no pages of months. */
  monthly?: MonthlySettings | undefined;
  /** Milliseconds that a page waits for what is not sealed. */
  waitFor: number;
  /** Milliseconds that a page follows revisions. */
  correctFor: number;
  attachXlsx: boolean;
}

export type GroupReading =
  | { settings: GroupSettings; problems?: never; inherited?: never }
  | {
      settings?: never;
      /** What is wrong with the group itself. */
      problems: Problem[];
      inherited: readonly BadDefault[];
    };

const INHERITED = ['language', 'branding', 'timeZone'];
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

/** Reads a group with the defaults. @param at its place in the registry */
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
