import { CHANGES, lastGoodKey } from '#records/storage/keys.ts';

/*
 * This file imports nothing of CDK: scripts, tests and the simulated days read it, too, and CDK takes seconds to load.
 */

/** The key of the registry in the data bucket. */
export const REGISTRY_KEY = 'config/merchants.json';

/**
 * The alias of every function and of both fan-outs. Schedules, events and people call it. It points to the published version
 * that works now (ADR 8).
 */
export const LIVE = 'live';

export type FunctionName =
  'plan' | 'daily-report' | 'statement' | 'alert-check' | 'delivery-watch' | 'mail-events' | 'sweep' | 'lake';

/**
 * Other sizes of `daily-report`: the same code, rights and events. Only the state machine of the reports calls them, and only
 * by version.
 */
export type ReportSizeName = 'daily-report-batch' | 'daily-report-large';

/** The work of a state machine: the daily reports, or the checks of alert rules. */
export type FanOutKind = 'daily' | 'alert';

/** The objects of the data bucket that a function may work with. Keys; a star at the end stands for any text. */
export interface ObjectRights {
  read: readonly string[];
  write: readonly string[];
  /** Uploads that can have several parts. A failed upload must be aborted. */
  upload?: readonly string[];
  remove?: readonly string[];
}

/** The output of the stack `Functions` that has a function's name in AWS, such as `DailyReportFunction`. */
export function functionOutput(name: FunctionName | ReportSizeName): string {
  const words = name.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Function`;
}

/** The functions that state machines call, besides {@link REPORT_SIZES}. */
export const FANNED_OUT = [
  'plan',
  'daily-report',
  'statement',
  'alert-check',
] as const satisfies readonly FunctionName[];

/** The output of the stack `Functions` that has the ARN of a function's newest version, such as `DailyReportVersion`. */
export function versionOutput(name: FunctionName | ReportSizeName): string {
  return functionOutput(name).replace(/Function$/, 'Version');
}

/** The size and the rights of a function. */
export interface FunctionDefinition {
  description: string;
  /** MiB. */
  memory: number;
  timeoutMinutes: number;
  objects: ObjectRights;
  /** It reads credentials, because it calls the payment service. */
  credentials: boolean;
  /** The caller does not wait. An event that fails every time goes to the dead-letter queue. */
  unattended: boolean;
}

/** The only object that `plan` may write and that can serve as the registry. `accept` checks what it writes. */
export const LAST_GOOD = lastGoodKey(REGISTRY_KEY);
/** The registry, and the last good one. */
export const REGISTRY = [REGISTRY_KEY, LAST_GOOD];
/** Records of the notices that the operators got. */
export const NOTICES = 'mail/ops/*';
/** Ledgers of reports. The ledgers of alerts and notices are under `mail/`, too. */
export const REPORT_LEDGERS = 'mail/day=*';
/** Ledgers of alert mails. */
export const ALERT_LEDGERS = 'mail/alerts/*';
/** Ledgers of statements and of groups' pages. */
export const STATEMENT_LEDGERS = 'mail/period=*';
/** Change markers. A function writes one before it changes a day or the ledger of a report, and reads none. */
const CHANGE_MARKERS = `${CHANGES}*`;
const WATCH_LISTS = 'config/refunds/*';
/** Addresses that mail no longer goes to. */
export const MAIL_STOPS = 'mail-stops/*';

/** What differs between `daily-report` and its other sizes. */
export type ReportSize = Pick<FunctionDefinition, 'description' | 'memory' | 'timeoutMinutes'>;

/** The other sizes of `daily-report` (docs/fan-out.md, "A child"). */
export const REPORT_SIZES: Record<ReportSizeName, ReportSize> = {
  'daily-report-batch': {
    description: 'daily-report for small merchants that share a child',
    // Most merchants run here, and all of them wait for its CPU: half as much again costs 3 cents a day for 10,000 (ADR 4).
    memory: 768,
    // Four days one after another must end within the five minutes of the child.
    timeoutMinutes: 1,
  },
  'daily-report-large': {
    description: 'daily-report for merchants with large days',
    // One whole vCPU.
    memory: 1_769,
    timeoutMinutes: 15,
  },
};

/** Every function with its size and rights. The README of each function says why it needs each right. */
export const FUNCTIONS: Record<FunctionName, FunctionDefinition> = {
  plan: {
    description: 'Decides who is due and writes the items of the fan-out',
    memory: 1_024,
    // The daily look at the statements of 20,000 merchants lists 1,200 pages. Each takes 40 ms to parse, and more with this memory.
    timeoutMinutes: 5,
    credentials: false,
    unattended: false,
    objects: {
      // Days and ledgers are listed only.
      read: [...REGISTRY, 'plan/*', 'statements/*', NOTICES],
      write: [LAST_GOOD, 'plan/*', NOTICES],
      remove: ['plan/open/*'],
    },
  },
  'daily-report': {
    description: 'One merchant and day: pull, balance, seal, mail',
    memory: 512,
    timeoutMinutes: 15,
    credentials: true,
    unattended: false,
    objects: {
      read: [
        ...REGISTRY,
        WATCH_LISTS,
        'invoices/json/*',
        'refunds/json/*',
        'days/*',
        'checked/*',
        'history/*',
        REPORT_LEDGERS,
        NOTICES,
        MAIL_STOPS,
      ],
      write: ['days/*', 'checked/*', 'history/*', REPORT_LEDGERS, CHANGE_MARKERS, NOTICES],
      upload: ['invoices/*', 'refunds/*'],
    },
  },
  statement: {
    description: "One merchant's week or month, or one page of a group: add up, seal, mail",
    // 512 MB are enough for the page of 10,000 merchants. A group may have 20,000, and with less memory Lambda has less CPU.
    memory: 1_024,
    timeoutMinutes: 2,
    credentials: false,
    unattended: false,
    objects: {
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
    },
  },
  'alert-check': {
    description: "One merchant's alert rules: read, evaluate, mail what changed",
    memory: 512,
    timeoutMinutes: 2,
    credentials: true,
    unattended: false,
    objects: {
      read: [
        ...REGISTRY,
        WATCH_LISTS,
        'invoices/json/*',
        'refunds/json/*',
        'days/*',
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
    credentials: false,
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
    credentials: false,
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
    credentials: false,
    unattended: true,
    objects: {
      read: [REPORT_LEDGERS, STATEMENT_LEDGERS, ALERT_LEDGERS, NOTICES, MAIL_STOPS],
      write: [REPORT_LEDGERS, STATEMENT_LEDGERS, ALERT_LEDGERS, CHANGE_MARKERS, NOTICES, MAIL_STOPS],
    },
  },
  lake: {
    description: 'Keeps the history of the lake: looks, merges what has changed, maintains the tables',
    // It waits for Athena.
    memory: 256,
    timeoutMinutes: 15,
    credentials: false,
    unattended: true,
    // Athena reads and writes with rights that the stack Lake grants.
    objects: { read: [], write: [] },
  },
};
