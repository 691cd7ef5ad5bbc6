import { readRules } from '#domain/alerts/rule.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import type { StageUse } from './model/stage-bill.ts';
import type { SealedSizes } from './sealed-sizes.ts';
import type { TickCounts } from './tick-counts.ts';
import { AWS_LATENCY, WINDOW, duration } from './model/duration.ts';
import type { ServiceRequests } from './model/duration.ts';

/** Measured (docs/scale.md, "What grows how"): milliseconds of one core for a day, and for each invoice of it. */
const CPU = { day: 52, invoice: 0.09 };
/** Calls of AWS that wait for each other, as measured there. */
const AWS_CHAIN = 10;
/** Invoices of a page, as the service sends them by default. */
const PAGE = 15;
/** Invoice types of the registry's default. */
const TYPES = 4;

/** The requests of one run. Invoices are taken to be of all types alike. */
export function requestsOf({ invoices, refunds }: { invoices: number; refunds: number }): ServiceRequests {
  const pages = Math.max(1, Math.ceil(invoices / TYPES / PAGE));
  // Page one of a longer type is read again.
  return {
    login: 1,
    invoices: TYPES * (pages + (pages > 1 ? 1 : 0)),
    refundList: 1,
    refunds: Math.ceil(refunds),
  };
}

/**
 * How long a day of this size takes, milliseconds.
 *
 * @param latency of a request to the payment service, milliseconds
 * @param memory of the function, MB
 */
export function reportDuration(
  size: { invoices: number; refunds: number },
  latency: number,
  memory: number,
): number {
  const work = {
    cpu: CPU.day + CPU.invoice * size.invoices,
    requests: requestsOf(size),
    awsChain: AWS_CHAIN,
  };
  return duration(work, CPU.day, { memory, latency, awsLatency: AWS_LATENCY, window: WINDOW });
}

/** What a stage says of itself. */
export interface StageFacts {
  merchants: readonly MerchantSettings[];
  /** The name of the secret for merchants without a `secretId`. */
  defaultSecret: string;
  ticks: TickCounts['ticks'];
  /** `undefined`: nothing is sealed yet. */
  sizes: SealedSizes | undefined;
  /** `undefined`: the stage does not say it. */
  dataDays: number | undefined;
  reportsAtOnce: number | undefined;
  checksAtOnce: number | undefined;
  /** Of a request to the payment service, milliseconds. */
  latency: number;
}

/** The size of a day, where nothing is sealed: that of docs/deploy.md, "What it costs". */
export const ASSUMED_SIZE = { invoices: 400, refunds: 8, bytes: 138_000 };
/** Days, where the stage does not say it: `retention.dataDays` of lib/stages/prod.json. */
export const ASSUMED_DATA_DAYS = 400;
/** The same for `concurrency.reports` and `concurrency.alerts`. */
export const ASSUMED_REPORTS_AT_ONCE = 50;
export const ASSUMED_CHECKS_AT_ONCE = 20;
/** Milliseconds. It depends on the rules and on the service. */
export const CHECK_DURATION = 1_500;

/** What the stage does in a day, as far as it is known. */
export function stageUse(facts: StageFacts): StageUse {
  const { merchants, sizes = ASSUMED_SIZE } = facts;
  const memory = {
    plan: FUNCTIONS.plan.memory,
    report: FUNCTIONS['daily-report'].memory,
    check: FUNCTIONS['alert-check'].memory,
    watch: FUNCTIONS['delivery-watch'].memory,
    events: FUNCTIONS['mail-events'].memory,
  };
  const sum = (amount: (merchant: MerchantSettings) => number) =>
    merchants.reduce((total, merchant) => total + amount(merchant), 0);
  return {
    merchants: merchants.length,
    days: sum(({ lookbackDays }) => 1 + lookbackDays.length),
    checkedMerchants: merchants.filter(({ alerts }) => readRules(alerts).rules.length > 0).length,
    mails: sum(({ recipients }) => recipients.length),
    mailsWithAttachments: sum(({ recipients, attachCsv, attachXlsx }) =>
      attachCsv || attachXlsx ? recipients.length : 0,
    ),
    ticks: facts.ticks,
    memory,
    reportDuration: reportDuration(sizes, facts.latency, memory.report),
    reportsAtOnce: facts.reportsAtOnce ?? ASSUMED_REPORTS_AT_ONCE,
    checkDuration: CHECK_DURATION,
    checksAtOnce: facts.checksAtOnce ?? ASSUMED_CHECKS_AT_ONCE,
    secrets: new Set(merchants.map(({ secretId }) => secretId ?? facts.defaultSecret)).size,
    bytesADay: sizes.bytes,
    kept: facts.dataDays ?? ASSUMED_DATA_DAYS,
  };
}
