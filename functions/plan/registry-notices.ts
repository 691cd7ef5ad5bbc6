import { createHash } from 'node:crypto';
import type { NoticeCommand, NoticeList, OpsNotice } from '#mail/notices/ops-notice.ts';
import { shownPath } from '#registry/problem.ts';
import type { Problem, Rejection } from '#registry/problem.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';

const MOST_LISTED = 100;

const UPLOAD = 'Upload the corrected registry. The next tick reads it. No deploy is needed.';

export interface RegistryFaults {
  key: string;
  alarm: string | null;
  rejectedEntries: readonly Rejection[];
  entriesLeftOut: number;
  rejectedRules: readonly Rejection[];
  rulesLeftOut: number;
  rejectedGroups: readonly Rejection[];
  groupsLeftOut: number;
  unknown: readonly Problem[];
}

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

function registryNotices({
  key,
  alarm,
  rejectedEntries,
  entriesLeftOut,
  rejectedRules,
  rulesLeftOut,
  rejectedGroups,
  groupsLeftOut,
  unknown,
}: RegistryFaults): OpsNotice[] {
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
  if (entriesLeftOut > 0) {
    const count = entriesLeftOut;
    found.push({
      ...common,
      about: aboutContent('registry entries', JSON.stringify(rejectedEntries)),
      happened: `${count} ${count === 1 ? 'entry' : 'entries'} of the registry cannot be used`,
      meaning: ['These merchants get no report and no alert until their entries are corrected.'],
      tried: ['The tick left these entries out. All other merchants run.'],
      toDo: ['Correct the members that are listed below.', UPLOAD],
      errors: ['InvalidMerchantError'],
      list: listOf(rejectedEntries),
    });
  }
  if (rulesLeftOut > 0) {
    const count = rulesLeftOut;
    found.push({
      ...common,
      about: aboutContent('alert rules', JSON.stringify(rejectedRules)),
      happened: `${count} alert ${count === 1 ? 'rule' : 'rules'} of the registry cannot be used`,
      meaning: ['These rules alert nobody until they are corrected.'],
      tried: ['The tick left these rules out. Other rules and all reports run.'],
      toDo: ['Correct the members that are listed below.', UPLOAD],
      list: listOf(rejectedRules),
    });
  }
  if (groupsLeftOut > 0) {
    const count = groupsLeftOut;
    found.push({
      ...common,
      about: aboutContent('groups', JSON.stringify(rejectedGroups)),
      happened: `${count} ${count === 1 ? 'group' : 'groups'} of the registry cannot be used`,
      meaning: ['Nobody gets the pages of these groups until they are corrected.'],
      tried: ['The tick left these groups out. Other groups and all merchants run.'],
      toDo: ['Correct the members that are listed below.', UPLOAD],
      errors: ['InvalidGroupError'],
      list: listOf(rejectedGroups),
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
