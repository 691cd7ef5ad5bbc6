import { dayAt } from '#records/day/business-day.ts';
import type { InvoiceHighlights, UnpaidInvoice } from '#records/figures/invoice-highlights.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dayAndMonth } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isVisible, isolated } from '#mail/formatters/outside-text.ts';
import type { PageItem, PageLine, PageSection } from '#mail/template/mail-layout.ts';
import { madeOn } from '../invoices-section.ts';
import { moreNotes, paragraph } from '../mail-parts.ts';
import type { ReportInput } from './headline.ts';

/** The most invoices in the list. More would push the figures off a phone's second screen. */
const LONGEST_LIST = 3;
/** The places for invoices that expire soon, when there are enough large ones for the others. */
const PLACES_FOR_EXPIRING = 2;

function expiry(day: string, today: string, { texts }: FigureFormatter): string {
  const values = { day: isolated(dayAndMonth(day, texts)) };
  return texts.say(day < today ? 'expired' : 'expires', values);
}

function unpaidItem(invoice: UnpaidInvoice, today: string, formatter: FigureFormatter): PageItem {
  const { texts } = formatter;
  const id = formatter.outside(invoice.id);
  const named =
    [invoice.customer, invoice.reference].find((name) => name !== null && isVisible(name)) ?? null;
  const expires = invoice.expiresAt === null ? [] : [expiry(invoice.expiresAt, today, formatter)];
  const note = [texts.say('invoice', { id }), ...expires].join(texts.say('comma'));
  return {
    title: named === null ? texts.say('invoice', { id }) : formatter.outside(named),
    note,
    value: formatter.amount(invoice.amount),
    ...(invoice.url !== null && {
      link: {
        href: invoice.url,
        text: texts.say('paymentLink'),
        label: texts.say('paymentLink.of', { id }),
      },
    }),
  };
}

/** Those that expire soon, then the largest others. No invoice comes twice. */
function listed({ largestUnpaid, expiringSoon }: InvoiceHighlights): UnpaidInvoice[] {
  const others = (of: readonly UnpaidInvoice[], without: readonly UnpaidInvoice[]) =>
    of.filter(({ id }) => !without.some((invoice) => invoice.id === id));
  const soon = expiringSoon.slice(0, PLACES_FOR_EXPIRING);
  const large = others(largestUnpaid, soon).slice(0, LONGEST_LIST - soon.length);
  const further = others(expiringSoon, [...soon, ...large]).slice(
    0,
    LONGEST_LIST - soon.length - large.length,
  );
  return [...soon, ...further, ...large];
}

/** What a person must ask about: refunds of no day, and invoices that may have been paid twice. */
export function questionLines(
  { drift: { refundsWithoutDay: refunds } }: Pick<Manifest, 'drift'>,
  paidTwice: PaidTwice,
  formatter: FigureFormatter,
): PageLine[] {
  const { texts, limits } = formatter;
  const said = (status: string, { count, total }: { count: number; total: string }) =>
    texts.say('refundsWithoutDay.state', {
      status: formatter.refundStatus(status),
      count: formatter.count(count),
      amount: formatter.amount(total),
    });
  const joined = (parts: readonly string[]) => parts.join(texts.say('comma'));
  const pairs = paidTwice.first.slice(0, limits.list);
  const ofRefunds = {
    count: refunds.count,
    states: joined(
      Object.entries(refunds.byStatus)
        .slice(0, limits.list)
        .map(([status, sum]) => said(status, sum)),
    ),
    ids: joined(refunds.ids.map((id) => formatter.outside(id))),
  };
  return [
    ...pairs.map(({ ids, amount }) => {
      const [one, other] = [formatter.outside(ids[0]), formatter.outside(ids[1])];
      return texts.say('paidTwice', { one, other, amount: formatter.amount(amount) });
    }),
    ...moreNotes(paidTwice.count, pairs.length, formatter),
    ...(refunds.count === 0 ? [] : [texts.say('refundsWithoutDay', ofRefunds)]),
  ].map(paragraph);
}

/** The unpaid invoices that need a look. Empty when the registry does not say which are unpaid. */
function unpaidToDo(
  { highlights, manifest, merchant }: ReportInput,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  if (highlights === null || highlights.expiringSoonCount === null) return {};
  const { expiringSoonCount: expiring, byType } = highlights;
  const unpaid = byType.reduce((sum, { notPaid }) => sum + (notPaid ?? 0), 0);
  const expired = madeOn(manifest, merchant.timeZone).find(({ state }) => state === 'expired')?.count ?? 0;
  if (highlights.largestUnpaid.length === 0) return { lines: [paragraph(texts.say('toDo.nothing'))] };
  const today = dayAt(Date.parse(manifest.pulledAt), merchant.timeZone);
  const invoices = listed(highlights).slice(0, formatter.limits.list);
  const said = [
    ...(unpaid > expired ? [texts.say('toDo.unpaid', { count: unpaid - expired })] : []),
    ...(expiring > 0 ? [texts.say('expiringSoon.count', { count: expiring })] : []),
    ...(expired > 0 ? [texts.say('toDo.expired', { count: expired })] : []),
  ];
  return {
    lines: [paragraph(said.join(' '))],
    items: invoices.map((invoice) => unpaidItem(invoice, today, formatter)),
  };
}

export function toDoSection(input: ReportInput, formatter: FigureFormatter): PageSection[] {
  const questions = questionLines(input.manifest, input.paidTwice, formatter);
  const { lines = [], ...unpaid } = unpaidToDo(input, formatter);
  // "Nothing" is said alone.
  const all = questions.length > 0 && unpaid.items === undefined ? questions : [...questions, ...lines];
  if (all.length === 0 && unpaid.items === undefined) return [];
  return [{ heading: formatter.texts.say('toDo'), ...unpaid, ...(all.length > 0 && { lines: all }) }];
}
