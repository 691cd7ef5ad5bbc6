import { PRICES } from './prices.ts';

/** What a fleet uses in one day. */
export interface Usage {
  merchants: number;
  /** Pulled days per merchant: the reported day and the lookback days. */
  daysEach: number;
  /** MB. */
  memory: number;
  /** All invocations together, milliseconds. */
  duration: number;
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

/** State transitions of a day's reports (docs/fan-out.md, "Numbers"): map, choice and end, besides a merchant's calls. */
export function stateTransitions(merchants: number, daysEach: number): number {
  const tickWithNothing = 4;
  const tickWithSomebody = 7;
  return merchants * (3 + daysEach) + (TICKS - 1) * tickWithNothing + tickWithSomebody;
}

/** The cost of a day of reports, by list prices. It does not include alert checks, the watch and queries. */
export function dailyCost(usage: Usage): CostLine[] {
  const gbSeconds = (usage.duration / 1_000) * (usage.memory / 1_024);
  return [
    { what: 'Lambda, time', dollars: gbSeconds * PRICES.lambdaGbSecond },
    { what: 'Lambda, requests', dollars: (usage.invocations + TICKS) * PRICES.lambdaRequest },
    {
      what: 'Step Functions',
      dollars: stateTransitions(usage.merchants, usage.daysEach) * PRICES.stateTransition,
    },
    { what: 'S3, PUT and LIST', dollars: usage.s3Writes * PRICES.s3Write },
    { what: 'S3, GET', dollars: usage.s3Reads * PRICES.s3Read },
    {
      what: `S3, storage of ${usage.kept} days`,
      dollars: ((usage.bytesStored * usage.kept) / GB) * (PRICES.s3GbMonth / DAYS_A_MONTH),
    },
    { what: 'SES', dollars: usage.mails * PRICES.mail },
    { what: 'Secrets Manager, calls', dollars: usage.secretReads * PRICES.secretRead },
    { what: 'Secrets Manager, secrets', dollars: (usage.secrets * PRICES.secretMonth) / DAYS_A_MONTH },
    { what: 'EventBridge Scheduler', dollars: TICKS * PRICES.scheduledInvocation },
    { what: 'CloudWatch logs', dollars: (usage.logBytes / GB) * PRICES.logGb },
    { what: 'Metrics, alarms, dashboard, key', dollars: PRICES.fixedMonth / DAYS_A_MONTH },
  ];
}

export function totalOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}
