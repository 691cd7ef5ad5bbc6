import type { HeadingName } from '#domain/notices/runbook.ts';

/** What a notice says about a reason for which a report is missing. */
export interface Advice {
  /** What the reason means. */
  means: string;
  /** What Daybook did or will do by itself. */
  tried: string;
  toDo: string;
  heading: HeadingName;
  /** The error that a pull ended with, if it did. */
  error?: string;
}

const LOOKS_AGAIN = 'A run of the lookback days pulls the day again.';
const MAIL_STOPPED =
  'Remove dead addresses from the registry, and ask the merchant for new ones. Then send the report again.';

const ADVICE: Readonly<Record<string, Advice>> = {
  'no run': {
    means: 'nothing was pulled since the day ended.',
    tried:
      'After three hours a tick hands out a round that did not end. Otherwise nothing follows by itself.',
    toDo: 'Look at the schedules, the log of plan and the executions of the reports. Then run the report again.',
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
  'mail not sent': {
    means: 'the day is sealed, but its mail was refused or not sent to everybody yet.',
    tried: 'The second round of the fan-out tried again.',
    toDo: 'Correct the cause that the first command names. Then run the report again: recipients who have the mail do not get it twice.',
    heading: 'mailNotSent',
  },
  'mail held': {
    means: 'it is not known whether the mail arrived.',
    tried: 'Daybook does not send it again by itself, because a recipient could then get it twice.',
    toDo: 'Ask a recipient. If the mail did not arrive, send the report again.',
    heading: 'mailHeld',
  },
  bounced: {
    means: 'the mail came back. The address does not take mail.',
    tried: 'Daybook stopped mail to an address that bounced hard.',
    toDo: MAIL_STOPPED,
    heading: 'mailsBounce',
  },
  complained: {
    means: 'a recipient marked the mail as unwanted.',
    tried: 'Daybook stopped mail to that address.',
    toDo: 'Ask the merchant who shall get the reports, and correct the registry.',
    heading: 'mailsBounce',
  },
  'mail stopped': {
    means: 'a person stopped mail to every address of the merchant.',
    tried: 'The mail was skipped. Another run sends nothing.',
    toDo: 'If mail is to go out again, remove the stops of the addresses. Then send the report again.',
    heading: 'addressStopped',
  },
  unbalanced: {
    means: 'the report arrived, marked as not balanced: its rows and the totals of the service do not agree.',
    tried: `The day was read up to three times. ${LOOKS_AGAIN}`,
    toDo: 'The first command shows the differences. Run the report again when the service is quiet.',
    heading: 'notBalanced',
  },
  'records not readable': {
    means: 'an object about the day cannot be read, so it is not known whether the report arrived.',
    tried: 'Each run of the watch reads it again.',
    toDo: 'Find the object in the log of delivery-watch, and restore an earlier version of it.',
    heading: 'recordNotReadable',
  },
};

const PULL_FAILED = 'pull failed: ';

/** What to say about a reason of the watch's answer. */
export function adviceFor(reason: string): Advice {
  const known = ADVICE[reason];
  if (known !== undefined) return known;
  const error = reason.startsWith(PULL_FAILED) ? reason.slice(PULL_FAILED.length) : 'UnknownError';
  return {
    means: `the last pull of the day ended with ${error}. Nothing is sealed from half a pull.`,
    tried: 'Daybook repeated each request that may succeed later, and ran the merchant a second time.',
    toDo: `Correct the cause: docs/operations.md explains ${error}. Then run the report again.`,
    heading: error === 'CipherError' ? 'cipherFailures' : 'reportsMissing',
    error,
  };
}
