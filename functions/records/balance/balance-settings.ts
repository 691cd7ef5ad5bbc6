import * as z from 'zod';
import { isComparison } from './comparisons.ts';

export const balanceSchema = z.lazy(() =>
  z.object({
    /** An unknown name has no effect. */
    ignore: z.array(z.string().min(1).max(64)).max(50).default([]),
  }),
);

/** Comparisons to leave out that do not exist: misspelt, or of another version. */
export function unknownComparisons(balance: unknown): { index: number; name: string }[] {
  const ignore = balanceSchema.safeParse(balance).data?.ignore ?? [];
  return ignore.flatMap((name, index) => (isComparison(name) ? [] : [{ index, name }]));
}
