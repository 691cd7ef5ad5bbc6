import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { periodKind } from '#records/period/period.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import { alertLedgerKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';
import type { OpsNotice } from '../notices/ops-notice.ts';

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

function tag<Schema extends z.ZodType>(schema: Schema) {
  return z.tuple([schema]);
}

const recipient = z.lazy(() => tag(z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of an address')));
// These values become parts of a key.
const merchant = z.lazy(() => tag(z.string().regex(MERCHANT_CODE, 'must be a merchant code')));
const group = z.lazy(() => tag(z.string().regex(MERCHANT_CODE, 'must be the name of a group')));
const day = z.lazy(() => tag(z.string().refine(isDay, 'is not a date (YYYY-MM-DD)')));
const period = z.lazy(() =>
  tag(z.string().refine((text) => periodKind(text) !== undefined, 'is not a month, a week or a day')),
);
const revision = z.lazy(() => tag(z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of a revision')));
const check = z.lazy(() => tag(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a check')));

function within<Shape extends z.core.$ZodLooseShape>(tags: Shape) {
  return z.object({ detail: z.object({ mail: z.object({ tags: z.object(tags) }) }) });
}

const reportSchema = z.lazy(() => within({ recipient, merchant, day, revision }));
const statementSchema = z.lazy(() => within({ recipient, merchant, period, revision }));
const groupSchema = z.lazy(() => within({ recipient, group, period, revision }));
const alertSchema = z.lazy(() => within({ recipient, merchant, check, day: day.optional() }));
const otherSchema = z.lazy(() =>
  within({
    recipient,
    merchant: merchant.optional(),
    group: group.optional(),
    day: day.optional(),
    period: period.optional(),
  }),
);

function readReport(kind: 'report' | 'correction', rawEvent: unknown): TaggedMail {
  const { recipient, merchant, day, revision } = readEvent(reportSchema, rawEvent).detail.mail.tags;
  const [merchantCode] = merchant;
  const key = ledgerKey(day[0], merchantCode, Number(revision[0]));
  return { kind, recipient: recipient[0], merchantCode, day: day[0], ledgerKey: key };
}

function readStatement(kind: 'statement' | 'correction', rawEvent: unknown): TaggedMail {
  const { recipient, merchant, period, revision } = readEvent(statementSchema, rawEvent).detail.mail.tags;
  const [merchantCode] = merchant;
  const place = { owner: { merchantCode }, period: period[0], revision: Number(revision[0]) };
  const key = pageLedgerKey(place);
  return { kind, recipient: recipient[0], merchantCode, period: period[0], ledgerKey: key };
}

function readGroup(rawEvent: unknown): TaggedMail {
  const tags = readEvent(groupSchema, rawEvent).detail.mail.tags;
  const [[group], [period], [revision]] = [tags.group, tags.period, tags.revision];
  const key = pageLedgerKey({ owner: { group }, period, revision: Number(revision) });
  return { kind: 'group', recipient: tags.recipient[0], group, period, ledgerKey: key };
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
    case 'group':
      return readGroup(rawEvent);
    case 'alert': {
      const read = readEvent(alertSchema, rawEvent).detail.mail.tags;
      const [merchantCode] = read.merchant;
      const key = alertLedgerKey(merchantCode, read.check[0]);
      return { kind, recipient: read.recipient[0], merchantCode, day: read.day?.[0], ledgerKey: key };
    }
    case 'preview':
    case 'ops': {
      const read = readEvent(otherSchema, rawEvent).detail.mail.tags;
      return {
        kind,
        recipient: read.recipient[0],
        merchantCode: read.merchant?.[0],
        group: read.group?.[0],
        day: read.day?.[0],
        period: read.period?.[0],
        ledgerKey: undefined,
      };
    }
    default:
      return undefined;
  }
}

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

export function namedInHead({
  merchantCode,
  group,
  day,
  period,
}: TaggedMail): Pick<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'> {
  return {
    merchants: listed(merchantCode),
    groups: listed(group),
    days: listed(day),
    periods: listed(period),
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
