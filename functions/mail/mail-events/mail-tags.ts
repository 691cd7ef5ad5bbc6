import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { periodKind } from '#records/period/period.ts';
import { MERCHANT_CODE, alertLedgerKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';

export interface TaggedMail {
  kind: 'report' | 'correction' | 'alert' | 'statement' | 'group' | 'preview' | 'ops';
  /** A hash. */
  recipient: string;
  merchantCode?: string | undefined;
  group?: string | undefined;
  day?: string | undefined;
  period?: string | undefined;
  /** `undefined` for a kind without ledgers. */
  ledgerKey: string | undefined;
}

function tag(build: () => z.ZodType<string>) {
  return z.lazy(() => z.tuple([build()]).transform(([value]) => value));
}

const recipient = tag(() => z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of an address'));
// These values become parts of a key.
const merchant = tag(() => z.string().regex(MERCHANT_CODE, 'must be a merchant code'));
const group = tag(() => z.string().regex(MERCHANT_CODE, 'must be the name of a group'));
const day = tag(() => z.string().refine(isDay, 'is not a date (YYYY-MM-DD)'));
const period = tag(() =>
  z.string().refine((text) => periodKind(text) !== undefined, 'is not a month, a week or a day'),
);
const revision = tag(() => z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision'));
const check = tag(() => z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a check'));

/** The tags of an event. @throws {InvalidEventError} names the wrong tag */
function tagsOf<Shape extends z.core.$ZodLooseShape>(rawEvent: unknown, shape: Shape) {
  const schema = z.object({ detail: z.object({ mail: z.object({ tags: z.object(shape) }) }) });
  return readEvent(schema, rawEvent).detail.mail.tags;
}

type Kind = TaggedMail['kind'];

const ofPage = { recipient, revision };

function readReport(kind: Kind, rawEvent: unknown): TaggedMail {
  const {
    merchant: merchantCode,
    revision: number,
    ...read
  } = tagsOf(rawEvent, { ...ofPage, merchant, day });
  return { kind, ...read, merchantCode, ledgerKey: ledgerKey(read.day, merchantCode, Number(number)) };
}

function readStatement(kind: Kind, rawEvent: unknown): TaggedMail {
  const {
    merchant: merchantCode,
    revision: number,
    ...read
  } = tagsOf(rawEvent, { ...ofPage, merchant, period });
  const place = { owner: { merchantCode }, period: read.period, revision: Number(number) };
  return { kind, ...read, merchantCode, ledgerKey: pageLedgerKey(place) };
}

/** `undefined` for somebody else's mail in the account. @throws {InvalidEventError} names the wrong tag */
export function readMailTags(
  tags: Readonly<Record<string, string[]>>,
  rawEvent: unknown,
): TaggedMail | undefined {
  const kind = tags['kind']?.[0];
  switch (kind) {
    case 'report':
      return readReport(kind, rawEvent);
    case 'correction':
      // Days and statements are corrected.
      return tags['period'] === undefined ? readReport(kind, rawEvent) : readStatement(kind, rawEvent);
    case 'statement':
      return readStatement(kind, rawEvent);
    case 'group': {
      const { revision: number, ...read } = tagsOf(rawEvent, { ...ofPage, group, period });
      const place = { owner: { group: read.group }, period: read.period, revision: Number(number) };
      return { kind, ...read, ledgerKey: pageLedgerKey(place) };
    }
    case 'alert': {
      const shape = { recipient, merchant, check, day: day.optional() };
      const { merchant: merchantCode, check: name, ...read } = tagsOf(rawEvent, shape);
      return { kind, ...read, merchantCode, ledgerKey: alertLedgerKey(merchantCode, name) };
    }
    case 'preview':
    case 'ops': {
      const others = { group: group.optional(), day: day.optional(), period: period.optional() };
      const shape = { recipient, merchant: merchant.optional(), ...others };
      const { merchant: merchantCode, ...read } = tagsOf(rawEvent, shape);
      return { kind, ...read, merchantCode, ledgerKey: undefined };
    }
    default:
      return undefined;
  }
}

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

export function namedInHead(mail: TaggedMail) {
  return {
    merchants: listed(mail.merchantCode),
    groups: listed(mail.group),
    days: listed(mail.day),
    periods: listed(mail.period),
  };
}

/** In words, such as `merchant 700001`; `undefined` for a notice to ops. */
export function ownerInWords({ merchantCode, group }: TaggedMail): string | undefined {
  if (merchantCode !== undefined) return `merchant ${merchantCode}`;
  return group === undefined ? undefined : `group ${group}`;
}

/** In words, such as `, day 2026-11-20`; empty when the mail has none. */
export function timeInWords({ day, period }: TaggedMail): string {
  if (day !== undefined) return `, day ${day}`;
  return period === undefined ? '' : `, period ${period}`;
}
