import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { dayNumber } from './calendar.ts';
import { invoiceEvent, refundEvent } from './evolve.ts';
import { INVOICE_STATUS, invoiceRecord, type InvoiceType } from './invoice-record.ts';
import { parseJson } from '../json.ts';
import { merchantIdOf, type SandboxMerchant } from './merchant.ts';
import { seededRandom, type Random } from './random.ts';
import { changed, recordText, type RecordChange, type RecordParts } from './record-text.ts';
import { REFUND_STATUS, refundRecord } from './refund-record.ts';
import { checkDay, seededInvoices, seededRefunds, type DaySize, type SeedTarget } from './seed.ts';
import type { RecordKind, RecordStore, StoredRecord } from '../store.ts';
import { dayTruth, type DayTruth } from './truth.ts';

/** The ids that changed after a day. */
export interface Evolution {
  paid: number[];
  visited: number[];
  approved: number[];
}

export type PaymentsData = ReturnType<typeof createPaymentsData>;

const members = z.record(z.string(), z.unknown());
const rawMembers = z.union([z.string(), z.record(z.string(), z.string())]);
const invoiceType = z.union([z.literal(0), z.literal(1), z.literal(6), z.literal(7)]);

/** The ids of a merchant and day are consecutive, and later days have higher ids. So descending ids mean newest first. */
const IDS_PER_DAY = 1_000_000;
const MERCHANT_SLOTS = 1_000;

const NOON = 12 * 3600;

function dayOf(kind: RecordKind, change: RecordChange): string | undefined {
  const value = kind === 'invoice' ? change['created_at'] : change['refund_at'];
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? value.slice(0, 10) : undefined;
}

function stored(
  kind: RecordKind,
  merchantCode: string,
  id: number,
  day: string,
  parts: RecordParts,
): StoredRecord {
  const status = kind === 'invoice' ? parts.members['invoice_status'] : parts.members['status'];
  const type = kind === 'invoice' ? parts.members['invoice_type'] : '';
  const amount = parts.members['amount'];
  return {
    kind,
    merchantCode,
    id,
    day,
    type: typeof type === 'number' || typeof type === 'string' ? String(type) : '',
    status: typeof status === 'number' || typeof status === 'string' ? String(status) : '',
    amount: typeof amount === 'string' ? amount : '',
    record: recordText(parts),
    base: parts.raw === undefined ? null : JSON.stringify(parts.members),
    raw: parts.raw === undefined ? null : JSON.stringify(parts.raw),
  };
}

function partsOf(record: StoredRecord): RecordParts {
  return {
    members: members.parse(JSON.parse(record.base ?? record.record)),
    raw: record.raw === null ? undefined : rawMembers.parse(JSON.parse(record.raw)),
  };
}

/**
 * The sandbox's records. Days are `YYYY-MM-DD`. Every method throws a RangeError for an unknown merchant, for a day that does
 * not exist and, if it changes a record, for an unknown id.
 */
export function createPaymentsData(
  database: DatabaseSync,
  store: RecordStore,
  merchants: readonly SandboxMerchant[],
) {
  function target(kind: RecordKind, merchantCode: string, day: string): SeedTarget {
    const merchant = merchants.find((candidate) => candidate.merchantCode === merchantCode);
    if (merchant === undefined) throw new RangeError(`the sandbox has no merchant ${merchantCode}`);
    checkDay(day);
    const merchantId = merchantIdOf(merchant);
    const base = (dayNumber(day) * MERCHANT_SLOTS + (merchantId % MERCHANT_SLOTS)) * IDS_PER_DAY;
    const firstId = (store.highestId(kind, merchantCode, base, base + IDS_PER_DAY) ?? base) + 1;
    return { merchantCode, merchantId, merchantName: merchant.name, day, firstId };
  }

  function add(
    kind: RecordKind,
    place: SeedTarget,
    made: Record<string, unknown>,
    change: RecordChange,
  ): number {
    const parts = changed({ members: made, raw: undefined }, change);
    const given = parts.members['id'];
    const id = typeof given === 'number' && Number.isSafeInteger(given) ? given : place.firstId;
    store.insert(stored(kind, place.merchantCode, id, place.day, parts));
    return id;
  }

  function update(kind: RecordKind, merchantCode: string, id: number, change: RecordChange): void {
    const found = store.find(kind, merchantCode, id);
    if (found === undefined) throw new RangeError(`merchant ${merchantCode} has no ${kind} ${id}`);
    const day = dayOf(kind, change) ?? found.stored.day;
    store.replace(found.seq, stored(kind, merchantCode, id, day, changed(partsOf(found.stored), change)));
  }

  function remove(kind: RecordKind, merchantCode: string, id: number): void {
    if (!store.remove(kind, merchantCode, id))
      throw new RangeError(`merchant ${merchantCode} has no ${kind} ${id}`);
  }

  function evolveKind(
    kind: RecordKind,
    merchantCode: string,
    day: string,
    event: (record: Record<string, unknown>) => RecordChange | undefined,
  ): { id: number; change: RecordChange }[] {
    const events: { id: number; change: RecordChange }[] = [];
    for (const { seq, id } of store.list({ kind, merchantCode, fromDay: day, toDay: day })) {
      const parsed = members.safeParse(parseJson(store.text(seq)));
      const change = parsed.success ? event(parsed.data) : undefined;
      if (change === undefined) continue;
      update(kind, merchantCode, id, change);
      events.push({ id, change });
    }
    return events;
  }

  return {
    /** Adds realistic records to a day. The first call for a merchant's day gives the same bytes on every machine. */
    seedDay(merchantCode: string, day: string, size: DaySize): void {
      checkDay(day, size.invoices, size.refunds, size.seed ?? 1);
      store.together(() => {
        const invoices = target('invoice', merchantCode, day);
        for (const made of seededInvoices(invoices, size)) add('invoice', invoices, made, {});
        const refunds = target('refund', merchantCode, day);
        for (const made of seededRefunds(refunds, size)) add('refund', refunds, made, {});
      });
    },
    /** Adds one unpaid single invoice as the newest of the day, changed by `partial`, and returns its id. */
    insertInvoice(merchantCode: string, day: string, partial: RecordChange = {}): number {
      const place = target('invoice', merchantCode, day);
      const type = invoiceType.catch(1).parse(partial['invoice_type']) satisfies InvoiceType;
      const status =
        partial['invoice_status'] === INVOICE_STATUS.paid ? INVOICE_STATUS.paid : INVOICE_STATUS.unpaid;
      const seed = { ...place, id: place.firstId, type, status, second: NOON };
      return add('invoice', place, invoiceRecord(insertRandom('invoice', place), seed), partial);
    },
    /** Adds one pending refund with `refund_at` on the day, changed by `partial`, and returns its id. */
    insertRefund(merchantCode: string, day: string, partial: RecordChange = {}): number {
      const place = target('refund', merchantCode, day);
      const status =
        partial['status'] === REFUND_STATUS.approved ? REFUND_STATUS.approved : REFUND_STATUS.pending;
      const seed = { ...place, id: place.firstId, status };
      return add('refund', place, refundRecord(insertRandom('refund', place), seed), partial);
    },
    /** Sets members of an invoice to the given values. A well-formed `created_at` moves it to that day. */
    updateInvoice: update.bind(null, 'invoice'),
    /** Sets members of a refund to the given values. A well-formed `refund_at` moves it to that day. */
    updateRefund: update.bind(null, 'refund'),
    deleteInvoice: remove.bind(null, 'invoice'),
    deleteRefund: remove.bind(null, 'refund'),
    /** The figures of the records, computed independently of the server's answers. */
    truth: (merchantCode: string, day: string): DayTruth =>
      dayTruth(database, target('invoice', merchantCode, day).merchantCode, day),
    /** In the three days after a day. Another `seed` (default 1) changes other records. `until`: a datetime. */
    evolve(merchantCode: string, day: string, seed = 1, until?: string): Evolution {
      target('invoice', merchantCode, day);
      const random = seededRandom(`evolve ${merchantCode} ${day} ${seed}`);
      const evolution: Evolution = { paid: [], visited: [], approved: [] };
      store.together(() => {
        const happened = evolveKind('invoice', merchantCode, day, (invoice) =>
          invoiceEvent(random, day, invoice, until),
        );
        for (const { id, change } of happened) {
          (change['invoice_status'] === undefined ? evolution.visited : evolution.paid).push(id);
        }
        const decided = evolveKind('refund', merchantCode, day, (refund) =>
          refundEvent(random, day, refund, until),
        );
        evolution.approved = decided.map(({ id }) => id);
      });
      return evolution;
    },
  };
}

function insertRandom(kind: RecordKind, place: SeedTarget): Random {
  return seededRandom(`insert ${kind} ${place.merchantCode} ${place.firstId}`);
}
