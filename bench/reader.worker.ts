import type { ReaderTask, Measured, Reading } from './measure.ts';
import { serve } from './child.ts';

type Work = (task: ReaderTask) => Promise<number>;

/** Each returns the number of its rows or days. They are loaded one by one, because the others' code would count as memory. */
const WAYS = {
  daybook: async () => (await import('./ways/seal.ts')).sealOnce,
  bare: async () => (await import('./ways/loops.ts')).bareLoop,
  tuned: async () => (await import('./ways/tuned.ts')).tuned,
  tunedHttp: async () => (await import('./ways/tuned.ts')).tunedHttp,
  sequential: async () => (await import('./ways/loops.ts')).sequentialLoop,
  report: async () => (await import('./ways/built.ts')).report,
  smallReports: async () => (await import('./ways/built.ts')).smallReports,
  unchangedDays: async () => (await import('./ways/built.ts')).unchangedDays,
  bareReports: async () => (await import('./ways/bare-reports.ts')).bareReports,
  bareUnchanged: async () => (await import('./ways/bare-reports.ts')).bareUnchanged,
} satisfies Record<string, () => Promise<Work>>;

/** What is measured: the product, parts of it as they are deployed, and loops to compare them with. */
export type Way = keyof typeof WAYS;

serve({
  measure: async ({ way, warmUp, ...task }: Reading): Promise<Measured> => {
    Object.assign(process.env, task.environment);
    const read = await WAYS[way]();
    if (warmUp) await read(task);
    const began = performance.now();
    const before = process.cpuUsage();
    const rows = await read(task);
    const { user, system } = process.cpuUsage(before);
    return {
      milliseconds: performance.now() - began,
      cpu: (user + system) / 1_000,
      // Node's documentation says: kilobytes on Linux and macOS.
      peak: process.resourceUsage().maxRSS * 1_024,
      rows,
    };
  },
});
