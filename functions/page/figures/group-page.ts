import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import {
  amountsSchema,
  countsSchema,
  refundFiguresSchema,
  refundTotalSchema,
} from '#records/figures/figure-schemas.ts';
import { periodSchema } from '#records/period/period.ts';
import { currencySchema, sealed } from '#records/money/money.ts';
import { netSchema } from '#records/figures/day-net.ts';
import { currenciesThatCameIn } from './statement.ts';

/** Nothing is sealed, the page or the entry is unusable, or the registry does not have it. */
export const MISSING_REASONS = ['not-sealed', 'not-readable', 'not-usable', 'not-in-registry'] as const;

export const groupMemberSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    /** Any text, which may be hostile. */
    name: z.string(),
    /** `null`: the days are of several currencies, and no amount is added up. */
    currency: currencySchema.nullable(),
    revision: z.int().min(1),
    from: daySchema,
    to: daySchema,
    /** Of a week or month: whether all of its days do. */
    balanced: z.boolean(),
    /** Of a day: as `balanced`. */
    final: z.boolean(),
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundTotalSchema,
    /** What came in; of earlier versions the paid ones of the invoices made then. */
    received: sealed.amount.nullable(),
    /** Approved refunds. Pages of earlier versions do not have it. */
    refunded: sealed.amount.nullable().optional(),
    net: sealed.amount.nullable(),
    /** The average of the same weekday in four weeks for a day, else the period before. `null`: unknown. */
    usual: z.object({ received: sealed.amount.nullable(), total: sealed.count.nullable() }).nullable(),
  }),
);
export type GroupMember = z.infer<typeof groupMemberSchema>;

/** A merchant whose days are of several counts in each currency with its days of that one. */
const currencySumSchema = z.lazy(() =>
  z.object({
    merchants: sealed.count,
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    net: netSchema,
  }),
);
export type CurrencySum = z.infer<typeof currencySumSchema>;

const shownSchema = z.lazy(() =>
  z.object({
    received: sealed.amount.nullable(),
    /** The approved ones; of earlier versions all. */
    refunds: sealed.amount.nullable(),
    /** Only where it is not that of the page now. */
    currency: currencySchema.nullable().optional(),
  }),
);

const changedMemberSchema = z.lazy(() =>
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
export type ChangedMember = z.infer<typeof changedMemberSchema>;

/** A sealed page of a group (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC. */
export const groupPageSchema = z.lazy(() =>
  z.object({
    group: z.string(),
    period: periodSchema,
    from: daySchema,
    to: daySchema,
    revision: z.int().min(1),
    sealedAt: z.iso.datetime(),
    scheduledTime: z.string().nullable(),
    final: z.boolean(),
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
export type GroupPage = z.infer<typeof groupPageSchema>;

/**
 * A list that is read up to the first value that does not fit: zod's own name every fault of every value,
 * which takes seconds and more memory than a function has.
 */
function boundedList<T>(schema: z.ZodType<T>, most: number): z.ZodType<T[]> {
  return z
    .array(z.unknown())
    .max(most)
    .transform((values, context): T[] => {
      const list: T[] = [];
      for (const [index, value] of values.entries()) {
        const read = schema.safeParse(value);
        if (!read.success) {
          const issue = read.error.issues[0];
          context.addIssue({
            code: 'custom',
            path: [index, ...(issue?.path ?? [])],
            message: issue?.message ?? 'does not fit',
          });
          return z.NEVER;
        }
        list.push(read.data);
      }
      return list;
    });
}

/** The most merchants of a registry, and with them as many codes of a group that the registry does not have. */
const [MOST_MEMBERS, MOST_MISSING] = [20_000, 40_000];

/**
 * {@link groupPageSchema} of any version, in bounded time and memory for a page that Daybook did not write. What came
 * in is unknown in those of earlier ones.
 */
export const storedGroupPageSchema = z.lazy(() => {
  const page = groupPageSchema.unwrap();
  const bounded = page.extend({
    merchants: boundedList(groupMemberSchema, MOST_MEMBERS),
    missing: boundedList(page.shape.missing.element, MOST_MISSING),
    corrections: boundedList(changedMemberSchema, MOST_MEMBERS),
  });
  return bounded.transform(({ merchants, byCurrency, ...stored }): GroupPage => ({
    ...stored,
    merchants: merchants.map((member) =>
      member.refunded === undefined ? { ...member, received: null, net: null, usual: null } : member,
    ),
    byCurrency: currenciesThatCameIn(byCurrency),
  }));
});
