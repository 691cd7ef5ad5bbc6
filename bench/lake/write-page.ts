import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { HISTORY_DAYS } from '#records/figures/history.ts';
import type { S3Store } from '#sandbox/aws/index.ts';
import { invoiceEvent, refundEvent } from '#sandbox/payments/day/evolve.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import { sealPage } from '#support/pages/generated-lake.ts';
import type { PageRecords } from '#support/pages/generated-lake.ts';
import type { DaySize } from '../fleet/sizes.ts';
import type { Page } from './pages.ts';
import { BUCKET } from './world.ts';

const IDS_A_DAY = 200_000;
const REFUND_IDS = 100_000;

/** Bytes of the objects that a page has written. */
export interface WrittenPage {
  json: number;
  manifest: number;
  rows: number;
}

/** The records of a page. Its second revision has what happened to them in the days after. */
function recordsOf({ merchant, day, revision }: Page, size: DaySize): PageRecords {
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

/** The earlier days in a manifest. No question asks for them, but the engine reads their bytes, too. */
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
  const written = { json: 0, manifest: 0, rows: records.invoices.length + records.refunds.length };
  const put = async (key: string, body: string | Uint8Array) => {
    written[key.startsWith('days/') ? 'manifest' : 'json'] += Buffer.byteLength(body);
    await s3.write(BUCKET, key, body);
  };
  const pulledAt = `${addDays(day, revision)}T03:00:00Z`;
  await sealPage(put, { merchantCode, day, revision, pulledAt }, records, {
    merchantId: String(merchantId),
    history: historyBefore(day, size),
  });
  return written;
}
