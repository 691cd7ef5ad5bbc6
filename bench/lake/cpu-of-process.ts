import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, on every machine of today. */
const MILLISECONDS_A_TICK = 10;
/** User and system time, after the name in brackets, which may hold blanks. */
const USER = 11;
const SYSTEM = 12;

/** The CPU time of a process and all its threads so far, milliseconds. @throws on a system without /proc */
export function cpuOfProcess(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * MILLISECONDS_A_TICK;
}
