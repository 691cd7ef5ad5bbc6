import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import {
  amountsSchema,
  countsSchema,
  differenceSchema,
  figuresSchema,
  refundFiguresSchema,
} from '../figures/figures.ts';
import type { Figures } from '../figures/figures.ts';
import { dayFiguresSchema } from '../figures/history.ts';

export const TABLES = ['invoices', 'refunds'] as const;
export type Table = (typeof TABLES)[number];
export const FORMATS = ['json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** One data file of a revision: `bytes` and `sha256` (hex) are of the object as stored, gzip included. */
export const dataFileSchema = z.lazy(() =>
  z.object({
    table: z.enum(TABLES),
    format: z.enum(FORMATS),
    key: z.string(),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string(),
  }),
);
export type DataFile = z.infer<typeof dataFileSchema>;

const someInvoicesSchema = z.lazy(() => z.object({ count: z.int(), ids: z.array(z.string()) }));

const further = z.lazy(() => z.int().min(0).default(0));

/** What the service sent beyond the contract: names, counts and a few ids, never values. Of each kind the first hundred. */
const driftSchema = z.lazy(() =>
  z.object({
    unknownFields: z.record(z.enum(TABLES), z.array(z.string())),
    /** By the name that the lake knows, in lower case: the service's names that are written as it. */
    renamedFields: z.record(z.enum(TABLES), z.record(z.string(), z.array(z.string()))),
    unknownInvoiceStatuses: z.record(z.string(), z.int()),
    unknownRefundStatuses: z.record(z.string(), z.int()),
    /** Invoices created before the day and changed on it or later: how many, and the ids of the first ones. */
    otherDays: someInvoicesSchema.default({ count: 0, ids: [] }),
    /** Fields that stood twice in one record, and how often: the value that came last is the one in the files. */
    repeatedFields: z
      .record(z.enum(TABLES), z.record(z.string(), z.int()))
      .default({ invoices: {}, refunds: {} }),
    /** How often a name came that is not listed: of fields, by table, and of statuses. */
    notListed: z
      .object({ invoices: further, refunds: further, invoiceStatuses: further, refundStatuses: further })
      .prefault({}),
  }),
);
export type Drift = z.infer<typeof driftSchema>;

/** The seal of a revision, as docs/interfaces.md, 6.1 Manifest fixes it. Times are ISO 8601 in UTC. */
export const manifestSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    day: daySchema,
    /** The service's own id of the merchant as records carry it, `null` where none has told it yet. */
    merchantId: z.string().nullable().default(null),
    revision: z.int().min(1),
    pull: z.string(),
    /** ISO 8601, UTC. What is no time could not be mailed, nor told from the newest. */
    pulledAt: z.iso.datetime(),
    /** When the pull began, where the day was not over by then (ISO 8601, UTC); `null` for a whole day. `so-far.ts` reads it. */
    soFarUntil: z.iso.datetime().nullable().optional(),
    scheduledTime: z.string().nullable(),
    balanced: z.boolean(),
    differences: z.array(differenceSchema),
    /** What does not agree in comparisons that the registry leaves out (`balance.ignore`). */
    notCompared: z.array(differenceSchema).default([]),
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    /** Refund ids that were asked for and that the service does not know; asked for again at the next pull. */
    missingRefundIds: z.array(z.string()),
    /** Over the canonical rows, whatever their order (hex). */
    digest: z.string(),
    drift: driftSchema,
    /** The days before, as they were known when this revision was sealed, newest first; what its mail compares with. */
    history: z.array(dayFiguresSchema).default([]),
    /** The key of the revision before, `null` for the first. */
    previous: z.string().nullable(),
    files: z.array(dataFileSchema).length(TABLES.length * FORMATS.length),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

/** The figures of a sealed day, in one fixed order of members so that two of them compare as text. */
export function figuresOf(sealed: Pick<Manifest, 'counts' | 'amounts' | 'refunds' | 'balanced'>): Figures {
  return figuresSchema.parse({
    counts: sealed.counts,
    amounts: sealed.amounts,
    refunds: sealed.refunds,
    balanced: sealed.balanced,
  });
}

/** The data file of one table and format. Every manifest has all four. */
export function dataFile(manifest: Manifest, table: Table, format: Format): DataFile {
  const file = manifest.files.find((candidate) => candidate.table === table && candidate.format === format);
  if (file === undefined)
    throw new TypeError(`manifest ${manifest.pull} names no ${table} file in ${format}`);
  return file;
}
