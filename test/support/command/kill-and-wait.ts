import { setTimeout } from 'node:timers/promises';

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process, and waits until it is gone and its connections are closed. A busy machine takes its time for that. */
export async function killAndWait(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (let look = 0; look < 1_000 && isThere(pid); look += 1) await setTimeout(10);
  await setTimeout(100);
}
