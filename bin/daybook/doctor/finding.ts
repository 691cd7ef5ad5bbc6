/** `wrong`: mails do not go out, or nobody is notified. `warning`: they may. `unknown`: it could not be looked at. */
export type Verdict = 'wrong' | 'warning' | 'unknown' | 'fine';

/** What a check found. */
export interface Finding {
  verdict: Verdict;
  found: string;
  /** What to do, best a line to type. */
  mend?: string;
}

/** It could not be looked at, and the message says why. */
export class CannotLookError extends Error {
  override readonly name = 'CannotLookError';
}

export function fine(found: string): Finding {
  return { verdict: 'fine', found };
}

export function warning(found: string, mend: string): Finding {
  return { verdict: 'warning', found, mend };
}

export function wrong(found: string, mend: string): Finding {
  return { verdict: 'wrong', found, mend };
}

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
