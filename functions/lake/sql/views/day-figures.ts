import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import type { ViewColumn } from '../lake-view.ts';
import { dayInZone } from '../page-words.ts';
import { amountColumn, countColumn, wordColumns } from './columns.ts';

/* The figures of a day's mail: `d` is a page of `newestWithWords`. They follow `madeOn` and `dayNet`. */

const DECIMAL = 'decimal(38,3)';

function amount(text: string): string {
  return `CAST(${text} AS ${DECIMAL})`;
}

const LAST_WHOLE_DAY = `date_add('day', -1, ${dayInZone('from_iso8601_timestamp(d."pulledat")', 'd."its_zone"')})`;
const HAS_ENDED = `o."lastday" IS NOT NULL AND CAST(o."lastday" AS date) <= ${LAST_WHOLE_DAY}`;

/** SQL for a sum over the unpaid invoices of the day; null where it says nothing of them, or its zone is unknown. */
function unpaid(condition: string, value: string, type: string): string {
  const parts = `filter(d."outcomes"."open", o -> ${condition})`;
  return `IF(${LAST_WHOLE_DAY} IS NOT NULL, reduce(${parts}, CAST(0 AS ${type}), (s, o) -> CAST(s + ${value} AS ${type}), s -> s))`;
}

const COUNT = 'o."count"';
const SUM = amount('o."amount"');

/** SQL for a member of `drift`. Athena may write the names of members in small letters. */
function drift(path: string): string {
  return `lower(d."drift"), '$.${path}'`;
}

function countInDrift(path: string): string {
  return `coalesce(CAST(json_extract_scalar(${drift(path)}) AS bigint), 0)`;
}

const REFUNDS = 'd."refunds"."bystatus"';

/** SQL for a figure of the approved refunds, as far as it is known which they are. */
function approved(figure: string): string {
  const given = ['approved', 'other'].map((status) =>
    countInDrift(`refundswithoutday.bystatus.${status}.count`),
  );
  const unnamed = `coalesce(json_size(${drift('unknownrefundstatuses')}), 0) + ${countInDrift('notlisted.refundstatuses')}`;
  return `CASE
    WHEN ${given.join(' + ')} > 0 THEN NULL
    WHEN d."refunds"."count" = 0 THEN 0
    WHEN ${unnamed} > 0 AND coalesce(element_at(${REFUNDS}, 'other')."count", 0) > 0 THEN NULL
    ELSE ${figure}
  END`;
}

const APPROVED = approved(amount(`element_at(${REFUNDS}, 'approved')."total"`));

function charge(column: string): string {
  const ofColumn = `element_at(filter(d."received"."charges", c -> c."column" = '${column}'), 1)."total"`;
  return `IF(contains(d."its_charges", '${column}'), ${amount(ofColumn)}, 0)`;
}

const CHARGES = `IF(d."received" IS NOT NULL, ${CHARGE_COLUMNS.map(charge).join(' + ')})`;

/** SQL for "a status without a word may mean paid". */
const IS_PAID_UNSURE = `coalesce(json_size(${drift('unknowninvoicestatuses')}), 0) + ${countInDrift('notlisted.invoicestatuses')} > 0
      AND coalesce(strpos(d."notcompared", '"statsPaid"'), 0) > 0`;

const NET = `IF(d."balanced" AND NOT (${IS_PAID_UNSURE}), ${amount('d."received"."sum"')} - ${APPROVED} - ${CHARGES})`;

const ALL_AMOUNTS = ['paid', 'notpaid', 'cancelled', 'other']
  .map((state) => amount(`d."amounts"."${state}"`))
  .join(' + ');

const OF_EARLIER_VERSION =
  'null in pages of earlier versions, and where the registry has no `invoiceStatuses`.';

const WORDS = wordColumns('d');

/** It has the place among the columns that it always had. */
export const DAY_CURRENCY = WORDS.currency;

/** Each as the day's mail has it. */
export const DAY_FIGURES: readonly ViewColumn[] = [
  countColumn(
    'came_in_count',
    'd."received"."count"',
    `Payments that came in on the day, whatever day the invoice was made; ${OF_EARLIER_VERSION}`,
  ),
  amountColumn('came_in', 'd."received"."sum"', `In the mail "Came in": their sum; ${OF_EARLIER_VERSION}`),
  amountColumn(
    'came_in_of_earlier',
    'd."received"."ofearlier"."sum"',
    'In the mail "For older invoices": the part of it whose invoices were made before the day; null likewise.',
  ),
  countColumn(
    'issued_count',
    'coalesce(d."issued"."count", d."counts"."total")',
    'Invoices made on the day; null where it is unknown.',
  ),
  {
    ...amountColumn(
      'issued',
      'NULL',
      'In the mail "Issued": their sum, whatever became of them; null where the registry has no `invoiceStatuses`.',
    ),
    expression: `coalesce(${amount('d."issued"."sum"')}, ${ALL_AMOUNTS})`,
  },
  countColumn(
    'open_count',
    `coalesce(${unpaid(`NOT (${HAS_ENDED})`, COUNT, 'bigint')}, d."counts"."notpaid")`,
    'Of them unpaid, with a link that still worked at `pulled_at`: it may have ended since; in pages of earlier versions all unpaid ones; null where it is unknown.',
  ),
  amountColumn(
    'open',
    `coalesce(${unpaid(`NOT (${HAS_ENDED})`, SUM, DECIMAL)}, ${amount('d."amounts"."notpaid"')})`,
    'In the mail "Unpaid": their sum; null where the registry has no `invoiceStatuses`.',
  ),
  countColumn(
    'expired_count',
    unpaid(HAS_ENDED, COUNT, 'bigint'),
    `Of them unpaid, with a link that had ended before \`pulled_at\`; ${OF_EARLIER_VERSION}`,
  ),
  amountColumn(
    'expired',
    unpaid(HAS_ENDED, SUM, DECIMAL),
    'In the mail "Expired": their sum; null likewise.',
  ),
  countColumn(
    'approved_refund_count',
    approved(`element_at(${REFUNDS}, 'approved')."count"`),
    'Refunds of the day that are approved; null where a refund has no word or no date, and may be one.',
  ),
  amountColumn('approved_refunds', APPROVED, 'In the mail "Refunded": their sum; null likewise.'),
  amountColumn(
    'charges',
    CHARGES,
    'In the mail "Charges": what the merchant bears of what came in, 0 where it bears none; null where it is unknown.',
  ),
  amountColumn(
    'net',
    NET,
    'In the mail "Net", or "Came in less refunds" without charges: `came_in` less `approved_refunds` less `charges`; null where one is unknown, or the day does not balance.',
  ),
  WORDS.timeZone,
  WORDS.merchantName,
  WORDS.wordsFrom,
];
