import { CHANGES, LAST_TICK, PROOFS, REGISTERED_MERCHANTS, lastGoodKey } from '#records/storage/keys.ts';

/*
 * This file imports nothing of CDK: scripts, tests and the simulated days read it, too, and CDK takes seconds to load.
 */

export const REGISTRY_KEY = 'config/merchants.json';

/** Schedules, queues, events and people call this alias. It points to the published version that works now (ADR 8). */
export const LIVE = 'live';

/** The functions that every stage has. */
export const FUNCTION_NAMES = [
  'plan',
  'daily-report',
  'statement',
  'alert-check',
  'delivery-watch',
  'mail-events',
  'sweep',
  'lake',
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** The functions that a stage has only with one of its settings on, and that setting. */
export const SETTING_OF = {
  announce: 'events',
  link: 'links',
  unsubscribe: 'unsubscribe',
  prove: 'proofs',
} as const;
export type OptionalFunctionName = keyof typeof SETTING_OF;

export type AnyFunctionName = FunctionName | OptionalFunctionName;

/** The queues that `plan` sends to. */
export const QUEUE_NAMES = ['reports', 'backfills', 'alerts'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

interface QueueDefinition {
  description: string;
  worker: FunctionName;
  /** Messages of one run. */
  batchSize: number;
  /** The batching window: how long Lambda waits for more messages of a run. Seconds. */
  batchingSeconds: number;
  /** An alarm rings when a message has waited for longer. */
  longestWaitMinutes: number;
}

/** The queues (docs/queues.md). */
export const QUEUES: Record<QueueName, QueueDefinition> = {
  reports: {
    description: 'Reports, statements and pages of groups',
    worker: 'daily-report',
    batchSize: 1,
    batchingSeconds: 0,
    // Three runs that hang take 48 minutes.
    longestWaitMinutes: 90,
  },
  // A queue of its own: a year of one merchant must not hold up a morning.
  backfills: {
    description: 'Days of the past',
    worker: 'daily-report',
    batchSize: 1,
    batchingSeconds: 0,
    longestWaitMinutes: 24 * 60,
  },
  alerts: {
    description: 'Checks of alert rules',
    worker: 'alert-check',
    batchSize: 10,
    batchingSeconds: 5,
    longestWaitMinutes: 45,
  },
};

/** A message that failed so often goes to the dead-letter queue. */
export const MAX_RECEIVES = 3;

function inCapitals(name: string): string {
  const words = name.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return words.join('');
}

/** The output of the stack `Functions` that has a queue's URL, such as `ReportsQueue`. */
export function queueOutput(name: QueueName): string {
  return `${inCapitals(name)}Queue`;
}

/** The output of the stack `Functions` that says how many batches of a queue run at the same time. */
export function concurrencyOutput(name: QueueName): string {
  return `${inCapitals(name)}Concurrency`;
}

/** The objects of the data bucket that a function may work with. Keys; a star at the end stands for any text. */
export interface ObjectRights {
  read: readonly string[];
  /** Their former versions, too. */
  readVersions?: readonly string[];
  write: readonly string[];
  /** Uploads that can have several parts. A failed upload must be aborted. */
  upload?: readonly string[];
  remove?: readonly string[];
}

/** The output of the stack `Functions` that has a function's name in AWS, such as `DailyReportFunction`. */
export function functionOutput(name: AnyFunctionName): string {
  return `${inCapitals(name)}Function`;
}

export interface FunctionDefinition {
  description: string;
  /** MiB. */
  memory: number;
  timeoutMinutes: number;
  objects: ObjectRights;
  /** It reads credentials, because it calls the payment service. */
  credentials?: true;
  /** The caller does not wait. An event that fails every time goes to the dead-letter queue. */
  unattended?: true;
  /** It stops before its time ends, and its next run goes on: a long run is no reason for an alarm. */
  goesOn?: true;
  /** It sends messages to a queue that calls it. Without this, Lambda would stop the 17th run of such a chain. */
  callsItself?: true;
}

/** The only object that `plan` may write and that can serve as the registry. `accept` checks what it writes. */
export const LAST_GOOD = lastGoodKey(REGISTRY_KEY);
export const REGISTRY = [REGISTRY_KEY, LAST_GOOD];
/** Records of the notices that the operators got. */
export const NOTICES = 'mail/ops/*';
/** Ledgers of reports. The ledgers of alerts and notices are under `mail/`, too. */
export const REPORT_LEDGERS = 'mail/day=*';
export const ALERT_LEDGERS = 'mail/alerts/*';
/** Ledgers of statements and of groups' pages. */
export const STATEMENT_LEDGERS = 'mail/period=*';
/** Change markers. A function writes one before it changes a day or the ledger of a report, and reads none. */
const CHANGE_MARKERS = `${CHANGES}*`;
const WATCH_LISTS = 'config/refunds/*';
/** Addresses that mail no longer goes to. */
export const MAIL_STOPS = 'mail-stops/*';

/** What readers stopped. None of them is the stop of all mail to an address. */
const READERS_STOPS = ['mail-stops/merchant=*', 'mail-stops/group=*'];

/** Files that mails link. */
export const LINKED_FILES = 'links/*';

/** What the statement of a merchant or a page of a group needs. */
const STATEMENT_OBJECTS: ObjectRights = {
  read: [
    ...REGISTRY,
    'invoices/json/*',
    'refunds/json/*',
    'days/*',
    'history/*',
    'statements/*',
    STATEMENT_LEDGERS,
    NOTICES,
    MAIL_STOPS,
  ],
  write: ['statements/*', STATEMENT_LEDGERS, NOTICES],
};

/** Every function with its size and rights. The README of each function says why it needs each right. */
export const FUNCTIONS: Record<FunctionName, FunctionDefinition> = {
  plan: {
    description: 'Decides who is due and sends the messages',
    // A look by hand at a year of 20,000 merchants keeps seven million revisions.
    memory: 2_048,
    // The daily look at the statements of 20,000 merchants lists 1,200 pages. Each takes 40 ms to parse, and more with this memory.
    timeoutMinutes: 5,
    unattended: true,
    objects: {
      // Days, data files and ledgers are listed only.
      read: [...REGISTRY, LAST_TICK, 'statements/*', NOTICES],
      write: [LAST_GOOD, LAST_TICK, NOTICES],
    },
  },
  'daily-report': {
    description:
      'One merchant and day: pull, balance, seal, mail. Does the messages of reports and statements',
    // A large day needs its CPU, and a group's page of 20,000 merchants its memory (ADR 4).
    memory: 1_024,
    timeoutMinutes: 15,
    credentials: true,
    // The rest of a long message is a new message, with fewer days each time.
    callsItself: true,
    objects: {
      read: [...STATEMENT_OBJECTS.read, WATCH_LISTS, 'checked/*', REPORT_LEDGERS],
      write: [...STATEMENT_OBJECTS.write, 'days/*', 'checked/*', 'history/*', REPORT_LEDGERS, CHANGE_MARKERS],
      upload: ['invoices/*', 'refunds/*'],
    },
  },
  statement: {
    description: "One merchant's week or month, or one page of a group: add up, seal, mail",
    // 512 MB are enough for the page of 10,000 merchants. A group may have 20,000, and with less memory Lambda has less CPU.
    memory: 1_024,
    timeoutMinutes: 2,
    objects: STATEMENT_OBJECTS,
  },
  'alert-check': {
    description: "One merchant's alert rules: read, evaluate, mail what changed",
    memory: 512,
    timeoutMinutes: 2,
    credentials: true,
    objects: {
      read: [
        ...REGISTRY,
        WATCH_LISTS,
        'invoices/json/*',
        'refunds/json/*',
        'days/*',
        'history/*',
        'alerts/*',
        ALERT_LEDGERS,
        NOTICES,
        MAIL_STOPS,
      ],
      write: ['alerts/*', ALERT_LEDGERS, NOTICES],
    },
  },
  'delivery-watch': {
    description: 'Expected reports against received ones, after each deadline',
    memory: 512,
    timeoutMinutes: 10,
    unattended: true,
    objects: {
      read: [...REGISTRY, 'days/*', 'checked/*', REPORT_LEDGERS, 'statements/*', STATEMENT_LEDGERS, NOTICES],
      write: [NOTICES],
    },
  },
  sweep: {
    description: 'Closes what dead runs left open, removes files without a seal',
    memory: 512,
    timeoutMinutes: 10,
    unattended: true,
    objects: {
      read: [...REGISTRY, 'days/*', REPORT_LEDGERS, STATEMENT_LEDGERS, 'alerts/*', ALERT_LEDGERS, NOTICES],
      write: [REPORT_LEDGERS, STATEMENT_LEDGERS, ALERT_LEDGERS, CHANGE_MARKERS, NOTICES],
      remove: ['invoices/*', 'refunds/*'],
    },
  },
  'mail-events': {
    description: 'What SES says of a mail, into its ledger; stops mail to addresses that bounce or complain',
    memory: 256,
    timeoutMinutes: 1,
    unattended: true,
    objects: {
      read: [REPORT_LEDGERS, STATEMENT_LEDGERS, ALERT_LEDGERS, NOTICES, MAIL_STOPS],
      write: [REPORT_LEDGERS, STATEMENT_LEDGERS, ALERT_LEDGERS, CHANGE_MARKERS, NOTICES, MAIL_STOPS],
    },
  },
  lake: {
    description: 'Keeps the history of the lake: looks, merges what has changed, maintains the tables',
    // It waits for Athena, but reads the registry.
    memory: 512,
    timeoutMinutes: 15,
    unattended: true,
    goesOn: true,
    // Athena reads and writes with rights that the stack Lake grants.
    objects: { read: [...REGISTRY, REGISTERED_MERCHANTS], write: [REGISTERED_MERCHANTS] },
  },
};

/** What changes and says something to other systems. */
const ANNOUNCED_CHANGES = [REPORT_LEDGERS, 'mail/ops/watch/*', 'alerts/*', MAIL_STOPS];
/** The objects that say something to other systems: their events call `announce`. */
const ANNOUNCED = ['days/*', 'statements/*', ...ANNOUNCED_CHANGES];
/** What their keys begin with. */
export const ANNOUNCED_STARTS = ANNOUNCED.map((keys) => keys.replace('*', ''));

/** Whether an object with this key calls `announce`. */
export function isAnnounced(key: string): boolean {
  return ANNOUNCED_STARTS.some((start) => key.startsWith(start));
}

/** The functions whose mails link files. */
export const LINK_FILES: ReadonlySet<string> = new Set<FunctionName>(['daily-report', 'statement']);

/**
 * The functions that a stage has only if its settings ask for them. `link` and `unsubscribe` are called by anybody on the
 * internet, so each reads and writes as little as can be.
 */
export const OPTIONAL_FUNCTIONS: Record<OptionalFunctionName, FunctionDefinition> = {
  announce: {
    description: 'What an object says, as an event for other systems',
    memory: 512,
    timeoutMinutes: 2,
    unattended: true,
    objects: { read: [...ANNOUNCED, NOTICES], readVersions: ANNOUNCED_CHANGES, write: [NOTICES] },
  },
  link: {
    description: 'Shows what file a link of a mail leads to, and hands it out when the reader asks for it',
    memory: 512,
    timeoutMinutes: 0.5,
    objects: { read: [...REGISTRY, LINKED_FILES, MAIL_STOPS], write: [] },
  },
  unsubscribe: {
    description: 'Stops the mails that a reader wants no more, and undoes it',
    memory: 512,
    timeoutMinutes: 0.5,
    objects: {
      read: [...REGISTRY, ...READERS_STOPS, NOTICES],
      write: [...READERS_STOPS, NOTICES],
      remove: READERS_STOPS,
    },
  },
  prove: {
    description: 'Signs once a night for every page that was sealed since the night before',
    // The first proof of an old stage has 250,000 pages.
    memory: 1_024,
    // The runs of two dates must not meet: a run begins a quarter of an hour after midnight at the earliest.
    timeoutMinutes: 12,
    unattended: true,
    // Change markers are listed only.
    objects: { read: ['days/*', 'statements/*', `${PROOFS}*`], write: [`${PROOFS}*`] },
  },
};
