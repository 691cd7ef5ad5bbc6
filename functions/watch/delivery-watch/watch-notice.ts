import type { HeadingName } from '#mail/notices/runbook.ts';
import { NOT_SEALED, NOTHING_SEALED, PROVISIONAL, troubleOf } from './delivery.ts';
import { createHash } from 'node:crypto';
import type { NoticeCommand, OpsNotice } from '#mail/notices/ops-notice.ts';
import { explain, makeAgain, sendAgain } from '#mail/notices/ops-notice.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import type { PageOwner } from '#records/storage/keys.ts';
import type { Delivery } from './delivery.ts';
import { missingTold } from './notified.ts';
import type { Notified, Watched } from './notified.ts';

export interface Advice {
  means: string;
  tried: string;
  toDo: string;
  heading: HeadingName;
  /** The error that a pull ended with, if it did. */
  error?: string;
}

const SEND_AGAIN = 'Then send it again. Recipients who have the mail do not get it twice.';

const ADVICE: Readonly<Record<string, Advice>> = {
  'no run': {
    means: 'nothing was pulled since the day ended.',
    tried:
      'A tick makes up for those that were missed, up to 24 hours. What waits in the queue is done by itself; what was put aside is not.',
    toDo: 'Look at the schedules, the log of plan and the queue: "daybook redrive" shows what was put aside. Then run the report again.',
    heading: 'didNotRun',
  },
  'entry not usable': {
    means: "the merchant's entry in the registry cannot be used, so no run was planned.",
    tried: 'Each tick left the merchant out. A notice of plan names the member.',
    toDo: 'Correct the entry, push the registry, then run the report again.',
    heading: 'registryNotUsed',
  },
  'not in the registry any more': {
    means: 'the merchant had reports in the last two weeks and is not in the registry now.',
    tried: 'No run was planned. The merchant is named here for two weeks.',
    toDo: 'If it was removed by mistake, put its entry back. If it was removed on purpose, you need do nothing.',
    heading: 'registryNotUsed',
  },
  [NOT_SEALED]: {
    means: 'days of it are sealed, but they were not added up.',
    tried: 'Each tick of the statements sends its message again until it is sealed.',
    toDo: 'Look at the log of plan and at what was put aside ("daybook redrive"). Then make it again.',
    heading: 'statementsMissing',
  },
  [NOTHING_SEALED]: {
    means: 'no day of it is sealed, or no merchant of the group has a page. So there is nothing to add up.',
    tried: 'Nothing. You are not notified of it again.',
    toDo: 'If the merchant is new or closed, you need do nothing. Otherwise run the reports of its days first, with a backfill.',
    heading: 'statementsMissing',
  },
  unbalanced: {
    means: 'the report arrived, marked as not balanced: its rows and the totals of the service do not agree.',
    tried: 'The day was read up to three times. A run of the lookback days pulls the day again.',
    toDo: '"daybook why" shows the differences. Run the report again when the service is quiet.',
    heading: 'notBalanced',
  },
  [PROVISIONAL]: {
    means: 'it says "provisional", because days or merchants are missing, or days do not balance.',
    tried:
      'When all days are sealed and balance, plan sends its message again, and its recipients get a correction. A group gets no correction: its next page says what changed.',
    toDo: '"daybook why" names its days or merchants. Run the reports of these days again.',
    heading: 'statementProvisional',
  },
  'mail not sent': {
    means: 'it is sealed, but its mail was refused or not sent to everybody yet.',
    tried:
      'Its message was tried up to three times. Each tick sends the message of a statement without a ledger again.',
    toDo: `Correct the cause that "daybook why" names. ${SEND_AGAIN}`,
    heading: 'mailNotSent',
  },
  'mail held': {
    means: 'it is not known whether the mail arrived.',
    tried: 'Daybook does not send it again by itself, because a recipient could then get it twice.',
    toDo: 'Ask a recipient. If the mail did not arrive, send it again.',
    heading: 'mailHeld',
  },
  bounced: {
    means: 'the mail came back. The address does not take mail.',
    tried: 'Daybook stopped mail to an address that bounced hard.',
    toDo: `Remove dead addresses from the registry, and ask for new ones. ${SEND_AGAIN}`,
    heading: 'mailsBounce',
  },
  complained: {
    means: 'a recipient marked the mail as unwanted.',
    tried: 'Daybook stopped mail to that address.',
    toDo: 'Ask the merchant or the group who shall get the mails, and correct the registry.',
    heading: 'mailsBounce',
  },
  'mail stopped': {
    means: 'a person stopped mail to every address.',
    tried: 'The mail was skipped. Another run sends nothing.',
    toDo: `If mail is to go out again, remove the stops of the addresses. ${SEND_AGAIN}`,
    heading: 'addressStopped',
  },
  'records not readable': {
    means: 'an object about it cannot be read, so it is not known whether it arrived.',
    tried: 'Each run of the watch reads it again.',
    toDo: 'Find the object in the log of delivery-watch, and restore an earlier version of it.',
    heading: 'recordNotReadable',
  },
};

const PULL_FAILED = 'pull failed: ';

export function adviceFor(reason: string): Advice {
  const known = ADVICE[reason];
  if (known !== undefined) return known;
  const error = reason.startsWith(PULL_FAILED) ? reason.slice(PULL_FAILED.length) : 'UnknownError';
  return {
    means: `the last pull of the day ended with ${error}. Nothing is sealed from half a pull.`,
    tried: 'Daybook repeated each request that may succeed later, and tried the message up to three times.',
    toDo: `Correct the cause: docs/operations.md explains ${error}. Then run the report again.`,
    heading: error === 'CipherError' ? 'cipherFailures' : 'reportsMissing',
    error,
  };
}

const MOST_LISTED = 100;
const MOST_REASONS = 8;
/** The same revision, to those who do not have it. */
const SENT_AGAIN = ['mail held', 'bounced', 'mail stopped'];

interface Troubled extends Delivery {
  trouble: string;
}

function once(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

/** Such as `700001` or `group shops`. */
function nameOf({ merchantCode, group }: PageOwner): string {
  return merchantCode ?? `group ${group}`;
}

function noun(of: Watched, owners: readonly PageOwner[], count: number): string {
  const isOfGroups = owners.every(({ group }) => group !== undefined);
  const one = of === 'reports' ? 'report' : isOfGroups ? 'page' : 'statement';
  return count === 1 ? one : `${one}s`;
}

/** What is unbalanced, provisional or complained of did arrive: ops must not look for it. */
function whatHappened(troubled: readonly Troubled[]): string {
  const many = troubled.length > 1;
  const reasons = new Set(troubled.map(({ trouble }) => trouble));
  const needsLook = reasons.has('unbalanced') || reasons.has('complained');
  const arrived = new Set(['unbalanced', PROVISIONAL]);
  return [
    ...(reasons.isSubsetOf(arrived) ? [] : ['did not arrive']),
    ...(needsLook ? [many ? 'need a look' : 'needs a look'] : []),
    ...(reasons.has(PROVISIONAL) ? [many ? 'are provisional' : 'is provisional'] : []),
  ].join(' or ');
}

/** The advice speaks of the first one, and of the last one, which makes or sends it. */
function commandsAbout(of: Watched, example: Troubled | undefined, day: string | undefined): NoticeCommand[] {
  const ofDay =
    of === 'reports' && day !== undefined
      ? [statusOf(day, `All reports of ${day} that are missing now`)]
      : [];
  if (example === undefined) return ofDay;
  const { trouble, ...page } = example;
  const whose = `${nameOf(page.owner)}, ${page.period}`;
  const what = of === 'reports' ? 'the report' : 'it';
  return [
    explain(page, `What happened to ${what}, step by step, and what to do (${whose})`),
    ...ofDay,
    SENT_AGAIN.includes(trouble)
      ? sendAgain(page, `Sends the newest revision to the recipients who do not have it (${whose})`)
      : makeAgain(page, `Makes ${what} again. What is done is not done twice (${whose})`),
  ];
}

function byFrequency(troubled: readonly Troubled[]): [string, number][] {
  const reasons = Map.groupBy(troubled, ({ trouble }) => trouble);
  return [...reasons]
    .map(([reason, { length }]): [string, number] => [reason, length])
    .sort(([, one], [, other]) => other - one);
}

/**
 * The notice of pages in trouble. The same set gives the same `about`, in any order, until an all-clear.
 * @param asked makes it another notice, for a person who asks for another time
 */
export function watchNotice(
  of: Watched,
  looked: readonly Delivery[],
  notified: readonly Notified[],
  asked = '',
): OpsNotice {
  const counted = looked.filter(({ isDue, counts }) => isDue && counts);
  const troubled = counted.flatMap((one): Troubled[] => {
    const trouble = troubleOf(one);
    return trouble === null ? [] : [{ ...one, trouble }];
  });
  const owners = troubled.map(({ owner }) => owner);
  const count = troubled.length;
  const what = whatHappened(troubled);
  const word = of === 'reports' ? 'day' : 'period';
  const lines = troubled.map(
    ({ owner, period, trouble }) => `${nameOf(owner)}, ${word} ${period}: ${trouble}`,
  );
  const periods = once(troubled.map(({ period }) => period)).sort();
  const spells = notified.flatMap(({ period, spell }) =>
    periods.includes(period) ? [`${period} ${spell}`] : [],
  );
  const reasons = byFrequency(troubled);
  const explained = reasons.slice(0, MOST_REASONS).map(([reason]) => ({ reason, advice: adviceFor(reason) }));
  const content = createHash('sha256')
    .update([asked, ...spells, ...lines.toSorted()].join('\n'))
    .digest('hex');
  // A merchant whose entry has no usable code is named by its place, which is no part of a key.
  const example = troubled.find(({ owner }) => MERCHANT_CODE.test(owner.merchantCode ?? owner.group));
  const [day] = periods;
  return {
    about: `missing ${of} ${content}`,
    merchants: once(owners.map(({ merchantCode }) => merchantCode)),
    groups: once(owners.map(({ group }) => group)),
    ...(of === 'reports' ? { days: periods } : { days: [], periods }),
    happened: `${noun(of, owners, count)} ${what}`,
    meaning: [
      `${count} of ${counted.length} ${noun(of, owners, counted.length)} that were due ${what}: ${reasons
        .map(([reason, times]) => `${times} × ${reason}`)
        .join(', ')}.`,
      ...explained.map(({ reason, advice }) => `${reason}: ${advice.means}`),
    ],
    tried: explained.map(({ reason, advice }) => `${reason}: ${advice.tried}`),
    toDo: explained.map(({ reason, advice }) => `${reason}: ${advice.toDo}`),
    headings: [...new Set(explained.map(({ advice }) => advice.heading))],
    errors: explained.flatMap(({ advice }) => (advice.error === undefined ? [] : [advice.error])),
    commands: commandsAbout(of, example, day),
    list: {
      heading: `The ${of}`,
      lines: lines.slice(0, MOST_LISTED),
      total: count,
      others: 'in the answer of delivery-watch',
    },
  };
}

function statusOf(day: string, shows: string): NoticeCommand {
  return { shows, does: 'daybook', words: ['status', '--day', day] };
}

export function allClearNotice(notified: Notified): OpsNotice {
  const { of, period, spell, nothingSealed } = notified;
  const missing = missingTold(notified);
  const lines = missing.map((owner) => owner.replace(/^merchant=/, '').replace(/^group=/, 'group '));
  const named = (prefix: string) =>
    missing.flatMap((owner) => (owner.startsWith(prefix) ? [owner.slice(prefix.length)] : []));
  const owners = missing.map((owner): PageOwner =>
    owner.startsWith('group=') ? { group: owner } : { merchantCode: owner },
  );
  const nothing = nothingSealed.length;
  const isOfDay = of === 'reports';
  return {
    about: `all is well again: ${isOfDay ? '' : 'statements of '}${period}, ${spell}`,
    merchants: named('merchant='),
    groups: named('group='),
    ...(isOfDay ? { days: [period] } : { days: [], periods: [period] }),
    happened: `the ${noun(of, owners, lines.length)} ${lines.length === 1 ? 'is' : 'are'} there now`,
    meaning: [
      isOfDay
        ? `Nothing is missing of day ${period} any more, and nothing needs a look.`
        : `No statement and no page of period ${period} is missing any more.`,
      ...(nothing === 0 ? [] : [`${nothing} of them had no sealed day. They are not looked at any more.`]),
      `You were notified of ${lines.length === 1 ? 'this one' : `these ${lines.length}`} before.`,
    ],
    tried: ['delivery-watch looked at each of them again.'],
    toDo: ['You need do nothing.'],
    headings: [isOfDay ? 'reportsMissing' : 'statementsMissing'],
    commands: isOfDay ? [statusOf(period, `The reports of ${period}`)] : [],
    list: {
      heading: isOfDay ? 'The merchants' : 'Merchants and groups',
      lines: lines.slice(0, MOST_LISTED),
      total: lines.length,
    },
  };
}
