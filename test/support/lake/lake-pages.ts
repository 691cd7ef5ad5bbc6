import type { Day } from '#records/day/business-day.ts';
import type { RecipientStatus } from '#records/ledger/ledger.ts';
import { sandboxMerchant, type DaySize } from '#sandbox/payments/index.ts';
import { invoiceEvent, refundEvent } from '#sandbox/payments/day/evolve.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { seededInvoices, seededRefunds } from '#sandbox/payments/day/seed.ts';
import {
  crashPull,
  noteChange,
  sealPage,
  writeLedger,
  type Page,
  type PageRecords,
  type PutObject,
} from '#support/pages/generated-lake.ts';

/** What a pull finds. */
export interface Pulled {
  /** When it begins: ISO 8601, UTC, whole seconds. */
  at: string;
  size?: DaySize;
  /** Changes the records, which come from the seeds. */
  change?: (records: PageRecords) => void;
}

const SIZE: DaySize = { invoices: 4, refunds: 2 };

/** The same page always has the same ones. From the second revision on they have what happened in the days after. */
function recordsOf(merchant: number, day: Day, revision: number, size: DaySize): PageRecords {
  const { merchantCode, merchantId = 0, name } = sandboxMerchant(merchant);
  const target = { merchantCode, merchantId, merchantName: name, day, firstId: merchant * 1_000 };
  const invoices = [...seededInvoices(target, size)];
  const refunds = [...seededRefunds(target, size)];
  if (revision === 1) return { invoices, refunds };
  const random = seededRandom(`later ${merchantCode} ${day} ${revision}`);
  return {
    invoices: invoices.map((invoice) => ({ ...invoice, ...invoiceEvent(random, day, invoice) })),
    refunds: refunds.map((refund) => ({ ...refund, ...refundEvent(random, day, refund) })),
  };
}

/** Seals pages of the sandbox's merchants as the functions do: marker first, then files, then the manifest. */
export class LakePages {
  readonly #put: PutObject;
  readonly #revisions = new Map<string, number>();

  constructor(put: PutObject) {
    this.#put = put;
  }

  /** Seals the next revision of a merchant's day. @param merchant its place: 0 is 700001 */
  async seal(merchant: number, day: Day, { at, size = SIZE, change }: Pulled): Promise<Page> {
    const { merchantCode } = sandboxMerchant(merchant);
    const revision = (this.#revisions.get(`${merchantCode} ${day}`) ?? 0) + 1;
    this.#revisions.set(`${merchantCode} ${day}`, revision);
    const page = { merchantCode, day, revision, pulledAt: at };
    const records = recordsOf(merchant, day, revision, size);
    change?.(records);
    await noteChange(this.#put, 'days', day, at);
    await sealPage(this.#put, page, records);
    return page;
  }

  /** A pull that dies before its seal. Its files are not data. */
  async crash(merchant: number, day: Day, { at, size = SIZE }: Pulled): Promise<void> {
    const { merchantCode } = sandboxMerchant(merchant);
    // No sealed revision has this number, so no other pull has its id.
    const page = { merchantCode, day, revision: 1_000, pulledAt: at };
    await noteChange(this.#put, 'days', day, at);
    await crashPull(this.#put, page, recordsOf(merchant, day, 1, size));
  }

  /** Writes the ledger of a page's report. */
  async send(page: Page, at: string, statuses: readonly RecipientStatus[]): Promise<void> {
    await noteChange(this.#put, 'mail', page.day, at);
    await writeLedger(this.#put, page, statuses);
  }
}
