import type { HeadingName } from '#mail/notices/runbook.ts';
import { NOT_SEALED, NOTHING_SEALED, PROVISIONAL } from './delivery.ts';

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
