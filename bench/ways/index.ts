import type { ReaderTask, Way } from '../measure.ts';

type Work = (task: ReaderTask) => Promise<number>;

/** Each gives how many rows, mails or checks it did. Loaded one by one: what others need would count as memory. */
export const WAYS: Record<Way, () => Promise<Work>> = {
  daybook: async () => (await import('./seal.ts')).sealOnce,
  bare: async () => (await import('./loops.ts')).bareLoop,
  sequential: async () => (await import('./loops.ts')).sequentialLoop,
  report: async () => (await import('./report.ts')).report,
  mails: async () => (await import('./mails.ts')).mails,
  alertChecks: async () => (await import('./alert-check.ts')).alertChecks,
  bareChecks: async () => (await import('./alert-check.ts')).bareChecks,
};
