import { AWS_LATENCY, WINDOW, duration } from './duration.ts';

/*
 * What one statement or page needs, in one place. Measured by `npm run bench:fleet` (docs/scale.md, "The end of a month"):
 * 300 statements of a month of 30 days, and pages of a group of 10,000 merchants.
 */

/** What one invocation of `statement` needs. */
export interface PageWork {
  /** Milliseconds, without a cold start. */
  duration: number;
  /** Requests to S3. */
  reads: number;
  writes: number;
  /** Bytes that stay: the page and its ledger. */
  bytes: number;
}

/** A merchant's statement: what each has, and each day of it. CPU in milliseconds of one core, with the PDF. */
const STATEMENT = {
  cpu: 185,
  /** Calls that wait for each other. */
  chain: 9.5,
  reads: 7,
  writes: 3,
  bytes: 3_400,
  day: { reads: 1, bytes: 705 },
};

/** A page of a group: what each has, and each merchant in it. */
const PAGE = {
  cpu: 300,
  chain: 20,
  reads: 7,
  /** One of them lists. */
  writes: 4,
  bytes: 3_000,
  merchant: { cpu: 2.2, reads: 1, bytes: 425 },
  /** Listings of all merchants: of the period and of the one before. */
  listings: 2,
  /** Merchants that are read at the same time. Measured: parsing holds up some of the 32 of functions/statement/group/read-members.ts. */
  window: 27,
};

/** Bytes of the log of one invocation. */
export const STATEMENT_LOG_BYTES = 670;

/** Bytes of the PDF that each mail of a statement has. Measured, with 400 invoices a day. */
export const PDF_BYTES = { week: 54_000, month: 73_000 };
/** Bytes of a group's workbook: assumed. */
export const GROUP_WORKBOOK = { bytes: 20_000, merchant: 150 };
/** The largest attachments of a mail (functions/shared/rendering/attachments/attachment-limits.ts). */
export const LARGEST_ATTACHMENTS = 7_000_000;

/** A look of `plan` at a month of 10,000 merchants: requests that list, and how long it takes (milliseconds). */
export const LOOK_AT_MONTH = { listed: 630, duration: 40_000 };
/** Milliseconds of `plan` for a look without a listing, rounded up, and for one request that lists. */
export const PLAN = { look: 500, list: LOOK_AT_MONTH.duration / LOOK_AT_MONTH.listed };

/** Manifests of a day for each merchant: one page in ten is corrected. */
export const REVISIONS = 1.1;
/** Keys of a listing. */
export const LISTED = 1_000;

/**
 * State transitions that statements add to a tick of the reports (lib/constructs/statement-steps.ts). A test runs the state
 * machine and counts them.
 */
export const TRANSITIONS = {
  /** Is it a tick, plan, is any due: at every tick. */
  look: 3,
  /** The map, plan the failed ones, did any fail: at a tick with something due. */
  due: 3,
  /** The second map, and count: when some of them failed. */
  again: 2,
};

function durationOf(cpu: number, chain: number, memory: number): number {
  const work = { cpu, awsChain: chain, requests: { login: 0, invoices: 0, refundList: 0, refunds: 0 } };
  return duration(work, 0, { memory, latency: 0, awsLatency: AWS_LATENCY, window: WINDOW });
}

/** A merchant's statement of so many days. @param memory of the function, MB */
export function statementWork(days: number, memory: number): PageWork {
  const { cpu, chain, reads, writes, bytes, day } = STATEMENT;
  return {
    duration: durationOf(cpu, chain, memory),
    reads: reads + days * day.reads,
    writes,
    bytes: bytes + days * day.bytes,
  };
}

/** A group's page with so many merchants. @param memory of the function, MB */
export function pageWork(merchants: number, memory: number): PageWork {
  const { cpu, chain, reads, writes, bytes, merchant, listings, window } = PAGE;
  const rounds = Math.ceil(merchants / window);
  return {
    duration: durationOf(cpu + merchants * merchant.cpu, chain + rounds, memory),
    reads: reads + merchants * merchant.reads,
    writes: writes + listings * Math.ceil(merchants / LISTED),
    bytes: bytes + merchants * merchant.bytes,
  };
}
