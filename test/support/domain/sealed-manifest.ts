import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Counts, DayRefunds, Figures } from '#records/figures/figure-schemas.ts';
import { firstReadingSchema, type DayFigures } from '#records/figures/history.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import type { Manifest } from '#records/revision/manifest.ts';
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
