import { AWS_LATENCY, WINDOW, duration } from './duration.ts';
import type { ServiceRequests } from './duration.ts';

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
