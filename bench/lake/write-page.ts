import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { HISTORY_DAYS } from '#domain/figures/history.ts';
import { InvoiceStateTotals } from '#domain/figures/invoice-states.ts';
import { RefundDayTotals } from '#domain/figures/refund-totals.ts';
import { RowLines } from '#domain/records/row-lines.ts';
import type { Table } from '#domain/revision/manifest.ts';
import { FORMATS, TABLES } from '#domain/revision/manifest.ts';
import { dataKey, manifestKey } from '#domain/storage/keys.ts';
import type { S3Store } from '#sandbox/aws/index.ts';
import { invoiceEvent, refundEvent } from '#sandbox/payments/day/evolve.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import type { DaySize } from '../fleet/sizes.ts';
import type { Page } from './pages.ts';
import { BUCKET } from './world.ts';

type Rows = Record<string, unknown>[];

const compress = promisify(gzip);
/** As Daybook compresses. */
const LEVEL = 3;
const IDS_A_DAY = 200_000;
const REFUND_IDS = 100_000;

/** Bytes of the objects that a page has written. */
export interface WrittenPage {
  json: number;
  manifest: number;
  rows: number;
}

/** The records of a page. Its second revision has what happened to them in the days after. */
function recordsOf({ merchant, day, revision }: Page, size: DaySize): Record<Table, Rows> {
  const { merchantCode, merchantId = 0, name } = sandboxMerchant(merchant);
  const since = Math.round((Date.parse(day) - Date.parse('2025-01-01')) / 86_400_000);
  const target = { merchantCode, merchantId, merchantName: name, day };
  const firstId = since * IDS_A_DAY;
  const invoices = [...seededInvoices({ ...target, firstId }, size)];
  const refunds = [...seededRefunds({ ...target, firstId: firstId + REFUND_IDS }, size)];
  if (revision === 1) return { invoices, refunds };
  const random = seededRandom(`later ${merchantCode} ${day}`);
  return {
    invoices: invoices.map((invoice) => ({ ...invoice, ...invoiceEvent(random, day, invoice) })),
    refunds: refunds.map((refund) => ({ ...refund, ...refundEvent(random, day, refund) })),
  };
}

function linesOf(table: Table, rows: Rows, merchantCode: string, day: string): string {
  const types = new Map<string | null, RowLines>();
  return rows
    .map((row) => {
      const queryType = table === 'invoices' ? String(row['invoice_type']) : null;
      const lines = types.get(queryType) ?? new RowLines(table, { merchantCode, day, queryType });
      types.set(queryType, lines);
      return `${lines.json(row)}\n`;
    })
    .join('');
}

function figuresOf(records: Record<Table, Rows>, day: Day) {
  const states = new InvoiceStateTotals({ 0: 'not_paid', 1: 'paid', 3: 'cancelled' });
  const refunds = new RefundDayTotals(day, { 0: 'pending', 1: 'approved', 2: 'rejected' });
  for (const { invoice_status, amount } of records.invoices) {
    states.add({ invoice_status: Number(invoice_status), amount: String(amount) });
  }
  for (const { amount, status, refund_at, transaction_date } of records.refunds) {
    refunds.add({
      amount: String(amount),
      status: Number(status),
      refund_at: String(refund_at),
      transaction_date: String(transaction_date),
    });
  }
  const { count } = states.total();
  return {
    balanced: true,
    differences: [],
    counts: { total: count, ...states.counts() },
    amounts: states.amounts(),
    refunds: refunds.figures(),
  };
}

/** The earlier days in a manifest. No question reads them, but the engine reads past them. */
function historyBefore(day: Day, { invoices, refunds }: DaySize) {
  return Array.from({ length: HISTORY_DAYS }, (_, back) => ({
    day: addDays(day, -1 - back),
    revision: 1,
    balanced: true,
    counts: { total: invoices, paid: invoices, notPaid: 0, cancelled: 0, other: 0 },
    amounts: { paid: `${invoices}.000`, notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    refunds: { count: refunds, total: `${refunds}.000` },
  }));
}

/**
 * Writes the objects of a revision as a report leaves them: both JSON files and the manifest. It leaves out the CSV files, which no
 * question of the bench reads.
 */
export async function writePage(s3: S3Store, page: Page, size: DaySize): Promise<WrittenPage> {
  const { merchant, day, revision } = page;
  const { merchantCode, merchantId } = sandboxMerchant(merchant);
  const records = recordsOf(page, size);
  const pulledAt = `${addDays(day, revision)}T03:00:00.000Z`;
  const pull = `${pulledAt.replace(/\.\d{3}/, '').replace(/[-:]/g, '')}-${merchantCode.padStart(8, '0')}`;
  const bodies = await Promise.all(
    TABLES.map(async (table) => {
      const body = await compress(linesOf(table, records[table], merchantCode, day), { level: LEVEL });
      await s3.write(BUCKET, dataKey(table, 'json', day, merchantCode, pull), body);
      return body.length;
    }),
  );
  const files = TABLES.flatMap((table, index) =>
    FORMATS.map((format) => ({
      table,
      format,
      key: dataKey(table, format, day, merchantCode, pull),
      rows: records[table].length,
      bytes: bodies[index] ?? 0,
      sha256: '0'.repeat(64),
    })),
  );
  const manifest = JSON.stringify({
    merchantCode,
    day,
    merchantId: String(merchantId),
    revision,
    pull,
    pulledAt,
    scheduledTime: pulledAt,
    ...figuresOf(records, day),
    missingRefundIds: [],
    digest: '0'.repeat(64),
    drift: { unknownFields: {}, renamedFields: {}, unknownInvoiceStatuses: {}, unknownRefundStatuses: {} },
    history: historyBefore(day, size),
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files,
  });
  await s3.write(BUCKET, manifestKey(day, merchantCode, revision), manifest);
  return {
    json: bodies.reduce((sum, bytes) => sum + bytes, 0),
    manifest: Buffer.byteLength(manifest),
    rows: records.invoices.length + records.refunds.length,
  };
}
