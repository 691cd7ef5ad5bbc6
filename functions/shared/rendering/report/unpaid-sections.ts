import type { InvoiceHighlights, UnpaidInvoice } from '#domain/figures/invoice-highlights.ts';
import { shortDay } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { isVisible } from '../formatters/outside-text.ts';
import type { PageItem, PageSection } from '../page/mail-page.ts';

function unpaidItem(invoice: UnpaidInvoice, formatter: FigureFormatter): PageItem {
  const { texts } = formatter;
  const id = formatter.outside(invoice.id);
  const named =
    [invoice.customer, invoice.reference].find((name) => name !== null && isVisible(name)) ?? null;
  const expires =
    invoice.expiresAt === null ? [] : [texts.say('expires', { day: shortDay(invoice.expiresAt, texts) })];
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

/** The largest unpaid invoices, and those that expire soon. Empty when there are none. */
export function unpaidSections(highlights: InvoiceHighlights, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const { largestUnpaid, expiringSoon, expiringSoonCount } = highlights;
  const items = (invoices: readonly UnpaidInvoice[]) =>
    invoices.slice(0, formatter.limits.list).map((invoice) => unpaidItem(invoice, formatter));
  const soon = texts.say('expiringSoon.count', { count: expiringSoonCount ?? expiringSoon.length });
  return [
    ...(largestUnpaid.length === 0
      ? []
      : [{ heading: texts.say('largestUnpaid'), items: items(largestUnpaid) }]),
    ...(expiringSoon.length === 0
      ? []
      : [
          {
            heading: texts.say('expiringSoon'),
            lines: [{ text: soon, tone: 'plain' as const }],
            items: items(expiringSoon),
          },
        ]),
  ];
}
