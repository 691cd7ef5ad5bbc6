import type { Problem } from '#registry/problem.ts';

/** One thing that is wrong with a file, as `daybook check --json` prints it. */
export interface CheckProblem {
  /** Only for problems of the secret: the file that was given with `--secret`. */
  file?: string;
  /** Both begin at 1. A column counts UTF-16 units, as editors do. */
  line: number;
  column: number;
  /** Such as `merchants[3].reportAt`, `(root)` for the whole file. */
  path: string;
  /** The merchant's code, `null` when it is about no merchant or the entry has no usable code. */
  merchantCode: string | null;
  /** The name of the group that it is about, if that is a group with a usable name. */
  group?: string;
  /** What is wrong, what is allowed, and the value that was given. A secret's value is never in it. */
  message: string;
  /** The name or value that may have been meant. */
  suggestion?: string;
}

/** A problem before its place in the text is known. */
export interface FoundProblem extends Problem {
  merchantCode: string | null;
  group?: string;
  /** Its place in the text, where it is known already. UTF-16 units. */
  offset?: number;
}
