import type { Measured, ReaderTask } from './measure.ts';
import { WAYS } from './ways/index.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as ReaderTask;
Object.assign(process.env, task.environment);
const read = await WAYS[task.way]();
if (task.warmUp) await read(task);
const began = performance.now();
const before = process.cpuUsage();
const rows = await read(task);
const { user, system } = process.cpuUsage(before);
const measured: Measured = {
  milliseconds: performance.now() - began,
  cpu: (user + system) / 1_000,
  // Node's documentation says: kilobytes on Linux and macOS.
  peak: process.resourceUsage().maxRSS * 1_024,
  rows,
};
process.send?.(measured);
process.disconnect();
