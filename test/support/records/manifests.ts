import fc from 'fast-check';
import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Counts, DayRefunds, Figures } from '#records/figures/figure-schemas.ts';
import { firstReadingSchema, type DayFigures } from '#records/figures/history.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dataKey, manifestKey } from '#records/storage/keys.ts';
import { addDays } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';
import { NO_DRIFT } from '../pages/no-drift.ts';

export type SealedFigures = Omit<Figures, 'received'> & { refunds: DayRefunds };

export const FIGURES: SealedFigures = {
  counts: { total: 10, paid: 6, notPaid: 3, cancelled: 1, other: 0 },
  amounts: { paid: '60.000', notPaid: '30.500', cancelled: '1.000', other: '0.000' },
  refunds: {
    count: 2,
    total: '7.500',
    byStatus: { approved: { count: 1, total: '5.000' }, pending: { count: 1, total: '2.500' } },
    saleBasis: { count: 1, total: '5.000', byStatus: { approved: { count: 1, total: '5.000' } } },
  },
  balanced: true,
};

export const EMPTY_FIGURES: SealedFigures = {
  counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 },
  amounts: null,
  refunds: { count: 0, total: '0.000', byStatus: {}, saleBasis: { count: 0, total: '0.000', byStatus: {} } },
  balanced: true,
};

/** The invoices of {@link FIGURES}. */
export const BREAKDOWN: Breakdown = {
  byType: [
    {
      type: '1',
      all: { count: 10, amount: '91.500' },
      states: {
        paid: { count: 6, amount: '60.000' },
        notPaid: { count: 3, amount: '30.500' },
        cancelled: { count: 1, amount: '1.000' },
        other: { count: 0, amount: '0.000' },
      },
    },
  ],
  byMethod: [
    { method: 'KNET', count: 5, amount: '58.000' },
    { method: null, count: 1, amount: '2.000' },
  ],
  charges: [
    { column: 'admin_charge', total: '0.900' },
    { column: 'service_charge', total: null },
  ],
};

/** The payments of {@link FIGURES}: all on the day itself. */
const PAYMENTS = pagePayments({
  day: '2026-11-20',
  outcomes: {
    paid: [
      {
        ...{ day: '2026-11-20', count: 6, amount: '60.000', seen: 0 },
        ...{ byMethod: BREAKDOWN.byMethod ?? [], charges: BREAKDOWN.charges ?? [] },
      },
    ],
    cancelled: [{ day: '2026-11-20', count: 1, amount: '1.000' }],
    open: [{ lastDay: '2026-11-25', count: 3, amount: '30.500' }],
    other: { count: 0, amount: '0.000' },
    seen: [],
  },
  followed: {
    stated: { '1': { listed: 10, total: 10, paid: 6, notPaid: 3, cancelled: 1 } },
    pendingRefunds: ['2'],
  },
});

export function sealedManifest(figures: SealedFigures = FIGURES): Manifest {
  const file = { bytes: 2048, sha256: 'ab'.repeat(32) };
  const invoices = { table: 'invoices', rows: figures.counts.total ?? 10, ...file } as const;
  const refunds = { table: 'refunds', rows: figures.refunds.count, ...file } as const;
  return {
    merchantCode: '700001',
    day: '2026-11-20',
    merchantId: '1084',
    revision: 1,
    pull: '20261121T030005Z-9f2c61aa',
    pulledAt: '2026-11-21T03:00:07.480Z',
    scheduledTime: null,
    differences: [],
    notCompared: [],
    ...figures,
    breakdown: BREAKDOWN,
    ...(figures.amounts === null ? pagePayments({ day: '2026-11-20', outcomes: null }) : PAYMENTS),
    told: [],
    older: null,
    missingRefundIds: [],
    digest: 'cd'.repeat(32),
    drift: NO_DRIFT,
    history: [],
    previous: null,
    files: [
      { ...invoices, format: 'json', key: 'invoices/json/1.jsonl.gz' },
      { ...invoices, format: 'csv', key: 'invoices/csv/1.csv.gz' },
      { ...refunds, format: 'json', key: 'refunds/json/1.jsonl.gz' },
      { ...refunds, format: 'csv', key: 'refunds/csv/1.csv.gz' },
    ],
  };
}

/** A day of a history, as it was first read. @param cameIn not known where it is left out */
export function aDayBefore(
  day: string,
  of: { paid?: string; cameIn?: string; counts?: Partial<Counts>; balanced?: boolean } = {},
): DayFigures {
  const { paid = '40.000', cameIn, counts, balanced = true } = of;
  const figures = {
    balanced,
    counts: { total: 7, paid: 4, notPaid: 3, cancelled: 0, other: 0, ...counts },
    amounts: { paid, notPaid: '1.000', cancelled: '0.000', other: '0.000' },
    refunds: { count: 0, total: '0.000' },
  };
  const received = cameIn === undefined ? null : { count: 4, sum: cameIn };
  return { day, revision: 1, ...figures, first: firstReadingSchema.parse({ ...figures, received }) };
}

/** As a sealed day has it, with the keys of its files and of the revision before. Its rows do not exist. */
export function placedManifest(changes: Partial<Manifest> = {}): Manifest {
  const manifest = { ...sealedManifest(), ...changes };
  const { merchantCode, day, revision, pull } = manifest;
  return {
    ...manifest,
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files: manifest.files.map((file) => ({
      ...file,
      key: dataKey(file.table, file.format, day, merchantCode, pull),
    })),
  };
}

const thousandths = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 18n });
const count = fc.integer({ min: 0, max: 1_000_000 });
const amount = thousandths.map(formatAmount);
const statusNames = fc.constantFrom('approved', 'pending', 'rejected', 'other');
const someRefunds = fc.record({
  count,
  total: amount,
  byStatus: fc.dictionary(statusNames, fc.record({ count, total: amount }), { maxKeys: 4 }),
});
const counted = fc.record({ count, amount });
const states = fc.record({ paid: counted, notPaid: counted, cancelled: counted, other: counted });

/** Once in twenty times it is not known. */
const mostly = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 20 });
const charges = fc.tuple(mostly(amount), mostly(amount)).map(([admin, service]) => [
  { column: 'admin_charge' as const, total: admin },
  { column: 'service_charge' as const, total: service },
]);
const type = fc.constantFrom('1', '0', '6', '7');
const method = fc.constantFrom('KNET', 'CARD', null);
const breakdown = fc.record({
  byType: fc.uniqueArray(fc.record({ type, all: counted, states: fc.option(states) }), {
    selector: (one) => one.type,
  }),
  byMethod: fc.option(
    fc.uniqueArray(fc.record({ method, count, amount }), { selector: (one) => one.method }),
  ),
  charges: mostly(charges),
});

const content = fc.record({
  revision: fc.integer({ min: 1, max: 40 }),
  balanced: fc.boolean(),
  counts: fc.record({
    total: mostly(count),
    paid: mostly(count),
    notPaid: count,
    cancelled: count,
    other: count,
  }),
  amounts: mostly(fc.record({ paid: amount, notPaid: amount, cancelled: amount, other: amount })),
  refunds: fc.tuple(someRefunds, someRefunds).map(([refunds, saleBasis]) => ({ ...refunds, saleBasis })),
  breakdown: mostly(breakdown),
  received: mostly(
    fc.record({ count, sum: amount, charges }).map((received) => ({
      ...received,
      ofEarlier: { count: 0, sum: '0.000' },
      byMethod: [{ method: 'KNET', count: received.count, amount: received.sum }],
      basis: { paidOn: received.count, seen: 0, otherCurrency: 0 },
    })),
  ),
});

/** Sealed days of a merchant on some of `days` dates, at most one a day, in any order. */
export function randomManifests(from: string, days: number): fc.Arbitrary<Manifest[]> {
  return fc
    .array(fc.option(content, { freq: 5 }), { minLength: days, maxLength: days })
    .map((list) =>
      list.flatMap((one, index): Manifest[] =>
        one === null ? [] : [{ ...sealedManifest(), ...one, day: addDays(from, index) }],
      ),
    )
    .chain((pages) => fc.shuffledSubarray(pages, { minLength: pages.length, maxLength: pages.length }));
}

/** When the mails of {@link aLedger} were begun and what is known of them was written. */
export const LEDGER_AT = '2026-11-21T03:00:09.000Z';

export function anEntry(
  to: string,
  status: LedgerEntry['status'],
  changes: Partial<LedgerEntry> = {},
): LedgerEntry {
  return { to, status, messageId: null, at: LEDGER_AT, reason: null, round: 1, ...changes };
}

/** The ledger of a report's mails, which a writer has finished. */
export function aLedger(recipients: LedgerEntry[], changes: Partial<Ledger> = {}): Ledger {
  return {
    status: 'accepted',
    kind: 'report',
    figures: null,
    intendedAt: LEDGER_AT,
    until: LEDGER_AT,
    writer: '20261121T030005Z-9f2c61aa',
    round: 1,
    reason: null,
    recipients,
    ...changes,
  };
}
