import type { DatabaseSync } from 'node:sqlite';
import { decimal, thousandths } from './amounts.ts';
import { numberOf, textOf, type RecordKind } from '../store.ts';

/** Count and exact sum of records. Amounts that are not amount strings are left out of the sum. */
export interface StatusFigures {
  count: number;
  /** Decimal string with three fraction digits. */
  total: string;
}

export interface KindTruth extends StatusFigures {
  /** By the status as text: '0', '1', '3', …; 'unknown' when it cannot be read. */
  byStatus: Record<string, StatusFigures>;
  /** Ascending, one per record, so a repeated id appears twice. */
  ids: number[];
}

/** The database's data for one merchant and day. */
export interface DayTruth {
  /** Invoices created on the day. */
  invoices: KindTruth & { byType: Record<string, StatusFigures> };
  /** Refunds with `refund_at` on the day. */
  refunds: KindTruth;
  /** Refunds whose `transaction_date` is on the day, with any `refund_at`. */
  refundsOfSales: KindTruth;
}

interface Row {
  id: number;
  type: string;
  status: string;
  amount: string;
}

const member = (path: string): string =>
  `CASE WHEN json_valid(record) THEN json_extract(record, '$.${path}') END`;

function figures(rows: readonly Row[]): StatusFigures {
  return {
    count: rows.length,
    total: decimal(rows.reduce((sum, row) => sum + (thousandths(row.amount) ?? 0n), 0n)),
  };
}

function figuresBy(rows: readonly Row[], key: (row: Row) => string): Record<string, StatusFigures> {
  const groups = [...Map.groupBy(rows, key)].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(groups.map(([name, group]) => [name, figures(group)]));
}

function kindTruth(rows: readonly Row[]): KindTruth {
  return { ...figures(rows), byStatus: figuresBy(rows, (row) => row.status), ids: rows.map((row) => row.id) };
}

/** Read from the records' own JSON by SQL and added up in bigint, so that it can check the server's answers. */
export function dayTruth(database: DatabaseSync, merchantCode: string, day: string): DayTruth {
  const read = (kind: RecordKind, status: string, condition: string): Row[] =>
    database
      .prepare(
        `SELECT id, CAST(${member('invoice_type')} AS TEXT) AS type, ${member('amount')} AS amount,
           coalesce(CAST(${member(status)} AS TEXT), 'unknown') AS status
         FROM records WHERE kind = ? AND merchant = ? AND ${condition} ORDER BY id, seq`,
      )
      .all(kind, merchantCode, day)
      .map((row) => ({
        id: numberOf(row['id']),
        type: textOf(row['type']),
        status: textOf(row['status']),
        amount: textOf(row['amount']),
      }));
  const invoices = read('invoice', 'invoice_status', 'day = ?');
  return {
    invoices: { ...kindTruth(invoices), byType: figuresBy(invoices, (row) => row.type) },
    refunds: kindTruth(read('refund', 'status', 'day = ?')),
    refundsOfSales: kindTruth(read('refund', 'status', `substr(${member('transaction_date')}, 1, 10) = ?`)),
  };
}
