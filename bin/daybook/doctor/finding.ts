/**
 * `wrong`: mails do not go out, nobody is notified, or the lake hides sealed days. `warning`: that may happen, or something
 * costs more than it needs to. `unknown`: it could not be checked.
 */
export type Verdict = 'wrong' | 'warning' | 'unknown' | 'fine';

/** What a check found. */
export interface Finding {
  verdict: Verdict;
  found: string;
  /** What to do: a command to type, where there is one. */
  mend?: string;
}

/** The check could not be made. The message says why. */
export class CannotLookError extends Error {
  override readonly name = 'CannotLookError';
}

/** Nothing is to be done. */
export function fine(found: string): Finding {
  return { verdict: 'fine', found };
}

/** Mails may fail, or something costs more than it needs to. @param mend what to do */
export function warning(found: string, mend: string): Finding {
  return { verdict: 'warning', found, mend };
}

/** Mails fail, nobody is notified, or the lake hides sealed days. @param mend what to do */
export function wrong(found: string, mend: string): Finding {
  return { verdict: 'wrong', found, mend };
}

/** It could not be checked. @param mend what to do, if that is known */
export function unknown(found: string, mend?: string): Finding {
  return { verdict: 'unknown', found, ...(mend !== undefined && { mend }) };
}

/** The first findings, and one that counts the others. @param more what to type to see all */
export function firstOf(findings: readonly Finding[], more: string): Finding[] {
  const [most, rest] = [findings.slice(0, MOST), findings.length - MOST];
  const [last] = most.slice(-1);
  return rest > 0 && last !== undefined
    ? [...most, { verdict: last.verdict, found: `and ${rest} more`, mend: more }]
    : most;
}

/** The most findings of one kind that are listed. */
const MOST = 10;
