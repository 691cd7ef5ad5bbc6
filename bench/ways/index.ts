import type { ReaderTask } from '../measure.ts';

type Work = (task: ReaderTask) => Promise<number>;

/** Each returns the number of its rows or days. They are loaded one by one, because the others' code would count as memory. */
export const WAYS = {
  daybook: async () => (await import('./seal.ts')).sealOnce,
  bare: async () => (await import('./loops.ts')).bareLoop,
  tuned: async () => (await import('./tuned.ts')).tuned,
  tunedHttp: async () => (await import('./tuned.ts')).tunedHttp,
  sequential: async () => (await import('./loops.ts')).sequentialLoop,
  report: async () => (await import('./built.ts')).report,
  smallReports: async () => (await import('./built.ts')).smallReports,
  unchangedDays: async () => (await import('./built.ts')).unchangedDays,
  bareReports: async () => (await import('./bare-reports.ts')).bareReports,
  bareUnchanged: async () => (await import('./bare-reports.ts')).bareUnchanged,
} satisfies Record<string, () => Promise<Work>>;

/** What is measured: the product, parts of it as they are deployed, and loops to compare them with. */
export type Way = keyof typeof WAYS;
