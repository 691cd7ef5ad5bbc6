import { LONGEST_METHOD } from '#records/figures/breakdown.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { ViewColumn } from '../lake-view.ts';
import { amountColumn, ownColumn, textColumn, utcColumn, wordColumns } from './columns.ts';

/* What the numbers of a row mean, by the words of its page: `r` is the row, `s` a page of `newestWithWords`. */

/** SQL for the word of a status. One without a word counts as other, as in the figures. */
function stateOf(words: string, status: string): string {
  return `CASE WHEN s."${words}" IS NOT NULL THEN coalesce(element_at(s."${words}", CAST(r."${status}" AS varchar)), 'other') END`;
}

const IS_PAID = `element_at(s."its_statuses", CAST(r."invoice_status" AS varchar)) = 'paid'`;

/** As `paymentMethod` of the mails: one line, so many characters. */
const METHOD = `substr(regexp_replace(r."transaction"."payment_type", '[\\p{Cc}\\p{Zl}\\p{Zp}]', ' '), 1, ${LONGEST_METHOD})`;

const PAID_ON = 'trim(r."transaction"."paid_on")';

const YEAR_FIRST = '^[0-9]{4}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{1,2}([T ].*)?$';
const YEAR_LAST = '^[0-9]{1,2}(-[0-9]{1,2}-|/[0-9]{1,2}/|[.][0-9]{1,2}[.])[0-9]{4}([T ].*)?$';
const WITH_OFFSET =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})$';

/** SQL for the numbers before the time, as `p`. */
const PARTS = `split(translate(regexp_extract(${PAID_ON}, '^[^T ]+'), '/.', '--'), '-')`;

function dayOfParts(year: number, month: number, day: number): string {
  return `p[${year}] || '-' || lpad(p[${month}], 2, '0') || '-' || lpad(p[${day}], 2, '0')`;
}

/** SQL for the days that a text such as 2026-11-20 or 20/11/2026 may mean: `YYYY-MM-DD`. */
const DAYS = `element_at(transform(ARRAY[${PARTS}], p -> CASE
        WHEN regexp_like(${PAID_ON}, '${YEAR_FIRST}') THEN ARRAY[${dayOfParts(1, 2, 3)}]
        WHEN regexp_like(${PAID_ON}, '${YEAR_LAST}') THEN ARRAY[${dayOfParts(3, 2, 1)}, ${dayOfParts(3, 1, 2)}]
      END), 1)`;

/** SQL for the time of day, to the millisecond. */
const TIME = `regexp_extract(${PAID_ON}, '[T ]([0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?)[0-9]*$', 1)`;

function inZone(instant: string): string {
  return `ARRAY[try(CAST(at_timezone(${instant}, s."its_zone") AS timestamp(3)))]`;
}

/** SQL for what moments `paid_on` may mean, as `datesOf` of the outcome tally. A day without a readable time is its midnight. */
const MOMENTS = `CASE
      WHEN length(r."transaction"."paid_on") > 40 THEN NULL
      WHEN regexp_like(${PAID_ON}, '${WITH_OFFSET}') THEN ${inZone(`from_iso8601_timestamp(replace(${PAID_ON}, ' ', 'T'))`)}
      WHEN regexp_like(${PAID_ON}, '^[1-9][0-9]{9}([0-9]{3})?$') THEN ${inZone(`from_unixtime(CAST(rpad(${PAID_ON}, 13, '0') AS bigint) / 1e3)`)}
      ELSE transform(${DAYS}, d -> coalesce(try_cast(d || ' ' || ${TIME} AS timestamp(3)), try_cast(d AS timestamp(3))))
    END`;

/** SQL for the payment's moment, as `paymentDay` reads it: known only if it is one within the bounds. */
const PAID_AT = `element_at(transform(
    ARRAY[array_distinct(filter(${MOMENTS}, t -> CAST(t AS date) BETWEEN CAST(s."day" AS date) AND s."its_last_day"))],
    t -> IF(cardinality(t) = 1, t[1])
  ), 1)`;

const FIRST_SEEN = 'CAST(element_at(s."its_seen", CAST(r."id" AS varchar))[1] AS date)';

function ifPaid(expression: string): string {
  return `CASE WHEN ${IS_PAID} THEN ${expression} END`;
}

/** SQL for a charge; null where it is no amount. */
function charge(column: string): string {
  const amount = `IF(regexp_like(r."${column}", '^-?[0-9]{1,30}[.][0-9]{3}$'), CAST(r."${column}" AS decimal(38,3)))`;
  return `IF(contains(s."its_charges", '${column}'), ${amount}, 0)`;
}

const CHARGED = `CASE
    WHEN s."its_statuses" IS NOT NULL AND s."its_charges" IS NOT NULL
      THEN IF(${IS_PAID}, ${CHARGE_COLUMNS.map(charge).join(' + ')}, 0)
  END`;

const READ_AT = 'When the row was read as it stands: at the end of the reading that its revision is of.';

const { currency, merchantName, wordsFrom } = wordColumns('s');
const NAMED = [currency, merchantName, wordsFrom];
const LAST = [utcColumn('read_at', 's."pulledat"', READ_AT)];

export const ROW_WORDS: Record<Table, readonly ViewColumn[]> = {
  invoices: [
    textColumn(
      'state',
      stateOf('its_statuses', 'invoice_status'),
      'paid, not_paid, cancelled or other: the word of `invoice_status`, other where it has none; null where the registry has no `invoiceStatuses`.',
      true,
    ),
    ...NAMED,
    textColumn(
      'method',
      `IF(regexp_like(${METHOD}, '[^\\s\\p{Z}\\x{FEFF}]'), ${METHOD})`,
      `The payment method, by which the mails add up what came in: \`transaction_payment_type\` in one line, at most ${LONGEST_METHOD} characters; null where it is blank.`,
      true,
    ),
    ownColumn(
      'paid_at',
      'timestamp(3)',
      ifPaid(PAID_AT),
      "When a paid invoice was paid, by `transaction_paid_on`; at midnight where it says a date alone; null where it is not one date between `day` and the reading. [in the merchant's zone]",
      true,
    ),
    ownColumn(
      'received_date',
      'date',
      ifPaid(`coalesce(CAST(${PAID_AT} AS date), ${FIRST_SEEN}, CAST(s."day" AS date))`),
      'The day on which the payment of a paid invoice counts: that of `paid_at`, without one the day on which a reading first saw it; null for all others. [date]',
      true,
    ),
    amountColumn(
      'charge_of_paid',
      CHARGED,
      'What the merchant bears of a paid invoice: the sum of the columns that the registry names in `charges`, 0 where it names none; 0 for all others; null where a column is no amount, or no state is known.',
    ),
    ...LAST,
  ],
  refunds: [
    textColumn(
      'state',
      stateOf('its_refund_statuses', 'status'),
      'The word of `status`, such as approved, pending or rejected; other where it has none; null where the registry has no `refunds.statuses`.',
      true,
    ),
    ...NAMED,
    ...LAST,
  ],
};
