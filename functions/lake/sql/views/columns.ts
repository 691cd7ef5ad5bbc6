import type * as z from 'zod';
import { RECIPIENT_STATUSES } from '#records/ledger/ledger.ts';
import type { RecipientStatus } from '#records/ledger/ledger.ts';
import { meaningOf } from '../columns.ts';
import type { ViewColumn, ViewType } from '../lake-view.ts';
import type { LEDGER_MEANINGS } from '../meanings.ts';

/** A column of a view that Daybook adds. @param text of `meaningOf` */
export function ownColumn(
  name: string,
  type: ViewType,
  expression: string,
  text: string,
  nullable = false,
): ViewColumn {
  return { name, type, expression, ...meaningOf(text), nullable };
}

export function textColumn(name: string, expression: string, text: string, nullable = false): ViewColumn {
  return ownColumn(name, 'varchar', expression, text, nullable);
}

/** An ISO 8601 moment as a timestamp in UTC. Glue has no type for a timestamp with its zone. @param member its SQL */
export function utcColumn(name: string, member: string, text: string, nullable = false): ViewColumn {
  const expression = `CAST(from_iso8601_timestamp(${member}) AT TIME ZONE 'UTC' AS timestamp(3))`;
  return { ...ownColumn(name, 'timestamp(3)', expression, text, nullable), unit: 'UTC' };
}

export function countColumn(name: string, path: string, text: string, nullable = true): ViewColumn {
  return { ...ownColumn(name, 'bigint', path, text, nullable), unit: 'count' };
}

export function amountColumn(name: string, path: string, text: string, nullable = true): ViewColumn {
  const column = ownColumn(name, 'decimal(38,3)', `CAST(${path} AS decimal(38,3))`, text, nullable);
  return { ...column, unit: 'amount in the currency, three fraction digits' };
}

/** The day of a page, as text and as a date. @param of alias of a row with the text */
export function dayColumns(
  of: string,
  text = 'The day. The partition: a condition on it is what keeps a query cheap.',
): ViewColumn[] {
  const sameDay = "The same as a date, in the merchant's own zone. [date]";
  return [
    textColumn('day', `${of}."day"`, `${text} [YYYY-MM-DD]`),
    ownColumn('business_date', 'date', `CAST(${of}."day" AS date)`, sameDay),
  ];
}

/** What a page says beside its rows and figures. @param of alias of a query of `newestWithWords` */
export function wordColumns(
  of: string,
): Record<'currency' | 'timeZone' | 'merchantName' | 'wordsFrom', ViewColumn> {
  const sealed = 'as sealed; where `words_from` is registry, as it said later.';
  return {
    currency: textColumn(
      'currency',
      `${of}."its_currency"`,
      `The currency of all amounts, ${sealed} [three capitals]`,
      true,
    ),
    timeZone: textColumn('time_zone', `${of}."its_zone"`, `The zone of the day, ${sealed} [IANA name]`, true),
    merchantName: textColumn(
      'merchant_name',
      `${of}."its_name"`,
      "The merchant's name in the registry, as sealed; in pages of earlier versions as it said later.",
      true,
    ),
    wordsFrom: textColumn(
      'words_from',
      `${of}."words_from"`,
      'Where states, currency, zone and charges come from: page, as they were sealed; registry, in pages of earlier versions.',
    ),
  };
}

const UNKNOWN = 'null where it is unknown.';

/** Invoices and their sums by state. @param of alias of a row with `counts` and `amounts` */
export function invoiceColumns(of: string): ViewColumn[] {
  return [
    countColumn('invoices', `${of}."counts"."total"`, `Invoices; ${UNKNOWN}`),
    countColumn(
      'paid',
      `${of}."counts"."paid"`,
      `Of them paid by the last reading of their day, not later; ${UNKNOWN}`,
    ),
    countColumn('not_paid', `${of}."counts"."notpaid"`, `Of them not paid; ${UNKNOWN}`),
    countColumn('cancelled', `${of}."counts"."cancelled"`, `Of them cancelled; ${UNKNOWN}`),
    countColumn('other', `${of}."counts"."other"`, `Of them in no state that the service counts; ${UNKNOWN}`),
    amountColumn(
      'paid_amount',
      `${of}."amounts"."paid"`,
      `Sum of those paid by the last reading of their day; ${UNKNOWN}`,
    ),
    amountColumn('not_paid_amount', `${of}."amounts"."notpaid"`, `Sum of those not paid; ${UNKNOWN}`),
    amountColumn('cancelled_amount', `${of}."amounts"."cancelled"`, `Sum of the cancelled ones; ${UNKNOWN}`),
    amountColumn('other_amount', `${of}."amounts"."other"`, `Sum of the others; ${UNKNOWN}`),
  ];
}

/**
 * Refunds by their own date.
 * @param of SQL for their object
 * @param isOfOneCurrency whether all of them always are, so that the sum is known
 */
export function refundColumns(of: string, isOfOneCurrency: boolean): ViewColumn[] {
  const sum = isOfOneCurrency
    ? 'Their sum, over all statuses.'
    : 'Their sum, over all statuses; null where the days are of several currencies.';
  return [
    countColumn('refunds', `${of}."count"`, 'Refunds by the date of the refund.', false),
    amountColumn('refund_amount', `${of}."total"`, sum, !isOfOneCurrency),
  ];
}

/** What came in, what went back, and what is left. @param of SQL for its object */
export function netColumns(of: string): ViewColumn[] {
  // Earlier versions took refunds off the paid ones of the invoices made then, which is no net.
  const isOfPayments = `${of}."basis" = 'cameIn'`;
  const known = (member: string) => `CASE WHEN ${isOfPayments} THEN ${of}."${member}" END`;
  return [
    amountColumn(
      'received',
      known('received'),
      `What came in: payments by their own day, whatever day the invoice was made; ${UNKNOWN}`,
    ),
    amountColumn('refunded', `${of}."refunded"`, `Approved refunds by the date of the refund; ${UNKNOWN}`),
    countColumn(
      'pending_refunds',
      `${of}."pending"."count"`,
      'Refunds that are not decided yet. They are not in `refunded`.',
      false,
    ),
    amountColumn('pending_refund_amount', `${of}."pending"."total"`, `Their sum; ${UNKNOWN}`),
    ownColumn(
      'charge_columns',
      'array(varchar)',
      `${of}."chargecolumns"`,
      'The columns of charges that the merchant bears; empty: none.',
    ),
    amountColumn('charges', known('charges'), `Sum over these columns, of what came in; ${UNKNOWN}`),
    amountColumn('net', known('net'), `\`received\` less \`refunded\` less \`charges\`; ${UNKNOWN}`),
    ownColumn(
      'net_unknown',
      'array(varchar)',
      `CASE WHEN ${isOfPayments} THEN ${of}."unknown" WHEN ${of}."unknown" IS NOT NULL THEN ARRAY['payments'] END`,
      'Why `net` is unknown: unbalanced, states, refunds, charges, currencies, payments (of an earlier version); empty when it is known.',
    ),
  ];
}

/** The period of a page. @param alias of a query with the partition columns */
export function periodColumns(alias: string): ViewColumn[] {
  const part = `${alias}."part"`;
  return [
    textColumn(
      'period',
      // A condition on it reaches the partitions, as it is made of them alone.
      `${alias}."year" || '-' || ${part}`,
      'The period: the month 2026-11, the week 2026-W47, or the day 2026-11-20 of a group.',
    ),
    textColumn(
      'period_kind',
      `CASE WHEN ${part} LIKE 'W%' THEN 'week' WHEN length(${part}) = 2 THEN 'month' ELSE 'day' END`,
      'month, week or day.',
    ),
    textColumn(
      'year',
      `${alias}."year"`,
      'The year in the name of the period. A partition: a condition on it and on `part` is what keeps a query cheap. [YYYY]',
    ),
    textColumn(
      'part',
      part,
      'What follows the year: 11 of a month, W47 of a week, 11-20 of a day. A partition.',
    ),
  ];
}

/** The first and the last day of a page. @param alias of a query with `from` and `to` */
export function fromAndTo(alias: string, from: string, to: string): ViewColumn[] {
  return [
    { ...ownColumn('from_date', 'date', `CAST(${alias}."from" AS date)`, from), unit: 'date' },
    { ...ownColumn('to_date', 'date', `CAST(${alias}."to" AS date)`, to), unit: 'date' },
  ];
}

/** How many entries have the status. An entry is the mail to one recipient in one round. */
function entriesThatAre(status: RecipientStatus): ViewColumn {
  const expression = `cardinality(filter(m."recipients", e -> e."status" = '${status}'))`;
  return countColumn(status, expression, `Entries of \`entries\` that are ${status}.`, false);
}

export function ledgerColumns(meanings: typeof LEDGER_MEANINGS): ViewColumn[] {
  return [
    textColumn('kind', 'm."kind"', meanings.kind),
    textColumn('status', 'm."status"', meanings.status),
    ownColumn('corrects', 'bigint', 'm."corrects"', meanings.corrects, true),
    ownColumn('round', 'bigint', 'm."round"', meanings.round),
    textColumn('reason', 'm."reason"', meanings.reason, true),
    textColumn('nothing_to_send', 'm."nothingtosend"', meanings.nothingToSend, true),
    utcColumn('intended_at', 'm."intendedat"', meanings.intendedAt),
    countColumn(
      'recipients',
      'cardinality(array_distinct(transform(m."recipients", e -> e."to")))',
      'Recipients of all rounds, each counted once.',
      false,
    ),
    ...RECIPIENT_STATUSES.map(entriesThatAre),
    textColumn(
      'entries',
      'json_format(CAST(m."recipients" AS json))',
      'The mail to each recipient in each round; `to` is the SHA-256 of the address. [JSON array of to, status, messageid, at, reason, round]',
    ),
  ];
}

/** The members of an object as names of columns, in the order in which `UNNEST` gives them. */
export function membersOf(schema: z.ZodLazy<z.ZodObject>): string {
  return Object.keys(schema.unwrap().shape)
    .map((member) => `"${member.toLowerCase()}"`)
    .join(', ');
}
