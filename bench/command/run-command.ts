import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';

const COMMAND = fileURLToPath(new URL('../../bin/daybook.mjs', import.meta.url));
/** Runs before the command. When the command ends, it writes its processor time to another pipe than the output. */
const CLOCK = `import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });`;

/** How a command ended, and what it took, from the start of its process. */
export interface CommandCost {
  status: number | null;
  stdout: string;
  /** Milliseconds. */
  milliseconds: number;
  /** Processor time of all threads, milliseconds. */
  cpu: number;
}

/** Runs `daybook` as a process of its own. @param environment its variables besides PATH */
export async function runMeasured(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandCost> {
  const began = performance.now();
  const clock = `--import=data:text/javascript,${encodeURIComponent(CLOCK)}`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', clock, COMMAND, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [, stdout, , third] = child.stdio.map((stream) => (stream instanceof Readable ? text(stream) : ''));
  const [status] = (await once(child, 'close')) as [number | null];
  const milliseconds = performance.now() - began;
  return { status, stdout: (await stdout) ?? '', milliseconds, cpu: Number(await third) };
}
