import { subjectLine, type PageAttachment } from '../mail-parts.ts';
import { dayAt } from '#records/day/business-day.ts';
import { parseSum } from '#records/money/money.ts';
import { soFarUntil, type Manifest } from '#records/revision/manifest.ts';
import { periodInSubject, timeOfDay } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import { merchantName, type MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { OlderChanges } from './older-section.ts';

/** A merchant with what the registry says of its money. */
export interface ReportedMerchant extends MailedMerchant {
  /** Columns of charges that it bears. */
  charges?: readonly ChargeColumn[];
  /** Whether it may also be paid in ways that the invoice list does not hold; left out: it may. */
  otherChannels?: boolean;
  attachments?: Pick<AttachmentSettings, 'paymentMethods'>;
}

/** The input of a report: the merchant's settings and a sealed revision. A later run has the same. */
export interface ReportInput {
  merchant: ReportedMerchant;
  manifest: Manifest;
  /** The earlier days, as they were known when the revision was sealed. */
  history: readonly DayFigures[];
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  highlights: InvoiceHighlights | null;
  paidTwice: PaidTwice;
  /** What changed on older days. Left out or `null`: nothing. */
  older?: OlderChanges | null;
  /** Whether the day is read again on later days, so that a correction may follow. */
  isReadAgain: boolean;
  attachments: readonly PageAttachment[];
}

/** UTF-16 units. A phone's list of mails has room for such a name, the day and the amount. */
export const LONGEST_NAME = 30;

/** Whether nothing happened on the day, and the service agrees. */
export function isEmpty(manifest: Manifest): boolean {
  const { counts, refunds, received, balanced, notCompared, drift } = manifest;
  const hasRefunds = refunds.count > 0 || drift.refundsWithoutDay.count > 0;
  const hasPayments = (received?.count ?? 0) > 0;
  // When something was left out of the check, the mail must not say that the service agrees.
  return balanced && notCompared.length === 0 && counts.total === 0 && !hasPayments && !hasRefunds;
}

/** Up to when an unfinished day is covered, in the merchant's zone. `null` for a whole day. */
export function soFarTime(
  { manifest, merchant: { timeZone } }: Pick<ReportInput, 'manifest' | 'merchant'>,
  { texts }: FigureFormatter,
): string | null {
  const until = soFarUntil(manifest, timeZone);
  return until === null ? null : timeOfDay(until, timeZone, texts);
}

export function paidInvoices(counts: Counts, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const { paid, total } = counts;
  if (paid !== null && total !== null)
    return texts.say('outcome', { paid: formatter.count(paid), count: total });
  const said = (state: 'paid' | 'total') =>
    `${texts.say(`states.${state}`)}: ${formatter.count(counts[state])}`;
  return [said('paid'), said('total')].join(texts.say('comma'));
}

/** What was paid; the long form says of how many invoices. */
function outcomeLine(
  { amounts, counts }: Pick<Manifest, 'counts' | 'amounts'>,
  form: 'long' | 'short',
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  if (amounts === null) return paidInvoices(counts, formatter);
  const amount = formatter.amount(amounts.paid);
  if (form === 'short' || counts.paid === null || counts.total === null)
    return texts.say('collected', { amount });
  return texts.say('headline', { amount, paid: formatter.count(counts.paid), count: counts.total });
}

function hasRefundsAlone({ received, counts, refunds }: Manifest): boolean {
  return refunds.count > 0 && (received === null ? counts.total === 0 : received.count === 0);
}

function refundsAlone(manifest: Manifest, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const { refunded } = dayNet(manifest, []);
  if (refunded === null || parseSum(refunded) === 0n)
    return texts.say('cameIn.refundsAlone.count', { count: manifest.refunds.count });
  return texts.say('cameIn.refundsAlone', { amount: formatter.amount(refunded) });
}

/** What came in; of earlier versions, what was paid of the day's invoices. @param form `short`: for a subject */
function result(manifest: Manifest, form: 'long' | 'short', formatter: FigureFormatter): string {
  const { texts } = formatter;
  const { received } = manifest;
  if (isEmpty(manifest)) return texts.say(form === 'short' ? 'nothingHappened' : 'emptyDay');
  if (hasRefundsAlone(manifest)) return refundsAlone(manifest, formatter);
  if (received === null) return outcomeLine(manifest, form, formatter);
  if (received.count === 0) return texts.say('cameIn.nothing');
  return texts.say('cameIn.amount', { amount: formatter.amount(received.sum) });
}

export function headline(input: ReportInput, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const outcome = result(input.manifest, 'long', formatter);
  const time = soFarTime(input, formatter);
  return time === null ? outcome : texts.say('soFarLead', { outcome, soFar: texts.say('soFar', { time }) });
}

/** How much of what came in belongs to invoices of earlier days. Empty when nothing does. */
export function forOlder({ received }: Pick<Manifest, 'received'>, formatter: FigureFormatter): string[] {
  if (received === null || received.ofEarlier.count === 0) return [];
  const { count, sum } = received.ofEarlier;
  return [formatter.texts.say('cameIn.forOlder', { count, amount: formatter.amount(sum) })];
}

/** By what a payment is of the day. */
export function basisOf(
  { received }: Pick<Manifest, 'received'>,
  { texts }: Pick<FigureFormatter, 'texts'>,
): string {
  if (received === null) return texts.say('received.day');
  const { paidOn, seen, otherCurrency } = received.basis;
  const isAllSeen = seen > 0 && paidOn === 0;
  return [
    texts.say(isAllSeen ? 'cameIn.basis.allSeen' : 'cameIn.basis.paidOn'),
    ...(seen > 0 && !isAllSeen ? [texts.say('cameIn.basis.seen', { count: seen })] : []),
    ...(otherCurrency > 0 ? [texts.say('cameIn.basis.otherCurrency', { count: otherCurrency })] : []),
  ].join(' ');
}

/** The merchant, the day and what came in, short enough for the list of mails on a phone. */
export function reportSubject(input: ReportInput, formatter: FigureFormatter): string {
  const { preview, manifest, merchant } = input;
  const { texts } = formatter;
  const time = soFarTime(input, formatter);
  const { day, pulledAt } = manifest;
  const mailed = dayAt(Date.parse(pulledAt), merchant.timeZone);
  // The date has the month as a word: a date of digits is reordered in subjects that read from right to left.
  const said = [
    merchantName(merchant, LONGEST_NAME),
    periodInSubject({ period: day, from: day, to: day }, mailed, texts),
    ...(time === null ? [] : [texts.say('soFar', { time })]),
    result(manifest, 'short', formatter),
  ];
  return subjectLine(said, { preview, warning: manifest.balanced ? null : 'notBalanced' }, texts);
}
