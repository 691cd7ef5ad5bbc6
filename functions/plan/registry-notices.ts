import { createHash } from 'node:crypto';
import { rulesOfRegistry } from '#registry/alert-rules.ts';
import type { NoticeCommand, NoticeList, OpsNotice } from '#mail/notices/ops-notice.ts';
import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { rejectionOf, shownPath } from '#registry/problem.ts';
import type { Problem, Rejection } from '#registry/problem.ts';
import { codesInEntries } from '#registry/registry.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';

/** Every problem, by its path in the registry, and how many parts of it are left out for them. */
interface LeftOut {
  rejected: readonly Rejection[];
  leftOut: number;
}

/** What of the registry cannot be used. The merchants of rules and groups run without them. */
export interface RegistryLeftOut {
  entries: LeftOut;
  rules: LeftOut;
  groups: LeftOut;
}

export interface NamedMerchants extends RegistryLeftOut {
  merchants: MerchantSettings[];
  /** By their path in the event. */
  unknownNames: Rejection[];
}

/** All merchants when `names` is left out. */
export function namedMerchants(registry: Registry, names: readonly string[] | undefined): NamedMerchants {
  const { merchants, ...entries } = allMerchants(registry);
  const { problems, leftOut } = rulesOfRegistry(registry);
  const rules = { rejected: problems.map((one) => rejectionOf(one, one.merchantCode)), leftOut };
  const parts = { entries, rules, groups: allGroups(registry) };
  if (names === undefined) return { merchants, ...parts, unknownNames: [] };
  const wanted = new Set(names);
  const usable = new Set(merchants.map(({ merchantCode }) => merchantCode));
  const claimed = codesInEntries(registry);
  const unknownNames = names.flatMap((name, index) => {
    if (usable.has(name)) return [];
    const reason = claimed.has(name)
      ? 'the entry of this merchant in the registry is not usable'
      : 'the registry has no such merchant';
    return [{ path: `merchants[${index}]`, reason }];
  });
  return {
    merchants: merchants.filter(({ merchantCode }) => wanted.has(merchantCode)),
    ...parts,
    unknownNames,
  };
}

const MOST_LISTED = 100;

const UPLOAD = 'Upload the corrected registry. The next tick reads it. No deploy is needed.';

/** The same content gives the same name, so ops are notified of it once. */
function aboutContent(what: string, content: string): string {
  return `${what} ${createHash('sha256').update(content).digest('hex')}`;
}

function listOf(rejected: readonly Rejection[]): NoticeList {
  return {
    heading: 'Which members, by their path, and why',
    lines: rejected.slice(0, MOST_LISTED).map(({ path, reason }) => `${path}: ${reason}`),
    total: rejected.length,
    others: 'in the answer of plan',
  };
}

const ACCEPTING: readonly NoticeCommand[] = [
  { shows: 'Pulls the registry', does: 'daybook', words: ['registry', 'pull'] },
  {
    shows: 'Accepts that merchants are gone. It asks first',
    does: 'daybook',
    words: ['registry', 'push', '--accept-removals'],
  },
];

function commandsFor(key: string): NoticeCommand[] {
  return [
    { shows: 'The registry', does: 'show object', key },
    {
      shows: 'Checks the registry again. Writes items, and nothing runs them',
      does: 'invoke',
      functionName: 'plan',
      event: { kind: 'daily', send: false },
    },
  ];
}

const PARTS = {
  entries: {
    about: 'registry entries',
    words: ['entry', 'entries'],
    meaning: 'These merchants get no report and no alert until their entries are corrected.',
    tried: 'The tick left these entries out. All other merchants run.',
    errors: ['InvalidMerchantError'],
  },
  rules: {
    about: 'alert rules',
    words: ['alert rule', 'alert rules'],
    meaning: 'These rules alert nobody until they are corrected.',
    tried: 'The tick left these rules out. Other rules and all reports run.',
    errors: undefined,
  },
  groups: {
    about: 'groups',
    words: ['group', 'groups'],
    meaning: 'Nobody gets the pages of these groups until they are corrected.',
    tried: 'The tick left these groups out. Other groups and all merchants run.',
    errors: ['InvalidGroupError'],
  },
} as const;

interface RegistryFaults extends RegistryLeftOut {
  key: string;
  alarm: string | null;
  unknown: readonly Problem[];
}

function registryNotices({ key, alarm, unknown, ...parts }: RegistryFaults): OpsNotice[] {
  const common = {
    merchants: [],
    days: [],
    headings: ['registryNotUsed'],
    commands: commandsFor(key),
  } satisfies Partial<OpsNotice>;
  const found: OpsNotice[] = [];
  if (alarm !== null) {
    found.push({
      ...common,
      commands: [...common.commands, ...ACCEPTING],
      about: aboutContent('registry', alarm),
      happened: 'the registry cannot be used, the last good one is used',
      meaning: [alarm, 'Changes since the last good registry have no effect. No merchant is left out.'],
      tried: [
        'The tick used the last good registry, and so does each next tick until this one is corrected.',
      ],
      toDo: [
        'Correct what the first line names.',
        UPLOAD,
        'If many merchants were removed on purpose, pull the registry and accept that with the last two commands.',
      ],
      errors: ['RegistryError'],
    });
  }
  for (const part of ['entries', 'rules', 'groups'] as const) {
    const { rejected, leftOut } = parts[part];
    if (leftOut === 0) continue;
    const { about, words, meaning, tried, errors } = PARTS[part];
    found.push({
      ...common,
      about: aboutContent(about, JSON.stringify(rejected)),
      happened: `${leftOut} ${words[leftOut === 1 ? 0 : 1]} of the registry cannot be used`,
      meaning: [meaning],
      tried: [tried],
      toDo: ['Correct the members that are listed below.', UPLOAD],
      ...(errors !== undefined && { errors }),
      list: listOf(rejected),
    });
  }
  if (unknown.length > 0) {
    const count = unknown.length;
    const paths = unknown.map(({ at }) => shownPath(at));
    found.push({
      ...common,
      about: aboutContent('registry members', JSON.stringify(paths)),
      happened: `${count} ${count === 1 ? 'member' : 'members'} of the registry ${count === 1 ? 'is' : 'are'} not known`,
      meaning: [
        'They have no effect. A name may be misspelt.',
        'A column to redact has an effect only if the service sends it.',
        'A merchant that a group names may not be in the registry.',
      ],
      tried: ['All merchants run, as if these members were not there.'],
      toDo: ['Correct or remove the members that are listed below.', UPLOAD],
      list: {
        heading: 'Which members, by their path',
        lines: paths.slice(0, MOST_LISTED),
        total: count,
        others: 'in the log of plan',
      },
    });
  }
  return found;
}

/** Notifies ops of what is wrong with the registry, once for each state of it. */
export async function notifyOfRegistry(opsNotices: OpsNotices, faults: RegistryFaults): Promise<void> {
  await Promise.all(registryNotices(faults).map((notice) => opsNotices.notifyOnce(notice)));
}
