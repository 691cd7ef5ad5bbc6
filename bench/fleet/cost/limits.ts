import { cpuShare } from '#bin/daybook/cost/model/duration.ts';

/** The measured cost of an invoice. */
export interface InvoiceCosts {
  /** CPU of an empty day, milliseconds. */
  fixed: number;
  /** CPU of an invoice, milliseconds. */
  cpu: number;
  /** CPU of a page, milliseconds. */
  page: number;
  /** On the local disk until the day is sealed, bytes. */
  spool: number;
  /** Memory of the process before the first invoice, and for each invoice. Bytes. */
  memoryBase: number;
  memory: number;
  /** Refunds per invoice. Each is a request. */
  refunds: number;
}

/** Where a function runs. */
export interface LimitPlace {
  /** Milliseconds per request. */
  latency: number;
  perPage: number;
  /** MB. */
  memory: number;
  window: number;
}

export type Bound = 'CPU' | 'latency' | '/tmp' | 'memory';

/** How many invoices a day may have, by each limit. */
export interface Limits {
  by: Record<Bound, number>;
  first: Bound;
  invoices: number;
}

/** A pull must end half a minute before the function, which has 15 minutes. Milliseconds. */
export const TIME = 15 * 60_000 - 30_000;
/** The size of a spool (functions/daily-report/pull/spool.ts). Bytes. */
export const SPOOL = 480 * 1_048_576;

/** The largest day that one invocation can read there. */
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
