import * as z from 'zod';
import { daySchema, timeZoneSchema, dayAt } from '../day/business-day.ts';
import {
  DAY_FIGURES,
  differenceSchema,
  figuresSchema,
  refundsWithoutDaySchema,
} from '../figures/figure-schemas.ts';
import type { Figures } from '../figures/figure-schemas.ts';
import { dayBreakdownSchema } from '../figures/breakdown.ts';
import { chargesSchema } from '../figures/charges.ts';
import { dayFiguresSchema, firstReadingSchema } from '../figures/history.ts';
import {
  dayReceivedSchema,
  followedSchema,
  issuedSchema,
  outcomesSchema,
} from '../figures/invoice-outcomes.ts';
import { olderSchema, toldSchema } from './told.ts';
import { invoiceStatusesSchema } from '../figures/invoice-state-totals.ts';
import { refundStatusesSchema } from '../figures/refund-totals.ts';
import { currencySchema, sealed } from '../money/money.ts';
import { MISFIT_KINDS } from '../rows/drift-tallies.ts';

export const TABLES = ['invoices', 'refunds'] as const;
export type Table = (typeof TABLES)[number];
export const FORMATS = ['json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** `bytes` and `sha256` (hex) are of the stored object, gzip included. */
export const dataFileSchema = z.lazy(() =>
  z.object({
    table: z.enum(TABLES),
    format: z.enum(FORMATS),
    key: z.string(),
    rows: sealed.count,
    bytes: sealed.count,
    sha256: z.string(),
  }),
);
export type DataFile = z.infer<typeof dataFileSchema>;

const someInvoicesSchema = z.lazy(() => z.object({ count: sealed.count, ids: z.array(z.string()) }));

const misfitsSchema = z.lazy(() =>
  z
    .array(
      z.object({
        field: z.string(),
        kind: z.enum(MISFIT_KINDS),
        count: sealed.count,
        ids: z.array(z.string()),
      }),
    )
    .default([]),
);

const further = z.lazy(() => sealed.count.default(0));

/** Beyond the contract: names, counts and a few ids, never values. At most a hundred of each kind. */
const driftSchema = z.lazy(() =>
  z.object({
    unknownFields: z.record(z.enum(TABLES), z.array(z.string())),
    /** By name in the lake: the service's names that become it. */
    renamedFields: z.record(z.enum(TABLES), z.record(z.string(), z.array(z.string()))),
    unknownInvoiceStatuses: z.record(z.string(), sealed.count),
    unknownRefundStatuses: z.record(z.string(), sealed.count),
    /** Created before the day and changed on it or later. */
    otherDays: someInvoicesSchema.default({ count: 0, ids: [] }),
    /** Manifests of earlier versions do not have it: then nobody counted them. */
    refundsWithoutDay: refundsWithoutDaySchema.default({ count: 0, total: '0.000', byStatus: {}, ids: [] }),
    /** The files have the last value. */
    repeatedFields: z
      .record(z.enum(TABLES), z.record(z.string(), sealed.count))
      .default({ invoices: {}, refunds: {} }),
    /** Of records, and of what is around them in lists. */
    misfits: z
      .object({
        invoices: misfitsSchema,
        refunds: misfitsSchema,
        invoiceList: misfitsSchema,
        refundList: misfitsSchema,
      })
      .prefault({}),
    /** Of fields, by table, and of statuses. */
    notListed: z
      .object({ invoices: further, refunds: further, invoiceStatuses: further, refundStatuses: further })
      .prefault({}),
  }),
);
export type Drift = z.infer<typeof driftSchema>;

/** The manifest of a revision (docs/interfaces.md, 6.1 Manifest). Times are ISO 8601 in UTC. */
export const manifestSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    day: daySchema,
    /** `null` when no record has shown it yet. */
    merchantId: z.string().nullable().default(null),
    revision: z.int().min(1),
    pull: z.string(),
    /** A revision without a valid time could not be mailed. */
    pulledAt: z.iso.datetime(),
    /** When the pull of an unfinished day began (ISO 8601, UTC). `soFarUntil` reads it. */
    soFarUntil: z.iso.datetime().nullable().optional(),
    scheduledTime: z.string().nullable(),
    balanced: z.boolean(),
    differences: z.array(differenceSchema),
    /** Differences in comparisons that the registry leaves out (`balance.ignore`). */
    notCompared: z.array(differenceSchema).default([]),
    counts: DAY_FIGURES.counts,
    amounts: DAY_FIGURES.amounts.nullable(),
    refunds: DAY_FIGURES.refunds,
    /** Earlier versions do not have it. */
    breakdown: dayBreakdownSchema.nullable().default(null),
    /** What came in on the day. `null`: the registry named no states, or it is of an earlier version. */
    received: dayReceivedSchema.nullable().default(null),
    /** The invoices made on the day by state. `null` likewise. */
    issued: issuedSchema.nullable().default(null),
    /** What of them is still unpaid. `null` likewise. */
    open: issuedSchema.unwrap().shape.notPaid.nullable().default(null),
    /** What became of them, and when. `null` likewise. */
    outcomes: outcomesSchema.nullable().default(null),
    /** By what later changes of the day are found. Earlier versions do not have it. */
    followed: followedSchema.nullable().default(null),
    /** The revisions of earlier days that this day's mail tells, newest day first. */
    told: z.array(toldSchema).default([]),
    /** What it says of all older days. `null`: nothing. */
    older: olderSchema.nullable().default(null),
    /** By its first whole revision. `null`: not over, or unknown. Earlier versions do not have it: `firstReadingOf`. */
    first: firstReadingSchema.nullable().optional(),
    missingRefundIds: z.array(z.string()),
    /** Hex, of the canonical rows in any order. */
    digest: z.string(),
    drift: driftSchema,
    /** As known when this was sealed, newest first. Its mail compares with them. */
    history: z.array(dayFiguresSchema).default([]),
    /** The key of the revision before, `null` for the first. */
    previous: z.string().nullable(),
    files: z.array(dataFileSchema).length(TABLES.length * FORMATS.length),
    /** What the figures mean, by the registry when they were sealed: `pageSettings` reads these five. */
    currency: currencySchema.optional(),
    timeZone: timeZoneSchema.optional(),
    /** `null`: the registry named no states. */
    invoiceStatuses: invoiceStatusesSchema.nullable().optional(),
    refundStatuses: refundStatusesSchema.optional(),
    charges: chargesSchema.optional(),
    /** As in the registry when this was sealed. Earlier versions do not have it. */
    merchantName: z.string().optional(),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

/** Members have a fixed order, so that two of them compare as text. */
export function figuresOf({
  received,
  ...figures
}: Omit<Figures, 'received'> & Partial<Pick<Manifest, 'received'>>): Figures {
  return figuresSchema.parse({ ...figures, ...(received && { received }) });
}

/** @throws {TypeError} when the manifest does not name it */
export function dataFile(manifest: Manifest, table: Table, format: Format): DataFile {
  const file = manifest.files.find((candidate) => candidate.table === table && candidate.format === format);
  if (file === undefined)
    throw new TypeError(`manifest ${manifest.pull} names no ${table} file in ${format}`);
  return file;
}

/** When the pull of an unfinished day began (ISO 8601, UTC); `null` for a whole day. Older ones: by `pulledAt`. */
export function soFarUntil(
  manifest: Pick<Manifest, 'day' | 'pulledAt' | 'soFarUntil'>,
  timeZone: string,
): string | null {
  const { day, pulledAt, soFarUntil: said } = manifest;
  if (said !== undefined) return said;
  return dayAt(Date.parse(pulledAt), timeZone) > day ? null : pulledAt;
}
