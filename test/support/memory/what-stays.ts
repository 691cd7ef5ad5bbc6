import * as z from 'zod';

/** What `what-stays.worker.ts` does. */
export const readingTaskSchema = z.object({
  /** Reads the invoices of a day and writes their lines, or only sends requests. */
  way: z.enum(['lines', 'requests']),
  origin: z.string(),
  merchant: z.object({
    merchantCode: z.string(),
    accessCode: z.string(),
    cipher: z.object({ algorithm: z.literal('aes-256-cbc'), key: z.string(), iv: z.string() }),
    username: z.string(),
    password: z.string(),
  }),
  day: z.string(),
  /** How many requests are sent when no day is read. */
  requests: z.number(),
  /** How many pages or answers are read before anything is measured. */
  warmUp: z.number(),
});
export type ReadingTask = z.infer<typeof readingTaskSchema>;

/** The output of `what-stays.worker.ts`. */
export const whatStaysSchema = z.object({
  /** How many pages or answers were read. */
  done: z.number(),
  /** How often V8 collected its young generation. */
  collections: z.number(),
  /** Bytes in the young generation before these collections. */
  young: z.number(),
  /** Bytes that these collections moved to the old generation. */
  promoted: z.number(),
});
export type WhatStays = z.infer<typeof whatStaysSchema>;
