import type { Statement } from '#page/figures/statement.ts';
import { MISSING_REASONS } from '#page/figures/group-page.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import type { Meaning } from '#lake/sql/columns.ts';

const AMOUNT = "amount in the merchant's currency, three fraction digits";

export const STATEMENT_MEANINGS: Record<keyof Statement, Meaning> = {
  merchantCode: { meaning: 'The merchant.' },
  period: {
    meaning: 'The month (`2026-11`) or the week (`2026-W47`), which the partition has in two parts.',
  },
  from: { meaning: 'The first day of the period.', unit: 'YYYY-MM-DD' },
  to: { meaning: 'The last day of the period.', unit: 'YYYY-MM-DD' },
  revision: { meaning: 'Number of the revision; the first is 1, and there are no gaps.' },
  currency: {
    meaning:
      'The currency of all amounts, three capitals; null where the days are of several: then no amount is added up.',
  },
  sealedAt: { meaning: 'When the revision was sealed.', unit: 'ISO 8601, UTC' },
  asOf: {
    meaning: 'When the pulls of the oldest and of the newest page in it began; null without a page.',
    unit: 'ISO 8601, UTC',
  },
  scheduledTime: { meaning: 'The tick that asked for it; null by hand.', unit: 'ISO 8601' },
  final: {
    meaning:
      'Whether every expected day is sealed and balanced. A statement that is not final is provisional.',
  },
  days: {
    meaning:
      'The sealed days that were added up, in order, each with the revision that was used and its figures.',
  },
  missing: { meaning: 'Expected days that are not sealed.', unit: 'JSON array of YYYY-MM-DD' },
  unbalanced: { meaning: 'Days whose page does not balance.', unit: 'YYYY-MM-DD' },
  counts: {
    meaning: 'Invoices by state: the sum of the days; null where it is unknown of one of them.',
    unit: 'count',
  },
  amounts: {
    meaning:
      'Sum of the invoices per state when their day was last read; null where it is unknown of one of the days.',
    unit: AMOUNT,
  },
  refunds: {
    meaning:
      "Refunds by their own date. `salebasis`: the sum of the days' own, no total; the query `refunds-on-both-bases` has all.",
    unit: `count, and ${AMOUNT}`,
  },
  net: {
    meaning:
      'What came in, approved refunds, charges of what came in, and what is left; null where a day does not know it. Without `basis`: `received` is the paid ones of the invoices made in the period.',
    unit: AMOUNT,
  },
  breakdown: {
    meaning:
      'The invoices made in the period by type, and their paid ones by payment method and by charge; null where it is unknown of one of the days.',
    unit: 'JSON object of byType, byMethod, charges',
  },
  received: {
    meaning:
      'What came in: payments by their own day, whatever day the invoice was made; null where it is unknown of one of the days, or the days are of several currencies.',
    unit: `count, and ${AMOUNT}`,
  },
  issued: {
    meaning:
      'The invoices made in the period, by what had become of them when it was over; null as in `received`.',
    unit: `count, and ${AMOUNT}`,
  },
  openBefore: {
    meaning:
      'Invoices of earlier days that were open when the period began; null as in `received`, or unknown on a day before.',
    unit: `count, and ${AMOUNT}`,
  },
  settled: {
    meaning:
      'Open invoices of any day that were paid or cancelled in the period, or are in no named state; null as in `openBefore`.',
    unit: `count, and ${AMOUNT}`,
  },
  expired: {
    meaning: 'Unpaid invoices of any day whose link ended in the period; null as in `openBefore`.',
    unit: `count, and ${AMOUNT}`,
  },
  openAfter: {
    meaning:
      'Invoices that were open when the period was over: `openBefore` and `issued` less `settled` and `expired`; null as in `openBefore`.',
    unit: `count, and ${AMOUNT}`,
  },
  ageing: {
    meaning:
      'What was unpaid when the period was over, by whole days since the invoice: open, and with a link that had ended; null as in `openBefore`.',
    unit: `count, and ${AMOUNT}`,
  },
  before: {
    meaning: 'The period before, as it was known when this revision was sealed; null if nothing was known.',
  },
  lastYear: {
    meaning:
      'The same period of the year before, as it was known when this revision was sealed; null if nothing was known.',
  },
  digest: { meaning: 'Over the content, without comparisons and times.', unit: 'SHA-256, hex' },
  previous: { meaning: 'Key of the revision before; null for the first.' },
  byCurrency: {
    meaning: 'The sums of each currency; null where there is one only.',
    unit: 'JSON object of currency to counts, amounts, refunds, net, days',
  },
  timeZone: {
    meaning: "The merchant's zone when the statement was sealed; null in revisions of earlier versions.",
    unit: 'IANA name',
  },
  closedAt: {
    meaning: 'When the statement was closed, which no later revision changes; null while it is open.',
    unit: 'ISO 8601, UTC',
  },
  reopenedAt: {
    meaning: 'When an earlier revision, which was closed, was reopened; null where none was.',
    unit: 'ISO 8601, UTC',
  },
  adjustments: {
    meaning:
      'What it tells of closed statements before it, by original day; in none of its own sums. null: nothing.',
    unit: 'array of period, day, revision, currency, reasons, was, is',
  },
};

export const GROUP_PAGE_MEANINGS: Record<keyof GroupPage, Meaning> = {
  group: { meaning: "The group's name in the registry." },
  period: {
    meaning:
      'The day (`2026-11-20`), the week (`2026-W47`) or the month (`2026-11`), which the partition has in two parts.',
  },
  from: {
    meaning: 'The earliest first day of its merchants: their weeks may begin on different days.',
    unit: 'YYYY-MM-DD',
  },
  to: { meaning: 'The latest last day of its merchants.', unit: 'YYYY-MM-DD' },
  revision: { meaning: 'Number of the revision; the first is 1, and there are no gaps.' },
  sealedAt: { meaning: 'When the revision was sealed.', unit: 'ISO 8601, UTC' },
  scheduledTime: { meaning: 'The tick that asked for it; null by hand.', unit: 'ISO 8601' },
  final: { meaning: "Whether no merchant is missing and every merchant's page is final." },
  merchants: {
    meaning: 'The merchants with a page: the revision that was added up and its figures.',
    unit: "counts, and amounts in the merchant's own currency",
  },
  missing: {
    meaning: `The merchants without a page, and why: ${MISSING_REASONS.join(', ')}.`,
    unit: 'JSON array of merchantCode, name, reason',
  },
  byCurrency: {
    meaning: 'The sums of the merchants by currency. Sums of different currencies are never added.',
    unit: 'counts, and amounts in the currency',
  },
  corrections: {
    meaning: "What changed since the group's page before was sent.",
    unit: 'JSON array of merchantCode, name, currency, period, fromRevision, toRevision, before, after',
  },
  digest: { meaning: 'Over the content, without comparisons and times.', unit: 'SHA-256, hex' },
  previous: { meaning: 'Key of the revision before; null for the first.' },
};
