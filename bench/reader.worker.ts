import type { Measured, ReaderTask } from './measure.ts';
import { WAYS } from './ways.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as ReaderTask;
Object.assign(process.env, task.environment);
const read = WAYS[task.way];
if (task.warmUp) await read(task);
const began = performance.now();
const rows = await read(task);
const measured: Measured = {
  milliseconds: performance.now() - began,
  // Kilobytes on Linux and macOS alike, says Node.
  peak: process.resourceUsage().maxRSS * 1024,
  rows,
};
process.send?.(measured);
process.disconnect();
