import * as z from 'zod';

/** The output of `large-pages.worker.ts`. */
export const pulledPagesSchema = z.object({
  rows: z.number(),
  differences: z.number(),
  /** The name of the error, empty when the pull succeeded. */
  error: z.string(),
  megabytes: z.number(),
});
