import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { amountsSchema, countsSchema, refundFiguresSchema, refundTotalSchema } from '../figures/figures.ts';
import { periodSchema } from '../period/period.ts';
import { currencySchema, sealed } from '../money/sealed.ts';
import { netSchema } from './period-figures.ts';

/**
 * Why a merchant of a group has no page: nothing is sealed, the stored page cannot be read, its entry in the registry cannot be
 * used, or the registry does not have it.
 */
export const MISSING_REASONS = ['not-sealed', 'not-readable', 'not-usable', 'not-in-registry'] as const;

/**
 * A figure of a merchant against what is usual: the average of the same weekday in the four weeks before for a day, the
 * period before for a week or month. `null` when it is not known.
 */
export const usualSchema = z.lazy(() =>
  z.object({ received: sealed.amount.nullable(), total: sealed.count.nullable() }),
);

/** One merchant in a group's page. */
export const groupMemberSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    /** The merchant's name in the registry: any text, which may be hostile. */
    name: z.string(),
    /** As its page was sealed. `null`: the days of its statement are of several currencies, so that no amount is added up. */
    currency: currencySchema.nullable(),
    /** The revision of its day or statement. */
    revision: z.int().min(1),
    from: daySchema,
    to: daySchema,
    /** Whether its page balances: of a week or month, whether all of its days do. */
    balanced: z.boolean(),
    /** Of a week or month: whether its statement is final. Of a day: as `balanced`. */
    final: z.boolean(),
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundTotalSchema,
    received: sealed.amount.nullable(),
    net: sealed.amount.nullable(),
    usual: usualSchema.nullable(),
  }),
);
/** One merchant in a group's page. */
export type GroupMember = z.infer<typeof groupMemberSchema>;

/**
 * The sums of one currency. Sums of different currencies are never added. A merchant whose days are of several counts in each of
 * them with its days of that currency.
 */
export const currencySumSchema = z.lazy(() =>
  z.object({
    merchants: sealed.count,
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    net: netSchema,
  }),
);
/** The sums of one currency. */
export type CurrencySum = z.infer<typeof currencySumSchema>;

const shownSchema = z.lazy(() =>
  z.object({
    received: sealed.amount.nullable(),
    refunds: sealed.amount.nullable(),
    /** Only where it is not the currency of the page now. */
    currency: currencySchema.nullable().optional(),
  }),
);

/** A merchant whose page has changed since the group's page before. */
export const changedMemberSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    name: z.string(),
    /** Of its page now. `null`: of several currencies. */
    currency: currencySchema.nullable(),
    period: periodSchema,
    fromRevision: z.int().min(1).nullable(),
    toRevision: z.int().min(1),
    before: shownSchema.nullable(),
    after: shownSchema,
  }),
);
/** A merchant whose page has changed. */
export type ChangedMember = z.infer<typeof changedMemberSchema>;

/** A sealed page of a group (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC. */
export const groupPageSchema = z.lazy(() =>
  z.object({
    group: z.string(),
    period: periodSchema,
    /** The earliest and the latest day of its merchants: their weeks may begin on different days. */
    from: daySchema,
    to: daySchema,
    revision: z.int().min(1),
    sealedAt: z.iso.datetime(),
    scheduledTime: z.string().nullable(),
    final: z.boolean(),
    /** Merchants with a page, in the registry's order. */
    merchants: z.array(groupMemberSchema).max(20_000),
    missing: z.array(
      z.object({ merchantCode: z.string(), name: z.string().nullable(), reason: z.enum(MISSING_REASONS) }),
    ),
    byCurrency: z.record(currencySchema, currencySumSchema),
    /** What changed in the group's page before this one since it was sent. */
    corrections: z.array(changedMemberSchema),
    digest: z.string(),
    previous: z.string().nullable(),
  }),
);
/** A sealed page of a group. */
export type GroupPage = z.infer<typeof groupPageSchema>;
