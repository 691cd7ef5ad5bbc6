import { dailyCost } from '#bin/daybook/cost/model/cost.ts';
import type { CostLine } from '#bin/daybook/cost/model/cost.ts';
import { AWS_LATENCY, FULL_CPU, WINDOW, duration } from '#bin/daybook/cost/model/duration.ts';
import { runChildren } from './children.ts';
import type { FleetChildren } from './children.ts';
import type { InvoiceCosts } from './cost/limits.ts';
import type { LargeDay } from './probe.ts';
import type { FleetRun, MeasuredDay, MeasuredReport } from './run-fleet.ts';
import type { Schedule } from './schedule.ts';
import type { Settings } from './settings.ts';
import { secretCountOf } from './world.ts';
import { median } from 'simple-statistics';

/** A measured amount that grows with a day's rows. */
interface Line {
  /** The amount of an empty day. */
  fixed: number;
  perRow: number;
}

/**
 * The cost of a day, and of each of its rows: the median of the smallest tenth, and the total above that. So a few large
 * days do not distort the first figure, and still count in the second.
 */
export function lineThrough(points: readonly { rows: number; amount: number }[]): Line {
  if (points.length === 0) return { fixed: 0, perRow: 0 };
  const bySize = points.toSorted((a, b) => a.rows - b.rows);
  const smallest = bySize.slice(0, Math.max(1, Math.floor(points.length / 10)));
  const fixed = median(smallest.map(({ amount }) => amount));
  const rows = points.reduce((sum, point) => sum + point.rows, 0);
  const above = points.reduce((sum, point) => sum + point.amount - fixed, 0);
  return { fixed, perRow: rows === 0 ? 0 : Math.max(0, above / rows) };
}

/** The lookback days of each report: the registry's default has three. */
export const LOOKBACK_DAYS = 3;
/** `retention.dataDays` of the stages. */
const KEPT_DAYS = 400;
/** The lines START, END and REPORT, which Lambda writes for each invocation. Bytes. */
const LAMBDA_LOG = 400;

/** What a fleet of one size needs in Lambda. Times in milliseconds, sizes in bytes. */
export interface FleetFigures {
  merchants: number;
  invoices: number;
  largest: number;
  /** Requests to the payment service: of the reports alone, and with the lookback days. */
  requests: number;
  requestsWithLookback: number;
  awsCalls: number;
  /** CPU of the reports, as measured. */
  cpu: number;
  /** On this machine, with this number of workers. */
  wall: number;
  peak: number;
  plan: { cpu: number; wall: number; peak: number } | undefined;
  reportsOnly: Schedule;
  withLookback: Schedule;
  children: FleetChildren;
  cost: CostLine[];
}

/** What it takes to read an unchanged day again. */
interface Again {
  cpu: Line;
  s3Puts: number;
  s3Lists: number;
  s3Gets: number;
  awsChain: number;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

function againOf(reports: readonly MeasuredReport[]): Again {
  return {
    cpu: cpuLine(reports),
    s3Puts: mean(reports.map(({ aws }) => aws.s3Put)),
    s3Lists: mean(reports.map(({ aws }) => aws.s3List)),
    s3Gets: mean(reports.map(({ aws }) => aws.s3Get)),
    awsChain: mean(reports.map(({ awsChain }) => awsChain)),
  };
}

export function cpuLine(reports: readonly MeasuredReport[]): Line {
  return lineThrough(reports.map(({ invoices, cpu }) => ({ rows: invoices, amount: cpu })));
}

function requestsOf({ requests }: MeasuredReport): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** The figures of the first merchants of a run, up to this number, as if they were the whole fleet. */
export function assessFleet(run: FleetRun, merchants: number, settings: Settings): FleetFigures {
  const { concurrency, memory, latency } = settings;
  const days = run.days.slice(0, merchants);
  const again = againOf(run.again);
  const { fixed } = cpuLine(run.days);
  const placeOf = (given: number) => ({ memory: given, latency, awsLatency: AWS_LATENCY, window: WINDOW });
  const first = (day: MeasuredDay, given: number) => duration(day, fixed, placeOf(given));
  const later = ({ invoices, requests }: MeasuredDay, given: number) => {
    const cpu = again.cpu.fixed + again.cpu.perRow * invoices;
    return duration({ cpu, requests, awsChain: again.awsChain }, again.cpu.fixed, placeOf(given));
  };
  // A merchant's days run one after another.
  const asRun = (lookback: number) =>
    runChildren(
      days.map((day) => ({
        ...day,
        durationIn: (given) => first(day, given) + lookback * later(day, given),
      })),
      1 + lookback,
      settings,
    );
  const children = asRun(LOOKBACK_DAYS);
  const requests = sumOf(days, requestsOf);
  const invocations = merchants * (1 + LOOKBACK_DAYS);
  const lookedBack = merchants * LOOKBACK_DAYS;
  const logs = run.logBytes / (run.days.length + run.again.length) + LAMBDA_LOG;
  const calls = (amount: (aws: MeasuredDay['aws']) => number) => sumOf(days, ({ aws }) => amount(aws));
  return {
    merchants,
    invoices: sumOf(days, ({ invoices }) => invoices),
    largest: Math.max(...days.map(({ invoices }) => invoices)),
    requests,
    requestsWithLookback: requests * (1 + LOOKBACK_DAYS),
    awsCalls: calls((aws) => Object.values(aws).reduce((sum, count) => sum + count, 0)),
    cpu: sumOf(days, ({ cpu }) => cpu),
    wall: Math.max(...days.map(({ doneAt }) => doneAt)),
    peak: Math.max(...days.map(({ peak }) => peak)),
    plan: run.plans.find((plan) => plan.merchants === merchants),
    reportsOnly: asRun(0).schedule,
    withLookback: children.schedule,
    children,
    cost: dailyCost({
      daysEach: 1 + LOOKBACK_DAYS,
      children: children.use,
      // Each place starts an environment.
      lambda: [...children.lambda, { memory, duration: Math.min(concurrency, merchants) * run.load.wall }],
      invocations,
      s3Writes: calls((aws) => aws.s3Put + aws.s3List) + lookedBack * (again.s3Puts + again.s3Lists),
      s3Reads: calls((aws) => aws.s3Get) + lookedBack * again.s3Gets,
      mails: calls((aws) => aws.mail),
      // Each environment reads each secret of its merchants. It almost never finds one that it has read before.
      secretReads: merchants,
      secrets: secretCountOf(merchants),
      bytesStored: sumOf(days, ({ bytes }) => bytes),
      kept: KEPT_DAYS,
      logBytes: logs * invocations,
    }),
  };
}

const SMALL_PAGE = 15;

/** The cost of an invoice, from large days that were read with small and with large pages. */
export function invoiceCosts(large: readonly LargeDay[]): InvoiceCosts | undefined {
  const awake = large.filter(({ memory }) => memory === FULL_CPU);
  const small = awake.find(({ perPage }) => perPage === SMALL_PAGE);
  const other = awake.find(({ perPage }) => perPage !== SMALL_PAGE);
  if (small === undefined || other === undefined) return undefined;
  const perInvoice = (day: LargeDay) =>
    Math.max(0, day.cpu - day.small.cpu) / (day.invoices - day.small.invoices);
  const pages = 1 / small.perPage - 1 / other.perPage;
  const page = Math.max(0, (perInvoice(small) - perInvoice(other)) / pages);
  const memory = Math.max(0, small.peak - small.small.peak) / (small.invoices - small.small.invoices);
  return {
    fixed: Math.max(0, small.small.cpu - perInvoice(small) * small.small.invoices),
    cpu: Math.max(0, perInvoice(small) - page / small.perPage),
    page,
    spool: small.dataBytes / small.invoices,
    memory,
    memoryBase: small.small.peak - memory * small.small.invoices,
    refunds: 0.02,
  };
}
