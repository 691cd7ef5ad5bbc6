import * as z from 'zod';
import { isComparison } from './comparisons.ts';
import { fieldPath } from '../json/schema-issue.ts';

/** The registry's `balance`. */
export const balanceSchema = z.lazy(() =>
  z.object({
    /** Names of comparisons that do not decide whether a day is balanced. An unknown name has no effect. */
    ignore: z.array(z.string().min(1).max(64)).max(50).default([]),
  }),
);

/** Paths of comparisons to leave out that do not exist: misspelt, or of another version. */
export function unknownComparisons(balance: unknown, path: readonly PropertyKey[]): string[] {
  const ignore = balanceSchema.safeParse(balance).data?.ignore ?? [];
  return ignore.flatMap((name, index) => (isComparison(name) ? [] : [fieldPath([...path, 'ignore', index])]));
}
