import { cpuShare } from './duration.ts';

/** What an invoice takes, as measured. */
export interface InvoiceCosts {
  /** CPU of a day without any, milliseconds. */
  fixed: number;
  /** CPU of an invoice, milliseconds. */
  cpu: number;
  /** CPU of a page, milliseconds. */
  page: number;
  /** On the local disk until the day is sealed, bytes. */
  spool: number;
  /** Memory of the process before the first invoice, bytes, and of each invoice. */
  memoryBase: number;
  memory: number;
  /** Refunds for each invoice; each is a request. */
  refunds: number;
}

/** Where a function runs. */
export interface LimitPlace {
  /** Milliseconds a request. */
  latency: number;
  perPage: number;
  /** MB. */
  memory: number;
  window: number;
}

export type Bound = 'CPU' | 'latency' | '/tmp' | 'memory';

/** How many invoices a day may have, bound by bound. */
export interface Limits {
  by: Record<Bound, number>;
  first: Bound;
  invoices: number;
}

/** A pull has to end half a minute before the function, which has 15 minutes. Milliseconds. */
export const TIME = 15 * 60_000 - 30_000;
/** What a spool holds (functions/daily-report/pull/spool.ts). Bytes. */
export const SPOOL = 480 * 1_048_576;

/** The largest day that one invocation reads there. */
export function limits(costs: InvoiceCosts, place: LimitPlace): Limits {
  const cpu = costs.cpu + costs.page / place.perPage;
  const available = TIME - costs.fixed / cpuShare(place.memory);
  const requests = 1 / place.perPage + costs.refunds;
  const waiting = (requests / place.window) * place.latency;
  const room = place.memory * 1_048_576 - costs.memoryBase;
  const by: Record<Bound, number> = {
    CPU: available / (cpu / cpuShare(place.memory)),
    latency: waiting === 0 ? Infinity : TIME / waiting,
    '/tmp': SPOOL / costs.spool,
    memory: costs.memory <= 0 ? Infinity : Math.max(0, room / costs.memory),
  };
  const bounds = ['CPU', 'latency', '/tmp', 'memory'] as const;
  const first = bounds.reduce((least, bound) => (by[bound] < by[least] ? bound : least));
  return { by, first, invoices: Math.floor(by[first]) };
}
