/** What a function may cost a cold start. A build that reaches one of them fails. */
export interface Budget {
  /** Bytes that a cold start reads, minified: the entry and the chunks that it imports before anything runs. */
  minified: number;
  /** The processor's work to import it, as a multiple of that for a bundle with nothing but the SDK's three clients (sdk-clients.ts). */
  importRatio: number;
}

/** By function; docs/performance.md, "Cold start", has what was measured. */
export const BUDGETS: Readonly<Record<string, Budget>> = {
  'alert-check': { minified: 600_000, importRatio: 1.5 },
  'daily-report': { minified: 600_000, importRatio: 1.5 },
  'delivery-watch': { minified: 570_000, importRatio: 1.5 },
  'mail-events': { minified: 560_000, importRatio: 1.5 },
  plan: { minified: 570_000, importRatio: 1.5 },
  sweep: { minified: 570_000, importRatio: 1.5 },
};
