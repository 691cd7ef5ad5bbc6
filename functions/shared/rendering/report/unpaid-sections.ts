import type { InvoiceHighlights, UnpaidInvoice } from '#domain/figures/invoice-highlights.ts';
import { shortDay } from '../formatters/day-formatter.ts';
import type { FigureWords } from '../formatters/figure-formatter.ts';
import { isVisible, isolated } from '../formatters/outside-text.ts';
import type { PageItem, PageSection } from '../page/mail-page.ts';

function unpaidItem(invoice: UnpaidInvoice, words: FigureWords): PageItem {
  const { texts } = words;
  const id = words.outside(invoice.id);
  const named =
    [invoice.customer, invoice.reference].find((name) => name !== null && isVisible(name)) ?? null;
  const expires =
    invoice.expiresAt === null
      ? []
      : [texts.say('expires', { day: isolated(shortDay(invoice.expiresAt, texts)) })];
  const note = [texts.say('invoice', { id }), ...expires].join(texts.say('comma'));
  return {
    title: named === null ? texts.say('invoice', { id }) : words.outside(named),
    note,
    value: words.amount(invoice.amount),
    ...(invoice.url !== null && {
      link: {
        href: invoice.url,
        text: texts.say('paymentLink'),
        label: texts.say('paymentLink.of', { id }),
      },
    }),
  };
}

/** The largest unpaid invoices, and those that expire soon; empty where there are none. */
export function unpaidSections(highlights: InvoiceHighlights, words: FigureWords): PageSection[] {
  const { texts } = words;
  const { largestUnpaid, expiringSoon, expiringSoonCount } = highlights;
  const items = (invoices: readonly UnpaidInvoice[]) =>
    invoices.slice(0, words.limits.list).map((invoice) => unpaidItem(invoice, words));
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
