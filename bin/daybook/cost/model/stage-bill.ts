import { expressChildren, reportChildren, usualChildren } from './children.ts';
import {
  TICK_TRANSITIONS,
  accessLogs,
  fixed,
  lambdaTime,
  logs,
  secretsKept,
  storage,
  tickTransitions,
} from './cost.ts';
import type { CostLine } from './cost.ts';
import { historyBill, historyRequests } from './history-bill.ts';
import { PRICES } from './prices.ts';

/** What a whole stage does in a day. */
export interface StageUse {
  merchants: number;
  /** Pulled days of all merchants together: reported days and lookback days. */
  days: number;
  /** Merchants with alert rules. */
  checkedMerchants: number;
  /** Report mails: one for each recipient. */
  mails: number;
  /** Report mails with attachments. */
  mailsWithAttachments: number;
  /** How often each schedule runs. */
  ticks: { daily: number; alerts: number; watch: number; sweep: number };
  /** MB. */
  memory: { plan: number; report: number; check: number; watch: number; events: number };
  /** How long the run of one day takes, milliseconds. */
  reportDuration: number;
  /** Merchants that are reported at the same time. */
  reportsAtOnce: number;
  /** How long an alert check takes, milliseconds. */
  checkDuration: number;
  /** Alert checks at the same time. */
  checksAtOnce: number;
  secrets: number;
  /** Stored bytes of a merchant's day. */
  bytesADay: number;
  /** How long they are kept, days. */
  kept: number;
}

/** Requests to S3 of a day. PUT and LIST are writes. */
interface Requests {
  writes: number;
  reads: number;
}

/*
 * Measured in the local run and its tests (docs/deploy.md, "What it costs"): requests to S3 and sizes. Durations of functions
 * that do not read the service are rounded up.
 */
/** A report, and a lookback day that has not changed, with a warm function. Tests count them. PUT and LIST are writes. */
export const REPORT = { writes: 10, reads: 3 };
export const UNCHANGED = { writes: 2, reads: 3 };
const CHECK = { writes: 1, reads: 2 };
/** For each merchant at each run. */
const WATCH = { reads: 2, duration: 20 };
/** SES says that a mail was sent, and that it arrived. */
const EVENTS_A_MAIL = 2;
const EVENT = { writes: 1, reads: 1, duration: 100 };
const PLAN_DURATION = 500;
const LOG_BYTES = 1_800;
/** Bytes of the attachments of a mail. */
export const ATTACHMENT_BYTES = 50_000;

/** Merchants of a batch of alert checks (lib/constructs/merchant-fan-out-calls.ts), and what a batch takes. */
const BATCH = { size: 5, duration: 10_000 };

/**
 * The bill of a stage for one day by list prices, in the lines of docs/deploy.md ("What it costs"). It does not include
 * people's queries in Athena, copies of the history for groups of analysts, and taxes.
 */
export function stageBill(use: StageUse): CostLine[] {
  const { merchants, days, ticks, memory, mails } = use;
  const daysEach = merchants === 0 ? 0 : days / merchants;
  const children = usualChildren(merchants, daysEach, use.reportsAtOnce, use.reportDuration);
  const checks = use.checkedMerchants * ticks.alerts;
  const lookedBack = Math.max(0, days - merchants);
  const events = mails * EVENTS_A_MAIL;
  const watched = ticks.watch * merchants;
  const invocations = days + checks + events + ticks.daily + ticks.alerts + ticks.watch + ticks.sweep;
  const batches = Math.ceil(use.checkedMerchants / BATCH.size) * ticks.alerts;
  const history = { merchants, daysEach, bytesADay: use.bytesADay, kept: use.kept };
  const requests = {
    reports: {
      writes: merchants * REPORT.writes + lookedBack * UNCHANGED.writes,
      reads: merchants * REPORT.reads + lookedBack * UNCHANGED.reads,
    },
    checks: { writes: checks * CHECK.writes, reads: checks * CHECK.reads },
    rest: { writes: events * EVENT.writes, reads: watched * WATCH.reads + events * EVENT.reads },
  };
  const s3 = ({ writes, reads }: Requests) => writes * PRICES.s3Write + reads * PRICES.s3Read;
  const logged = [...Object.values(requests), historyRequests(history)].reduce(
    (sum, { writes, reads }) => sum + writes + reads,
    0,
  );
  return [
    {
      what: 'Lambda, reports',
      dollars: lambdaTime(days * use.reportDuration, memory.report) + days * PRICES.lambdaRequest,
    },
    {
      what: 'Lambda, alert checks',
      dollars: lambdaTime(checks * use.checkDuration, memory.check) + checks * PRICES.lambdaRequest,
    },
    {
      what: 'Lambda, the rest',
      dollars:
        lambdaTime((ticks.daily + ticks.alerts) * PLAN_DURATION, memory.plan) +
        lambdaTime(watched * WATCH.duration, memory.watch) +
        lambdaTime(events * EVENT.duration, memory.events) +
        (invocations - days - checks) * PRICES.lambdaRequest,
    },
    {
      what: 'Step Functions, reports',
      dollars: reportChildren(children, daysEach) + tickTransitions(ticks.daily) * PRICES.stateTransition,
    },
    {
      what: 'Step Functions, alert checks',
      dollars:
        expressChildren(batches, batches * BATCH.duration) +
        ticks.alerts * TICK_TRANSITIONS.alerts.somebody * PRICES.stateTransition,
    },
    { what: 'S3 requests, reports', dollars: s3(requests.reports) },
    { what: 'S3 requests, alert checks', dollars: s3(requests.checks) },
    { what: 'S3 requests, watch, mail events', dollars: s3(requests.rest) },
    { what: 'S3 storage', dollars: storage(merchants * use.bytesADay, use.kept) },
    { what: 'S3 access logs', dollars: accessLogs(logged, use.kept) },
    {
      what: 'SES',
      dollars:
        mails * PRICES.mail +
        ((use.mailsWithAttachments * ATTACHMENT_BYTES) / 1_000_000_000) * PRICES.attachmentGb,
    },
    {
      what: 'Secrets Manager',
      dollars: secretReads(use, checks) * PRICES.secretRead + secretsKept(use.secrets),
    },
    { what: 'CloudWatch logs', dollars: logs(invocations * LOG_BYTES) },
    {
      what: 'EventBridge Scheduler',
      dollars: (ticks.daily + ticks.alerts + ticks.watch + ticks.sweep) * PRICES.scheduledInvocation,
    },
    ...historyBill(history),
    { what: 'Metrics, alarms, dashboard, key', dollars: fixed() },
  ];
}

/** A report reads its secret. Environments of the checks keep secrets for five minutes, less than from tick to tick. */
function secretReads({ merchants, ticks, checksAtOnce, secrets }: StageUse, checks: number): number {
  return merchants + Math.min(checks, checksAtOnce * ticks.alerts * secrets);
}
