import { dayAt } from '#domain/day/business-day.ts';
import type { InvoiceHighlights, UnpaidInvoice } from '#domain/figures/invoice-highlights.ts';
import { dayAndMonth } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { isVisible, isolated } from '../formatters/outside-text.ts';
import type { PageItem, PageSection } from '../page/mail-page.ts';
import { paragraph } from './more-lines.ts';
import type { ReportInput } from './report-input.ts';

/** The most invoices in the list. More would push the figures off a phone's second screen. */
const LONGEST_LIST = 4;
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

/** The unpaid invoices that need a look. Empty when the registry does not say which are unpaid. */
export function toDoSection(
  { highlights, manifest, merchant }: ReportInput,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  if (highlights === null || highlights.expiringSoonCount === null) return [];
  const { expiringSoonCount: expiring, byType } = highlights;
  const heading = texts.say('toDo');
  const count = byType.reduce((sum, { notPaid }) => sum + (notPaid ?? 0), 0);
  if (highlights.largestUnpaid.length === 0)
    return [{ heading, lines: [paragraph(texts.say('toDo.nothing'))] }];
  const today = dayAt(Date.parse(manifest.pulledAt), merchant.timeZone);
  const invoices = listed(highlights).slice(0, formatter.limits.list);
  const more = count - invoices.length;
  return [
    {
      heading,
      ...(expiring > 0 && { lines: [paragraph(texts.say('expiringSoon.count', { count: expiring }))] }),
      items: invoices.map((invoice) => unpaidItem(invoice, today, formatter)),
      ...(more > 0 && { notes: [texts.say('toDo.more', { count: more })] }),
    },
  ];
}
