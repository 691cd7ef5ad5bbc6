import * as z from 'zod';
import { alertLineSchema } from '../alerts/alert-state.ts';
import { daySchema } from '../day/business-day.ts';
import { figuresSchema } from '../figures/figures.ts';

/** The states of one recipient's mail (docs/interfaces.md, 6.4 Ledger). */
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
/** The state of one recipient's mail. */
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

const entrySchema = z.lazy(() =>
  z.object({
    /** SHA-256 of the address, never the address. */
    to: z.string(),
    status: z.enum(RECIPIENT_STATUSES),
    messageId: z.string().nullable(),
    /** ISO 8601, UTC: when the entry got the status. */
    at: z.string(),
    reason: z.string().nullable().default(null),
    /** 1 for the first mail. Each `resend` adds entries of the next round. */
    round: z.int().min(1).default(1),
  }),
);
/** One recipient's mail in one round. */
export type LedgerEntry = z.infer<typeof entrySchema>;

/** The most rules that the ledger of an alert mail names. */
export const MOST_ALERTS_KEPT = 100;

const partialRoundSchema = z.lazy(() =>
  z.object({
    round: z.int().min(1),
    to: z.array(z.string()),
    former: z.array(z.string()).optional(),
  }),
);

/**
 * One object per merchant, day and revision, or per merchant and alert check. `status` is `intended` while a
 * writer is at work or has died. After that it is the result of `settledStatus`. A ledger without a mail is
 * `skipped`.
 */
export const ledgerSchema = z.lazy(() =>
  z.object({
    /** Its own key, so that a copy at another key is found. Ledgers of earlier versions do not have it. */
    key: z.string().optional(),
    status: z.enum(RECIPIENT_STATUSES),
    kind: z.enum(['report', 'correction', 'alert', 'statement', 'group']),
    /**
     * For a correction: the revision whose mail it corrects. `null` for any other mail. Ledgers of earlier
     * versions do not have it.
     */
    corrects: z.int().min(1).nullable().optional(),
    /**
     * The figures in a report, a statement or a correction. `balanced` of a statement: whether it is final. `null` for an
     * alert and for a group.
     */
    figures: figuresSchema.nullable(),
    /**
     * What an alert mail says about each rule, {@link MOST_ALERTS_KEPT} at most. A report does not have it, and
     * neither have ledgers of earlier versions.
     */
    alerts: z.array(z.object({ rule: z.string(), says: z.string() })).optional(),
    /**
     * What an alert mail says, but for the invoices and refunds that it names, so that it can be sent again. Left out for
     * other mails, and when it is too long. Ledgers of earlier versions do not have it.
     */
    says: z.object({ day: daySchema, lines: z.array(alertLineSchema) }).optional(),
    intendedAt: z.iso.datetime(),
    /**
     * When the writer's time is over (ISO 8601, UTC). From then on another run may settle the ledger. A time
     * that is not valid would never pass.
     */
    until: z.iso.datetime(),
    /** The run that may write. Another run takes over by writing its own name here. */
    writer: z.string(),
    round: z.int().min(1),
    /**
     * The rounds that are for some of the recipients only, with the hashes of their addresses (`to`), and of
     * those who were recipients before and are not any more (`former`). Every other round is for all
     * recipients. Left out while there is no such round.
     */
    partial: z.array(partialRoundSchema).optional(),
    reason: z.string().nullable().default(null),
    /** Why the mail was not to be sent by itself. It stays when a `resend` sends the mail. */
    nothingToSend: z.string().nullable().optional(),
    recipients: z.array(entrySchema),
  }),
);
/** What became of one mail to its recipients. */
export type Ledger = z.infer<typeof ledgerSchema>;
