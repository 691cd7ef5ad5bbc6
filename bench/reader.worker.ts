import { serve } from './child.ts';
import type { Measured, Reading } from './measure.ts';
import { WAYS } from './ways/index.ts';

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
