import { reportChildren } from './children.ts';
import type { ChildrenUse } from './children.ts';
import { PRICES } from './prices.ts';

/** What a fleet uses in one day. */
export interface Usage {
  /** Pulled days per merchant: the reported day and the lookback days. */
  daysEach: number;
  children: ChildrenUse;
  /** All invocations of each size together: memory in MB, duration in milliseconds. */
  lambda: readonly { memory: number; duration: number }[];
  invocations: number;
  s3Writes: number;
  s3Reads: number;
  mails: number;
  secretReads: number;
  secrets: number;
  /** Bytes that are kept. */
  bytesStored: number;
  /** How long they are kept, days. */
  kept: number;
  logBytes: number;
}

/** A line of the bill. */
export interface CostLine {
  what: string;
  /** US dollars per day. */
  dollars: number;
}

const GB = 1_000_000_000;
const DAYS_A_MONTH = 30;
/** One tick every quarter of an hour. */
const TICKS = 96;

/**
 * State transitions of one execution, without its children and statements (docs/fan-out.md, "Numbers"). A test walks through
 * the state machines and counts them.
 */
export const TICK_TRANSITIONS = {
  reports: { nothing: 6, somebody: 14, again: 16 },
  alerts: { nothing: 5, somebody: 8, again: 10 },
};

/** State transitions of a day's ticks, one of which has all merchants. @param ticks a day */
export function tickTransitions(ticks = TICKS): number {
  const { nothing, somebody } = TICK_TRANSITIONS.reports;
  return Math.max(0, ticks - 1) * nothing + somebody;
}

/** The time of Lambda functions. @param milliseconds of all invocations together; memory in MB */
export function lambdaTime(milliseconds: number, memory: number): number {
  return (milliseconds / 1_000) * (memory / 1_024) * PRICES.lambdaGbSecond;
}

/** Objects that are kept. @param bytes of one day; kept in days */
export function storage(bytes: number, kept: number): number {
  return ((bytes * kept) / GB) * (PRICES.s3GbMonth / DAYS_A_MONTH);
}

/**
 * A line of S3's access log, bytes: 818 to 846 for the keys and the client of Daybook, by the format of the log. S3 charges nothing for
 * writing it.
 */
const LOGGED_REQUEST = 830;

/** The access logs of the bucket. They are kept for as long as the data in `lib/stages`. @param requests of one day */
export function accessLogs(requests: number, kept: number): number {
  return storage(requests * LOGGED_REQUEST, kept);
}

/** Secrets that exist, for one day. */
export function secretsKept(secrets: number): number {
  return (secrets * PRICES.secretMonth) / DAYS_A_MONTH;
}

/** Log lines that are written. @param bytes of one day @returns US dollars */
export function logs(bytes: number): number {
  return (bytes / GB) * PRICES.logGb;
}

/** What a stage has for any fleet. A test counts it in the templates of `prod`. */
export const FIXED = { metrics: 56, alarmMetrics: 48, dashboards: 1, keys: 1 };

/** Metrics, alarms, dashboard and key of a stage, for one day. */
export function fixed(): number {
  const month =
    FIXED.metrics * PRICES.metricMonth +
    FIXED.alarmMetrics * PRICES.alarmMetricMonth +
    FIXED.dashboards * PRICES.dashboardMonth +
    FIXED.keys * PRICES.keyMonth;
  return month / DAYS_A_MONTH;
}

/** The cost of a day of reports, by list prices. It does not include alert checks, the watch and queries. */
export function dailyCost(usage: Usage): CostLine[] {
  return [
    {
      what: 'Lambda, time',
      dollars: usage.lambda.reduce((sum, { duration, memory }) => sum + lambdaTime(duration, memory), 0),
    },
    { what: 'Lambda, requests', dollars: (usage.invocations + TICKS) * PRICES.lambdaRequest },
    {
      what: 'Step Functions',
      dollars: reportChildren(usage.children, usage.daysEach) + tickTransitions() * PRICES.stateTransition,
    },
    { what: 'S3, PUT and LIST', dollars: usage.s3Writes * PRICES.s3Write },
    { what: 'S3, GET', dollars: usage.s3Reads * PRICES.s3Read },
    { what: `S3, storage of ${usage.kept} days`, dollars: storage(usage.bytesStored, usage.kept) },
    { what: 'S3, access logs', dollars: accessLogs(usage.s3Writes + usage.s3Reads, usage.kept) },
    { what: 'SES', dollars: usage.mails * PRICES.mail },
    { what: 'Secrets Manager, calls', dollars: usage.secretReads * PRICES.secretRead },
    { what: 'Secrets Manager, secrets', dollars: secretsKept(usage.secrets) },
    { what: 'EventBridge Scheduler', dollars: TICKS * PRICES.scheduledInvocation },
    { what: 'CloudWatch logs', dollars: logs(usage.logBytes) },
    { what: 'Metrics, alarms, dashboard, key', dollars: fixed() },
  ];
}

/** The sum of a bill. US dollars per day. */
export function totalOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}
