import * as z from 'zod';
import { isDay } from '#domain/day/business-day.ts';
import { readEvent } from '#domain/errors/invalid-event.ts';
import { alertLedgerKey, ledgerKey } from '#domain/storage/keys.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';

/** What the tags of a mail say. */
export interface TaggedMail {
  kind: 'report' | 'correction' | 'alert' | 'preview' | 'ops';
  /** Hash of the address that it was sent to. */
  recipient: string;
  merchantCode: string | undefined;
  day: string | undefined;
  /** Key of its ledger, `undefined` for a kind without ledgers. */
  ledgerKey: string | undefined;
}

/** A tag in the form of SES: a list. It has one value, because a mail gets each tag once. */
function tag<Schema extends z.ZodType>(schema: Schema) {
  return z.tuple([schema]);
}

const recipient = z.lazy(() => tag(z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of an address')));
// These values become parts of a key.
const merchant = z.lazy(() => tag(z.string().regex(MERCHANT_CODE, 'must be a merchant code')));
const day = z.lazy(() => tag(z.string().refine(isDay, 'is not a date (YYYY-MM-DD)')));
const revision = z.lazy(() => tag(z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision')));
const check = z.lazy(() => tag(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a check')));

/** Wraps the schema, so that an error names the member by its whole path. */
function within<Shape extends z.core.$ZodLooseShape>(tags: Shape) {
  return z.object({ detail: z.object({ mail: z.object({ tags: z.object(tags) }) }) });
}

const reportSchema = z.lazy(() => within({ recipient, merchant, day, revision }));
const alertSchema = z.lazy(() => within({ recipient, merchant, check, day: day.optional() }));
const otherSchema = z.lazy(() => within({ recipient, merchant: merchant.optional(), day: day.optional() }));

/**
 * Reads the tags that a mail got when it was sent.
 *
 * @param tags those of the event
 * @param rawEvent the event that they are in
 * @returns `undefined` for a mail that somebody else in the same account sent
 * @throws {InvalidEventError} that names the tag that is missing or malformed
 */
export function readMailTags(
  tags: Readonly<Record<string, string[]>>,
  rawEvent: unknown,
): TaggedMail | undefined {
  const kind = tags['kind']?.[0];
  switch (kind) {
    case 'report':
    case 'correction': {
      const read = readEvent(reportSchema, rawEvent).detail.mail.tags;
      const [merchantCode] = read.merchant;
      const key = ledgerKey(read.day[0], merchantCode, Number(read.revision[0]));
      return { kind, recipient: read.recipient[0], merchantCode, day: read.day[0], ledgerKey: key };
    }
    case 'alert': {
      const read = readEvent(alertSchema, rawEvent).detail.mail.tags;
      const [merchantCode] = read.merchant;
      const key = alertLedgerKey(merchantCode, read.check[0]);
      return { kind, recipient: read.recipient[0], merchantCode, day: read.day?.[0], ledgerKey: key };
    }
    case 'preview':
    case 'ops': {
      const read = readEvent(otherSchema, rawEvent).detail.mail.tags;
      const [merchantCode] = read.merchant ?? [];
      return {
        kind,
        recipient: read.recipient[0],
        merchantCode,
        day: read.day?.[0],
        ledgerKey: undefined,
      };
    }
    default:
      return undefined;
  }
}
