import type { Advice } from '../reason-advice.ts';
import { NOT_SEALED, NOTHING_SEALED, PROVISIONAL } from './statement-delivery.ts';

const SEND_AGAIN =
  'Then send it again with the command below. Recipients who have the mail do not get it twice.';

const ADVICE: Readonly<Record<string, Omit<Advice, 'error'>>> = {
  [NOT_SEALED]: {
    means: 'days of it are sealed, but they were not added up.',
    tried: 'Each tick of the reports hands it out again until it is sealed.',
    toDo: 'Look at the log of plan and at the executions of the reports. Then make it with the command below.',
    heading: 'statementsMissing',
  },
  [NOTHING_SEALED]: {
    means: 'no day of it is sealed, or no merchant of the group has a page. So there is nothing to add up.',
    tried: 'Nothing. You are not notified of it again.',
    toDo: 'If the merchant is new or closed, you need do nothing. Otherwise run the reports of its days first, with a backfill.',
    heading: 'statementsMissing',
  },
  [PROVISIONAL]: {
    means: 'it says "provisional", because days or merchants are missing, or days do not balance.',
    tried:
      'When all days are sealed and balance, plan hands it out again, and its recipients get a correction. A group gets no correction: its next page says what changed.',
    toDo: 'The last command shows one of them: "missing" and "unbalanced" name its days or merchants. Run the reports of these days again.',
    heading: 'statementProvisional',
  },
  'mail not sent': {
    means: 'it is sealed, but its mail was refused or not sent to everybody yet.',
    tried:
      'While it has no ledger, each tick hands it out again. A mail that was refused is not tried again by itself.',
    toDo: 'Correct the cause that its ledger names. Then make it again with the command below: recipients who have the mail do not get it twice.',
    heading: 'mailNotSent',
  },
  'mail held': {
    means: 'it is not known whether the mail arrived.',
    tried: 'Daybook does not send it again by itself, because a recipient could then get it twice.',
    toDo: 'Ask a recipient. If the mail did not arrive, send it again with the command below.',
    heading: 'mailHeld',
  },
  bounced: {
    means: 'the mail came back. The address does not take mail.',
    tried: 'Daybook stopped mail to an address that bounced hard.',
    toDo: `Correct the address in the registry. ${SEND_AGAIN}`,
    heading: 'mailsBounce',
  },
  complained: {
    means: 'a recipient marked the mail as unwanted.',
    tried: 'Daybook stopped mail to that address.',
    toDo: 'Ask who shall get the mails, and correct the registry.',
    heading: 'mailsBounce',
  },
  'mail stopped': {
    means: 'a person stopped mail to every address.',
    tried: 'The mail was skipped. Another run sends nothing.',
    toDo: `If mail is to go out again, remove the stops of the addresses. ${SEND_AGAIN}`,
    heading: 'addressStopped',
  },
};

const UNREADABLE: Advice = {
  means: 'an object about it cannot be read, so it is not known whether it arrived.',
  tried: 'Each run of the watch reads it again.',
  toDo: 'Find the object in the log of delivery-watch, and restore an earlier version of it.',
  heading: 'recordNotReadable',
};

/** What to say about a reason of the answer's `statements`. */
export function adviceForStatement(trouble: string): Advice {
  return ADVICE[trouble] ?? UNREADABLE;
}
