import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { entryShape, isInherited, readDefaults } from './defaults.ts';
import type { BadDefault, EntrySettings } from './defaults.ts';
import { problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import { given, readable } from './readable-members.ts';

export type EntryReading =
  | { settings: EntrySettings; problems?: never; inherited?: never }
  | {
      settings?: never;
      /** What is wrong with the entry itself. */
      problems: Problem[];
      inherited: readonly BadDefault[];
    };

/** Reads an entry with the defaults, which are read once for all. @param at its place in the registry */
export function readEntry(defaults: Members, entry: unknown, at: readonly PropertyKey[]): EntryReading {
  const base = readDefaults(defaults);
  if (!isMembers(entry)) {
    return { problems: [{ at, reason: 'must be object', value: entry, candidates: [] }], inherited: [] };
  }
  const { schema, names } = entryShape();
  const { members, problems } = readable(entry, names, at);
  const parsed = schema.safeParse(members);
  if (!parsed.success) problems.push(...problemsOf(parsed.error, members, at));
  const inherited = base.bad.filter((bad) => isInherited(bad, entry));
  if (!parsed.success || problems.length > 0 || inherited.length > 0) return { problems, inherited };
  const { refunds, balance, branding, attachments, statements } = parsed.data;
  return {
    settings: {
      ...base.settings,
      ...given(parsed.data, members),
      refunds: { ...base.settings.refunds, ...given(refunds, members.refunds) },
      balance: { ...base.settings.balance, ...given(balance, members.balance) },
      branding: { ...base.settings.branding, ...given(branding, members.branding) },
      attachments: { ...base.settings.attachments, ...given(attachments, members.attachments) },
      ...(statements !== undefined && {
        // Without own statements, the spread above has decided: inherited, or none where they are `null`.
        statements: { ...(base.settings.statements ?? statements), ...given(statements, members.statements) },
      }),
    },
  };
}
