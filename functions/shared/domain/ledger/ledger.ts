import * as z from 'zod';
import { figuresSchema } from '../figures/figures.ts';

/** What became of one recipient's mail; the words are fixed by docs/interfaces.md, 6.4 Ledger. */
export const RECIPIENT_STATUSES = [
  'intended',
  'accepted',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'skipped',
  'held',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

const entrySchema = z.lazy(() =>
  z.object({
    /** SHA-256 of the address, never the address. */
    to: z.string(),
    status: z.enum(RECIPIENT_STATUSES),
    messageId: z.string().nullable(),
    /** ISO 8601, UTC: when the status was reached. */
    at: z.string(),
    reason: z.string().nullable().default(null),
    /** 1 for the mail of the revision; each `resend` appends entries of the next round. */
    round: z.int().min(1).default(1),
  }),
);
export type LedgerEntry = z.infer<typeof entrySchema>;

/**
 * One object per merchant, day and revision, or per merchant and alert check. `status` is `intended` while a writer is at work (or has died), and
 * after that what `settledStatus` says of the entries; a ledger that never was to be mailed is `skipped`.
 */
export const ledgerSchema = z.lazy(() =>
  z.object({
    /** Its own, so that one that stands in another's place is known. Ledgers of earlier versions have none. */
    key: z.string().optional(),
    status: z.enum(RECIPIENT_STATUSES),
    kind: z.enum(['report', 'correction', 'alert']),
    /** What a report or correction told; `null` for an alert. */
    figures: figuresSchema.nullable(),
    intendedAt: z.iso.datetime(),
    /** When the writer's time is over (ISO 8601, UTC); from then on another run may settle what it left. What is no time would never be over. */
    until: z.iso.datetime(),
    /** Names the run that may write; another one takes over by putting its own name here. */
    writer: z.string(),
    round: z.int().min(1),
    reason: z.string().nullable().default(null),
    /** Why the mail was not to go out by itself; stays when a `resend` sends it all the same. */
    nothingToSend: z.string().nullable().optional(),
    recipients: z.array(entrySchema),
  }),
);
export type Ledger = z.infer<typeof ledgerSchema>;
