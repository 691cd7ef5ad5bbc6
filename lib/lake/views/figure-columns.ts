import type { ViewColumn } from '../lake-view.ts';
import { ownColumn } from './own-column.ts';

/** The unit of every amount. */
const AMOUNT = 'amount in the currency, three fraction digits';
const UNKNOWN = 'null where it is unknown.';

/** A number that may be unknown. */
export function countColumn(name: string, path: string, meaning: string, nullable = true): ViewColumn {
  return ownColumn(name, 'bigint', path, meaning, { unit: 'count', nullable });
}

/** An exact amount, which may be unknown. */
export function amountColumn(name: string, path: string, meaning: string, nullable = true): ViewColumn {
  return ownColumn(name, 'decimal(38,3)', `CAST(${path} AS decimal(38,3))`, meaning, {
    unit: AMOUNT,
    nullable,
  });
}

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
 *
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
  return [
    amountColumn(
      'received',
      `${of}."received"`,
      `Sum of the invoices made then and paid by the last reading of their day; what is paid later is in no figure; ${UNKNOWN}`,
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
    amountColumn('charges', `${of}."charges"`, `Sum over these columns; ${UNKNOWN}`),
    amountColumn('net', `${of}."net"`, `\`received\` less \`refunded\` less \`charges\`; ${UNKNOWN}`),
    ownColumn(
      'net_unknown',
      'array(varchar)',
      `${of}."unknown"`,
      'Why `net` is unknown: unbalanced, states, refunds, charges, currencies; empty when it is known.',
    ),
  ];
}
