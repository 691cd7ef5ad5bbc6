import * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import { brandingSchema } from './branding.ts';
import { LANGUAGES } from './languages.ts';
import { timeZoneSchema } from '#records/day/business-day.ts';
import { MERCHANT_CODE, recipientsSchema } from './registry-schema.ts';
import { MOST_MERCHANTS } from './registry.ts';
import { correctForSchema, monthlySchema, waitForSchema, weeklySchema } from './statement-settings.ts';

export const GROUP_NAME = MERCHANT_CODE;

const CODE = 'must be letters, digits and "-", 64 at most';

export const prefixSchema = z.lazy(() => z.object({ prefix: z.string().regex(MERCHANT_CODE, CODE) }));

export type GroupMembers = 'all' | z.infer<typeof prefixSchema> | readonly string[];

const MOST_FAULTS = 20;

type Fault = (path: PropertyKey[], message: string) => void;

function readCodes(codes: readonly unknown[], fault: Fault): readonly string[] {
  if (codes.length === 0) fault([], 'must name a merchant');
  if (codes.length > MOST_MERCHANTS) fault([], `has more than ${MOST_MERCHANTS} codes`);
  if (codes.length === 0 || codes.length > MOST_MERCHANTS) return [];
  let faults = 0;
  const usable: string[] = [];
  for (const [index, code] of codes.entries()) {
    if (typeof code === 'string' && MERCHANT_CODE.test(code)) usable.push(code);
    else if ((faults += 1) <= MOST_FAULTS) fault([index], CODE);
  }
  return usable;
}

export const groupMembersSchema = z.lazy(() =>
  z.unknown().transform((given, context): GroupMembers => {
    const fault: Fault = (path, message) => context.addIssue({ code: 'custom', path, message });
    if (given === 'all') return given;
    if (Array.isArray(given)) return readCodes(given, fault);
    if (!isMembers(given)) fault([], 'must be "all", { "prefix": "70" } or a list of codes');
    else {
      const read = prefixSchema.safeParse(given);
      if (read.success) return read.data;
      const isMissing = given.prefix === undefined;
      fault(['prefix'], isMissing ? `is missing, ${CODE}` : CODE);
    }
    return z.NEVER;
  }),
);

export const groupSchema = z.lazy(() =>
  z.object({
    name: z.string().regex(GROUP_NAME, CODE),
    merchants: groupMembersSchema,
    recipients: recipientsSchema,
    language: z.enum(LANGUAGES).optional(),
    branding: brandingSchema.prefault({}),
    timeZone: timeZoneSchema.optional(),
    daily: z.boolean().default(false),
    weekly: weeklySchema.optional(),
    monthly: monthlySchema.optional(),
    waitFor: waitForSchema.optional(),
    correctFor: correctForSchema.optional(),
    attachXlsx: z.boolean().default(true),
  }),
);
