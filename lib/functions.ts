import { Duration } from 'aws-cdk-lib';
import { lastGoodKey } from '#domain/storage/keys.ts';
import type { ObjectRights } from './constructs/rights.ts';

/** Where the registry stands in the data bucket. */
export const REGISTRY_KEY = 'config/merchants.json';

export type FunctionName =
  'plan' | 'daily-report' | 'alert-check' | 'delivery-watch' | 'mail-events' | 'sweep';

/** What a function is given, and no more. */
export interface FunctionDefinition {
  description: string;
  /** MiB. */
  memory: number;
  timeout: Duration;
  objects: ObjectRights;
  /** Reads credentials, to call the service. */
  credentials: boolean;
  /** Called and not waited for: what fails every time is kept in the queue of dead letters. */
  unattended: boolean;
}

/** The one object that `plan` may write and that can serve as the registry; `accept` checks what it writes. */
const LAST_GOOD = lastGoodKey(REGISTRY_KEY);
const REGISTRY = [REGISTRY_KEY, LAST_GOOD];
/** What ops were told of. */
const NOTICES = 'mail/ops/*';
/** Ledgers of reports; those of alerts and notices stand beside them under `mail/`. */
const REPORT_LEDGERS = 'mail/day=*';
const ALERT_LEDGERS = 'mail/alerts/*';
const WATCH_LISTS = 'config/refunds/*';
const MAIL_STOPS = 'mail-stops/*';

/** Every function, with its size and rights. Why each right is needed: the README of the function. */
export const FUNCTIONS: Record<FunctionName, FunctionDefinition> = {
  plan: {
    description: 'Decides who is due and writes the items of the fan-out',
    memory: 1_024,
    timeout: Duration.minutes(2),
    credentials: false,
    unattended: false,
    objects: {
      read: [...REGISTRY, 'plan/*', NOTICES],
      write: [LAST_GOOD, 'plan/*', NOTICES],
      remove: ['plan/open/*'],
    },
  },
  'daily-report': {
    description: 'One merchant and day: pull, balance, seal, mail',
    memory: 512,
    timeout: Duration.minutes(15),
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
      write: ['days/*', 'checked/*', 'history/*', REPORT_LEDGERS, NOTICES],
      upload: ['invoices/*', 'refunds/*'],
    },
  },
  'alert-check': {
    description: "One merchant's alert rules: read, evaluate, mail what changed",
    memory: 512,
    timeout: Duration.minutes(2),
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
    timeout: Duration.minutes(10),
    credentials: false,
    unattended: true,
    objects: { read: [...REGISTRY, 'days/*', 'checked/*', REPORT_LEDGERS, NOTICES], write: [NOTICES] },
  },
  sweep: {
    description: 'Closes what dead runs left open, removes files without a seal',
    memory: 512,
    timeout: Duration.minutes(10),
    credentials: false,
    unattended: true,
    objects: {
      read: [...REGISTRY, 'days/*', REPORT_LEDGERS, 'alerts/*', ALERT_LEDGERS, NOTICES],
      write: [REPORT_LEDGERS, ALERT_LEDGERS, NOTICES],
      remove: ['invoices/*', 'refunds/*'],
    },
  },
  'mail-events': {
    description: 'What SES says of a mail, into its ledger; stops mail to addresses that bounce or complain',
    memory: 256,
    timeout: Duration.minutes(1),
    credentials: false,
    unattended: true,
    objects: {
      read: [REPORT_LEDGERS, ALERT_LEDGERS, NOTICES, MAIL_STOPS],
      write: [REPORT_LEDGERS, ALERT_LEDGERS, NOTICES, MAIL_STOPS],
    },
  },
};
