import * as z from 'zod';
import { alertLineSchema } from './alert-line.ts';
import { daySchema } from '#records/day/business-day.ts';
import { figuresSchema } from '#records/figures/figure-schemas.ts';

/** docs/interfaces.md, 6.4 Ledger. */
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
/** The reason of an entry that is `skipped` because its reader wants no such mails. */
export const STOPPED_BY_READER = 'its reader stopped these mails';

export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

const entrySchema = z.lazy(() =>
  z.object({
    /** SHA-256, never the address. */
    to: z.string(),
    status: z.enum(RECIPIENT_STATUSES),
    messageId: z.string().nullable(),
    /** ISO 8601, UTC, of the status. */
    at: z.string(),
    reason: z.string().nullable().default(null),
    /** Each `resend` adds the next. */
    round: z.int().min(1).default(1),
    /** How often the mail was given to SES in this round, once SES has refused it. Earlier versions do not have it. */
    tries: z.int().min(1).optional(),
  }),
);
export type LedgerEntry = z.infer<typeof entrySchema>;

export function isStoppedByReader({ status, reason }: LedgerEntry): boolean {
  return status === 'skipped' && reason === STOPPED_BY_READER;
}

export const MOST_ALERTS_KEPT = 100;

/**
 * One per page's revision or alert check. `intended` while a writer is at work or has died, then
 * `settledStatus`; `skipped` without a mail.
 */
export const ledgerSchema = z.lazy(() =>
  z.object({
    /** So that a copy at another key is found. Earlier versions do not have it. */
    key: z.string().optional(),
    status: z.enum(RECIPIENT_STATUSES),
    kind: z.enum(['report', 'correction', 'alert', 'statement', 'group']),
    /** The revision that a correction corrects; `null` for other mails. Earlier versions do not have it. */
    corrects: z.int().min(1).nullable().optional(),
    /** `balanced` of a statement: whether it is final. `null` for an alert and for a group. */
    figures: figuresSchema.nullable(),
    /** `false`: a report that leaves out what its page tells of earlier days, since a later one tells it. */
    tells: z.boolean().optional(),
    /** At most {@link MOST_ALERTS_KEPT}. Only of an alert; earlier versions do not have it. */
    alerts: z.array(z.object({ rule: z.string(), says: z.string() })).optional(),
    /** An alert's words without the invoices and refunds it names, to send it again, unless too long. */
    says: z.object({ day: daySchema, lines: z.array(alertLineSchema) }).optional(),
    intendedAt: z.iso.datetime(),
    /** ISO 8601, UTC. From then on another run may settle the ledger: an invalid time would never pass. */
    until: z.iso.datetime(),
    /** Another run takes over by writing its own name here. */
    writer: z.string(),
    round: z.int().min(1),
    /** Rounds for some recipients, by hashes; `former` were recipients before. Left out without one. */
    partial: z
      .array(
        z.object({
          round: z.int().min(1),
          to: z.array(z.string()),
          former: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    reason: z.string().nullable().default(null),
    /** Why it was not to be sent by itself. It stays when a `resend` sends it. */
    nothingToSend: z.string().nullable().optional(),
    recipients: z.array(entrySchema),
  }),
);
export type Ledger = z.infer<typeof ledgerSchema>;
