import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { changeMarker, type ChangeOfADay } from '#records/storage/change-marker.ts';
import type { Day } from '#records/day/business-day.ts';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import { OutcomeTally, pagePayments } from '#records/figures/outcome-tally.ts';
import { InvoiceStateTotals } from '#records/figures/invoice-state-totals.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import type { RecipientStatus } from '#records/ledger/ledger.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import { TABLES, type Manifest, type Table } from '#records/revision/manifest.ts';
import { addressHash, changeKey, dataKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { aLedger, anEntry, placedManifest } from '../records/manifests.ts';

export type PutObject = (key: string, body: string | Uint8Array) => Promise<void>;

export type PageRecords = Record<Table, Record<string, unknown>[]>;

export interface Page {
  merchantCode: string;
  day: Day;
  revision: number;
  /** When the pull began: ISO 8601, UTC, whole seconds. */
  pulledAt: string;
}

const compress = promisify(gzip);
const HEX = /[^0-9a-f]/g;
/** As Daybook compresses. */
const LEVEL = 3;

/** Two pulls have the same id only when page and time are the same. */
function pullOf({ merchantCode, day, revision, pulledAt }: Page): string {
  const moment = new Date(pulledAt)
    .toISOString()
    .replace(/\.\d{3}/, '')
    .replace(/[-:]/g, '');
  const unique = Buffer.from(`${merchantCode} ${day} ${revision}`).toString('hex').replace(HEX, '');
  return `${moment}-${unique}`;
}

function linesOf(table: Table, rows: PageRecords[Table], { merchantCode, day }: Page): string {
  const lines = new RowLines(table, new Map());
  return rows
    .map((row) => {
      const queryType = table === 'invoices' ? String(row['invoice_type']) : null;
      return `${lines.of(row, beginningsOf({ merchantCode, day, queryType })).json.toString()}\n`;
    })
    .join('');
}

function figuresOf({ invoices, refunds }: PageRecords, day: Day, readAt: string) {
  const invoiceStatuses = { 0: 'not_paid', 1: 'paid', 3: 'cancelled' } as const;
  const states = new InvoiceStateTotals(invoiceStatuses);
  const settings = { invoiceTypes: [], invoiceStatuses, timeZone: 'Asia/Kuwait' };
  const breakdown = new BreakdownTally(settings);
  const outcomes = new OutcomeTally(day, Date.parse(readAt), settings);
  const totals = new RefundDayTotals(day, { 0: 'pending', 1: 'approved', 2: 'rejected' });
  for (const invoice of invoices) {
    const type = String(invoice['invoice_type']);
    const figures = { invoice_status: Number(invoice['invoice_status']), amount: String(invoice['amount']) };
    states.add(figures);
    breakdown.add(type, figures, invoice);
    outcomes.add(type, { ...figures, id: Number(invoice['id']) }, invoice);
  }
  for (const { id, amount, status, refund_at, transaction_date } of refunds) {
    totals.add({
      id: Number(id),
      amount: String(amount),
      status: Number(status),
      refund_at: String(refund_at),
      transaction_date: String(transaction_date),
    });
  }
  return {
    counts: { total: states.total().count, ...states.counts() },
    amounts: states.amounts(),
    refunds: totals.figures(),
    breakdown: breakdown.breakdown(),
    ...pagePayments({ day, outcomes: outcomes.outcomes() }),
  };
}

/** The data files of a pull that crashed: no manifest names them. */
export async function crashPull(put: PutObject, page: Page, records: PageRecords): Promise<void> {
  const pull = pullOf(page);
  await Promise.all(
    TABLES.map(async (table) => {
      const body = await compress(linesOf(table, records[table], page), { level: LEVEL });
      await put(dataKey(table, 'json', page.day, page.merchantCode, pull), body);
    }),
  );
}

/** Members of a manifest that do not follow from its records. */
export type OtherMembers = Partial<Omit<Manifest, keyof Page | 'files'>>;

/** The manifest that {@link sealPage} writes. */
export function manifestOf(page: Page, records: PageRecords, others: OtherMembers = {}): Manifest {
  const { merchantCode, day, revision, pulledAt } = page;
  const pull = pullOf(page);
  const placed = placedManifest({ merchantCode, day, revision, pulledAt, pull, merchantId: null });
  return {
    ...placed,
    scheduledTime: revision === 1 ? pulledAt : null,
    ...figuresOf(records, day, pulledAt),
    digest: '0'.repeat(64),
    files: placed.files.map((file) => {
      return { ...file, rows: records[file.table].length, bytes: 0, sha256: '0'.repeat(64) };
    }),
    ...others,
  };
}

/** The objects of a sealed revision: both JSON files, then the manifest. The CSV files are left out. */
export async function sealPage(
  put: PutObject,
  page: Page,
  records: PageRecords,
  others?: OtherMembers,
): Promise<void> {
  await crashPull(put, page, records);
  await put(
    manifestKey(page.day, page.merchantCode, page.revision),
    JSON.stringify(manifestOf(page, records, others)),
  );
}

/** The ledger of a revision's report, with one entry of a first round for each status. */
export async function writeLedger(
  put: PutObject,
  { day, merchantCode, revision, pulledAt }: Page,
  statuses: readonly RecipientStatus[],
): Promise<void> {
  const recipients = statuses.map((status, index) =>
    anEntry(addressHash(`person-${index}@${merchantCode}.example.com`), status, {
      messageId: status === 'intended' ? null : `message-${index}`,
      at: pulledAt,
      reason: status === 'bounced' ? 'Permanent, "General"' : null,
    }),
  );
  const key = ledgerKey(day, merchantCode, revision);
  const ledger = aLedger(recipients, {
    key,
    status: statuses[0] ?? 'skipped',
    kind: revision === 1 ? 'report' : 'correction',
    corrects: revision === 1 ? null : revision - 1,
    intendedAt: pulledAt,
    until: pulledAt,
    reason: statuses.length === 0 ? 'nothing changed' : null,
    nothingToSend: null,
  });
  await put(key, JSON.stringify(ledger));
}

/** Says that a day changes, as the functions do before they write. @param at ISO 8601 */
export async function noteChange(put: PutObject, what: ChangeOfADay, day: Day, at: string): Promise<void> {
  const marker = changeMarker(what, day, Date.parse(at));
  const { notedAt } = marker;
  await put(changeKey(marker), JSON.stringify({ day, what, notedAt }));
}
