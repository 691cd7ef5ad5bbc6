/** The limits of a function at a cold start. A build that reaches one of them fails. */
export interface Budget {
  /** Bytes that a cold start reads, minified: the entry and the chunks that it imports before it runs. */
  minified: number;
  /** Processor time of the import, as a multiple of the time for a bundle with only the SDK's three clients (sdk-clients.ts). */
  importRatio: number;
}

/** By function. docs/performance.md, "Cold start", has the measured values. */
export const BUDGETS: Readonly<Record<string, Budget>> = {
  'alert-check': { minified: 615_000, importRatio: 1.6 },
  'daily-report': { minified: 600_000, importRatio: 1.6 },
  'delivery-watch': { minified: 600_000, importRatio: 1.5 },
  lake: { minified: 425_000, importRatio: 1.5 },
  'mail-events': { minified: 560_000, importRatio: 1.5 },
  plan: { minified: 600_000, importRatio: 1.5 },
  statement: { minified: 620_000, importRatio: 1.6 },
  sweep: { minified: 570_000, importRatio: 1.5 },
};
