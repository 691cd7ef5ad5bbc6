import * as z from 'zod';

/** What `what-stays.worker.ts` does. */
export const readingTaskSchema = z.object({
  origin: z.string(),
  merchant: z.object({
    merchantCode: z.string(),
    accessCode: z.string(),
    cipher: z.object({ algorithm: z.literal('aes-256-cbc'), key: z.string(), iv: z.string() }),
    username: z.string(),
    password: z.string(),
  }),
  day: z.string(),
  /** How many pages are read before anything is measured. */
  warmUp: z.number(),
});
export type ReadingTask = z.infer<typeof readingTaskSchema>;

/** The output of `what-stays.worker.ts`. */
export const whatStaysSchema = z.object({
  /** How many pages were read. */
  done: z.number(),
  /** How often V8 collected its young generation. */
  collections: z.number(),
  /** Bytes in the young generation before these collections. */
  young: z.number(),
  /** Bytes that these collections moved to the old generation. */
  promoted: z.number(),
});
export type WhatStays = z.infer<typeof whatStaysSchema>;
