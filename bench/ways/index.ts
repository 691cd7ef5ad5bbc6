import type { ReaderTask, Way } from '../measure.ts';

type Work = (task: ReaderTask) => Promise<number>;

/** Each returns the number of its rows, mails, checks or days. They are loaded one by one, because the others' code would count as memory. */
export const WAYS: Record<Way, () => Promise<Work>> = {
  daybook: async () => (await import('./seal.ts')).sealOnce,
  bare: async () => (await import('./loops.ts')).bareLoop,
  tuned: async () => (await import('./tuned.ts')).tuned,
  tunedHttp: async () => (await import('./tuned.ts')).tunedHttp,
  sequential: async () => (await import('./loops.ts')).sequentialLoop,
  report: async () => (await import('./report.ts')).report,
  smallReports: async () => (await import('./small-reports.ts')).smallReports,
  unchangedDays: async () => (await import('./small-reports.ts')).unchangedDays,
  bareReports: async () => (await import('./bare-reports.ts')).bareReports,
  bareUnchanged: async () => (await import('./bare-reports.ts')).bareUnchanged,
  mails: async () => (await import('./mails.ts')).mails,
  alertChecks: async () => (await import('./alert-check.ts')).alertChecks,
  bareChecks: async () => (await import('./alert-check.ts')).bareChecks,
};
