import { readFileSync } from 'node:fs';

/** Its number, and on Linux when it began: numbers come again. */
export function nameOfProcess(pid = process.pid): string {
  return `${pid}.${beginningOf(pid) ?? ''}`;
}

/** Whether a named process still runs. A text that is no name is nobody's. */
export function isRunning(name: string): boolean {
  const [, pid, began] = /^([1-9]\d{0,9})\.(\d*)$/.exec(name) ?? [];
  if (pid === undefined || !hasNumber(Number(pid))) return false;
  const now = beginningOf(Number(pid));
  return began === '' || now === undefined || now === began;
}

function beginningOf(pid: number): string | undefined {
  try {
    // The name of the program stands in front, in parentheses, and may have any character.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ')[19];
  } catch {
    return undefined;
  }
}

function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
