import * as z from 'zod';
import { mailAddress } from './mail-address.ts';
import { balanceSchema } from '#records/balance/comparisons.ts';
import { isDay, timeZoneSchema, WEEKDAYS } from '#records/day/business-day.ts';
import { chargesSchema } from '#records/figures/charges.ts';
import { invoiceStatusesSchema } from '#records/figures/invoice-state-totals.ts';
import { refundStatusesSchema } from '#records/figures/refund-totals.ts';
import { currencySchema } from '#records/money/money.ts';
import { redactSchema } from '#records/rows/redaction.ts';
import { brandingSchema } from './branding.ts';
import { LANGUAGES } from './languages.ts';
import { orOff, statementSettingsSchema, timeOfDaySchema } from './statement-settings.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';

const attachmentsSchema = z.lazy(() =>
  z.object({
    /** Our words for the service's payment methods, whose meaning the contract does not give. */
    paymentMethods: z.record(z.string(), z.string().min(1).max(60)).default({}),
    /** Whether the CSV is for people: a spreadsheet that opens it keeps the digits of ids. */
    idsAsText: z.boolean().default(false),
  }),
);
export type AttachmentSettings = z.infer<typeof attachmentsSchema>;

/** Programs whose import file the mails bring, and the standard of ISO 20022 (docs/books.md). */
export const BOOK_LAYOUTS = ['odoo', 'zoho-books', 'quickbooks-online', 'xero', 'camt.053'] as const;
export type BookLayout = (typeof BOOK_LAYOUTS)[number];

export const booksSchema = z.lazy(() =>
  z.object({
    layout: z.enum(BOOK_LAYOUTS),
    /** Whether each day's mail brings a file, too. */
    daily: z.boolean().default(false),
  }),
);

/** Characters. Gateways do not accept more. */
const LONGEST_URL = 2_000;

// A path is appended to the base URL. A second slash or a backslash could be read as another host.
const servicePath = z.lazy(() =>
  z
    .string()
    .max(LONGEST_URL)
    .regex(/^\/(?![/\\])[^\\?#\s]*$/, 'must begin with one "/" and have no "\\", "?" or "#"'),
);

export const serviceSchema = z.lazy(() =>
  z.object({
    baseUrl: z.url().max(LONGEST_URL),
    loginPath: servicePath.default('/api/v1/login'),
    refreshPath: servicePath.default('/api/v1/token-refresh'),
    refundListPath: servicePath.default('/api/v1/refund/'),
    /** Left out: what came in is not held against the transaction list. */
    transactionsPath: servicePath.optional(),
  }),
);
/** Published and not guaranteed paths (docs/contract.md, 4 Endpoints). */
export type ServiceSettings = z.infer<typeof serviceSchema>;

const refundsSchema = z.lazy(() =>
  z.object({
    source: z.enum(['list', 'watchlist', 'both']).default('list'),
    statuses: refundStatusesSchema.default({}),
  }),
);

/** Each recipient gets an own mail, one after the other, within the time of a function. */
export const MOST_RECIPIENTS = 100;

export const recipientsSchema = z.lazy(() =>
  z
    .array(mailAddress)
    .refine((list) => list.length <= MOST_RECIPIENTS, `has more than ${MOST_RECIPIENTS} addresses`),
);

const LONGEST_FOLLOWED = 400;

/** Days after parsing. */
const followForSchema = z.lazy(() =>
  z
    .string()
    .regex(/^\d{1,3}d$/, 'must be days such as "90d", or "0d" for none')
    .transform((text) => Number(text.slice(0, -1)))
    .refine((days) => days <= LONGEST_FOLLOWED, `must be at most ${LONGEST_FOLLOWED}d`),
);

/** Where changes of older days are told: in the next report, each in a mail of its own, or nowhere. */
export const CORRECTIONS = ['morning', 'each', 'none'] as const;

export const merchantSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
    name: z.string().min(1).optional(),
    timeZone: timeZoneSchema.default('Asia/Kuwait'),
    reportAt: timeOfDaySchema.default('06:00'),
    weekStart: z.enum(WEEKDAYS).default('sunday'),
    /** `null`: none. */
    statements: orOff(statementSettingsSchema),
    currency: currencySchema.unwrap().default('KWD'),
    language: z.enum(LANGUAGES).default('en'),
    branding: brandingSchema.prefault({}),
    lookbackDays: z.array(z.int().min(1).max(366)).max(31).default([1, 3, 7]),
    /** Days that open invoices and pending refunds are followed; 0: `lookbackDays` alone. */
    followFor: followForSchema.unwrap().prefault('90d'),
    corrections: z.enum(CORRECTIONS).default('morning'),
    invoiceTypes: z
      .array(z.string().regex(/^\d{1,4}$/))
      .min(1)
      .refine((types) => new Set(types).size === types.length, 'has a type twice')
      .default(['1', '0', '6', '7']),
    maxConcurrency: z.int().min(1).max(64).default(16),
    recipients: recipientsSchema.default([]),
    reportFrom: z.string().refine(isDay, 'is not a date (YYYY-MM-DD)').optional(),
    /** Links of mails that went out before then no longer work. */
    linksFrom: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-11-27T09:00:00Z' })
      .optional(),
    secretId: z.string().min(1).optional(),
    /** The service's own id of the merchant. It replaces what earlier days say. */
    merchantId: z.string().min(1).max(64).optional(),
    attachCsv: z.boolean().default(false),
    attachXlsx: z.boolean().default(false),
    attachments: attachmentsSchema.prefault({}),
    /** `undefined`: no import files. */
    books: orOff(booksSchema),
    skipEmpty: z.boolean().default(false),
    refunds: refundsSchema.prefault({}),
    balance: balanceSchema.prefault({}),
    invoiceStatuses: invoiceStatusesSchema.optional(),
    /** Whether the merchant may be paid in ways that the invoice list does not hold: the report then says so. */
    otherChannels: z.boolean().default(true),
    /** Columns of a paid invoice that the merchant bears. */
    charges: chargesSchema.default([]),
    /** Columns whose values are left out of the lake and of attachments. */
    redact: redactSchema.default([]),
    /** `readRules` reads each on its own, so that a bad rule does not stop the report. */
    alerts: z.array(z.unknown()).default([]),
  }),
);

export const MERGED_SCHEMAS = {
  refunds: refundsSchema,
  balance: balanceSchema,
  branding: brandingSchema,
  attachments: attachmentsSchema,
  statements: statementSettingsSchema,
};

export type MerchantSettings = Omit<z.infer<typeof merchantSchema>, 'name'> & { name: string };

export const OWN_MEMBERS = ['merchantCode', 'name', 'secretId', 'merchantId'];

export const registrySchema = z.lazy(() =>
  z.object({
    service: serviceSchema,
    defaults: z.record(z.string(), z.unknown()).default({}),
    merchants: z.array(z.unknown()),
    groups: z.array(z.unknown()).default([]),
  }),
);
