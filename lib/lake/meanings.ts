import type { Statement } from '#page/figures/statement.ts';
import { MISSING_REASONS } from '#page/figures/group-page.ts';
import type { GroupPage } from '#page/figures/group-page.ts';

const AMOUNTS = " [amount in the merchant's currency, three fraction digits]";
const SUMS = " [count, and amount in the merchant's currency, three fraction digits]";

export const STATEMENT_MEANINGS: Record<keyof Statement, string> = {
  merchantCode: 'The merchant.',
  period: 'The month (`2026-11`) or the week (`2026-W47`), which the partition has in two parts.',
  from: 'The first day of the period. [YYYY-MM-DD]',
  to: 'The last day of the period. [YYYY-MM-DD]',
  revision: 'Number of the revision; the first is 1, and there are no gaps.',
  currency:
    'The currency of all amounts, three capitals; null where the days are of several: then no amount is added up.',
  sealedAt: 'When the revision was sealed. [ISO 8601, UTC]',
  asOf: 'When the pulls of the oldest and of the newest page in it began; null without a page. [ISO 8601, UTC]',
  scheduledTime: 'The tick that asked for it; null by hand. [ISO 8601]',
  final: 'Whether every expected day is sealed and balanced. A statement that is not final is provisional.',
  days: 'The sealed days that were added up, in order, each with the revision that was used and its figures.',
  missing: 'Expected days that are not sealed. [JSON array of YYYY-MM-DD]',
  unbalanced: 'Days whose page does not balance. [YYYY-MM-DD]',
  counts: 'Invoices by state: the sum of the days; null where it is unknown of one of them. [count]',
  amounts:
    'Sum of the invoices per state when their day was last read; null where it is unknown of one of the days.' +
    AMOUNTS,
  refunds:
    "Refunds by their own date. `salebasis`: the sum of the days' own, no total; the query `refunds-on-both-bases` has all." +
    SUMS,
  net:
    'What came in, approved refunds, charges of what came in, and what is left; null where a day does not know it. Without `basis`: `received` is the paid ones of the invoices made in the period.' +
    AMOUNTS,
  breakdown:
    'The invoices made in the period by type, and their paid ones by payment method and by charge; null where it is unknown of one of the days. [JSON object of byType, byMethod, charges]',
  received:
    'What came in: payments by their own day, whatever day the invoice was made; null where it is unknown of one of the days, or the days are of several currencies.' +
    SUMS,
  issued:
    'The invoices made in the period, by what had become of them when it was over; null as in `received`.' +
    SUMS,
  openBefore:
    'Invoices of earlier days that were open when the period began; null as in `received`, or unknown on a day before.' +
    SUMS,
  settled:
    'Open invoices of any day that were paid or cancelled in the period, or are in no named state; null as in `openBefore`.' +
    SUMS,
  expired: 'Unpaid invoices of any day whose link ended in the period; null as in `openBefore`.' + SUMS,
  openAfter:
    'Invoices that were open when the period was over: `openBefore` and `issued` less `settled` and `expired`; null as in `openBefore`.' +
    SUMS,
  ageing:
    'What was unpaid when the period was over, by whole days since the invoice: open, and with a link that had ended; null as in `openBefore`.' +
    SUMS,
  before: 'The period before, as it was known when this revision was sealed; null if nothing was known.',
  lastYear:
    'The same period of the year before, as it was known when this revision was sealed; null if nothing was known.',
  digest: 'Over the content, without comparisons and times. [SHA-256, hex]',
  previous: 'Key of the revision before; null for the first.',
  byCurrency:
    'The sums of each currency; null where there is one only. [JSON object of currency to counts, amounts, refunds, net, days]',
  timeZone:
    "The merchant's zone when the statement was sealed; null in revisions of earlier versions. [IANA name]",
  closedAt:
    'When the statement was closed, which no later revision changes; null while it is open. [ISO 8601, UTC]',
  reopenedAt:
    'When an earlier revision, which was closed, was reopened; null where none was. [ISO 8601, UTC]',
  adjustments:
    'What it tells of closed statements before it, by original day; in none of its own sums. null: nothing. [array of period, day, revision, currency, reasons, was, is]',
};

export const GROUP_PAGE_MEANINGS: Record<keyof GroupPage, string> = {
  group: "The group's name in the registry.",
  period:
    'The day (`2026-11-20`), the week (`2026-W47`) or the month (`2026-11`), which the partition has in two parts.',
  from: 'The earliest first day of its merchants: their weeks may begin on different days. [YYYY-MM-DD]',
  to: 'The latest last day of its merchants. [YYYY-MM-DD]',
  revision: 'Number of the revision; the first is 1, and there are no gaps.',
  sealedAt: 'When the revision was sealed. [ISO 8601, UTC]',
  scheduledTime: 'The tick that asked for it; null by hand. [ISO 8601]',
  final: "Whether no merchant is missing and every merchant's page is final.",
  merchants:
    "The merchants with a page: the revision that was added up and its figures. [counts, and amounts in the merchant's own currency]",
  missing: `The merchants without a page, and why: ${MISSING_REASONS.join(', ')}. [JSON array of merchantCode, name, reason]`,
  byCurrency:
    'The sums of the merchants by currency. Sums of different currencies are never added. [counts, and amounts in the currency]',
  corrections:
    "What changed since the group's page before was sent. [JSON array of merchantCode, name, currency, period, fromRevision, toRevision, before, after]",
  digest: 'Over the content, without comparisons and times. [SHA-256, hex]',
  previous: 'Key of the revision before; null for the first.',
};
