import { addDays } from '#records/day/business-day.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import type { ChangedRow } from '#records/revision/changed-rows.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { CorrectionInput } from '#page/rendering/correction/render-correction.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { OlderChanges } from '#page/rendering/report/older-section.ts';
import type { Language } from '#mail/texts/texts.ts';

export const DAY = '2026-11-20';

/** Text that a merchant and its customers would write, in the merchant's language. */
const NAMES: Record<Language, { merchant: string; customers: readonly string[] }> = {
  en: {
    merchant: 'Kuwait Coffee Roasters',
    customers: [
      'Mariam Al-Sabah',
      'Gulf Trading & Contracting Co.',
      'مطعم البحر',
      'Yousef K.',
      'Dana Events',
    ],
  },
  ar: {
    merchant: 'محمصة الكويت للقهوة (Kuwait Coffee)',
    customers: ['مريم الصباح', 'شركة الخليج للتجارة والمقاولات', 'Dana Events', 'يوسف ك.', 'مطعم البحر'],
  },
};

/** The merchant as the mails name it. */
export function merchant(language: Language): MailedMerchant {
  const { merchant: name } = NAMES[language];
  return { merchantCode: '700001', name, timeZone: 'Asia/Kuwait', currency: 'KWD', language };
}

function dataFile(table: 'invoices' | 'refunds', format: 'json' | 'csv') {
  return { table, format, key: 'k', rows: 428, bytes: 51_234, sha256: 'ab' };
}

export const SEALED: Manifest = {
  merchantCode: '700001',
  day: DAY,
  merchantId: '1084',
  revision: 1,
  pull: '20261121T030005Z-9f2c61aa',
  pulledAt: '2026-11-21T03:00:07.480Z',
  scheduledTime: '2026-11-21T03:00:00.000Z',
  balanced: true,
  differences: [],
  notCompared: [],
  counts: { total: 428, paid: 301, notPaid: 96, cancelled: 31, other: 0 },
  amounts: { paid: '9842.750', notPaid: '3410.250', cancelled: '612.000', other: '0.000' },
  refunds: {
    count: 12,
    total: '143.500',
    byStatus: {
      approved: { count: 10, total: '132.500' },
      pending: { count: 1, total: '3.000' },
      rejected: { count: 1, total: '8.000' },
    },
    saleBasis: { count: 4, total: '41.250', byStatus: { approved: { count: 4, total: '41.250' } } },
  },
  breakdown: null,
  received: {
    count: 310,
    sum: '9975.250',
    ofEarlier: { count: 21, sum: '544.000' },
    byMethod: [
      { method: 'Apple Pay', count: 41, amount: '1180.500' },
      { method: 'Credit Card', count: 58, amount: '2604.750' },
      { method: 'KNET', count: 211, amount: '6190.000' },
    ],
    charges: [
      { column: 'admin_charge', total: '51.450' },
      { column: 'service_charge', total: '12.000' },
    ],
    basis: { paidOn: 310, seen: 0, otherCurrency: 0 },
  },
  issued: {
    count: 428,
    sum: '13865.000',
    paid: { count: 301, sum: '9842.750' },
    notPaid: { count: 96, sum: '3410.250' },
    cancelled: { count: 31, sum: '612.000' },
    other: { count: 0, sum: '0.000' },
  },
  open: { count: 96, sum: '3410.250' },
  outcomes: {
    paid: [
      {
        day: DAY,
        count: 289,
        amount: '9431.250',
        seen: 0,
        byMethod: [{ method: 'KNET', count: 289, amount: '9431.250' }],
        charges: [
          { column: 'admin_charge', total: '47.250' },
          { column: 'service_charge', total: '11.000' },
        ],
      },
      {
        day: '2026-11-21',
        count: 12,
        amount: '411.500',
        seen: 0,
        byMethod: [{ method: 'KNET', count: 12, amount: '411.500' }],
        charges: [
          { column: 'admin_charge', total: '1.800' },
          { column: 'service_charge', total: '0.500' },
        ],
      },
    ],
    cancelled: [{ day: DAY, count: 31, amount: '612.000' }],
    open: [
      { lastDay: '2026-11-20', count: 4, amount: '120.250' },
      { lastDay: '2026-11-25', count: 92, amount: '3290.000' },
    ],
    other: { count: 0, amount: '0.000' },
    seen: [],
  },
  followed: null,
  told: [],
  older: null,
  missingRefundIds: [],
  digest: 'd1',
  drift: {
    unknownFields: { invoices: [], refunds: [] },
    renamedFields: { invoices: {}, refunds: {} },
    unknownInvoiceStatuses: {},
    unknownRefundStatuses: {},
    otherDays: { count: 0, ids: [] },
    refundsWithoutDay: { count: 0, total: '0.000', byStatus: {}, ids: [] },
    repeatedFields: { invoices: {}, refunds: {} },
    misfits: { invoices: [], refunds: [], invoiceList: [], refundList: [] },
    notListed: { invoices: 0, refunds: 0, invoiceStatuses: 0, refundStatuses: 0 },
  },
  history: [],
  previous: null,
  files: [
    dataFile('invoices', 'json'),
    dataFile('invoices', 'csv'),
    dataFile('refunds', 'json'),
    dataFile('refunds', 'csv'),
  ],
};

/** Paid, unpaid and cancelled invoices of the days before, the latest first. Fridays are quiet; one day was never sealed. */
// prettier-ignore
const EARLIER = [
  [289, 88, 27], [251, 71, 20], [243, 90, 18], [260, 64, 25], [198, 52, 12], [276, 80, 30], [305, 92, 28],
  [282, 85, 22], [247, 70, 19], [240, 61, 21], [], [201, 57, 9], [270, 77, 24], [311, 90, 33],
  [279, 81, 20], [244, 72, 25], [239, 66, 17], [251, 70, 20], [190, 49, 14], [266, 75, 26], [298, 86, 30],
  [275, 80, 18], [241, 68, 22], [236, 64, 16], [249, 71, 21], [195, 50, 11], [262, 73, 25], [290, 83, 27],
];

/** The figures of the days before, each as its only reading said them. */
export function history(): DayFigures[] {
  return EARLIER.flatMap(([paid, notPaid, cancelled], index): DayFigures[] => {
    if (paid === undefined || notPaid === undefined || cancelled === undefined) return [];
    const figures = {
      balanced: index !== 4,
      counts: { total: paid + notPaid + cancelled, paid, notPaid, cancelled, other: 0 },
      amounts: {
        paid: `${paid * 32}.500`,
        notPaid: `${notPaid * 35}.250`,
        cancelled: `${cancelled * 20}.000`,
        other: '0.000',
      },
      refunds: { count: 9, total: '110.000' },
    };
    const received = { count: paid + 9, sum: `${paid * 33}.750` };
    return [{ day: addDays(DAY, -1 - index), revision: 1, ...figures, first: { ...figures, received } }];
  });
}

/** What the mail says about single invoices. */
export function highlights(language: Language): InvoiceHighlights {
  const { customers } = NAMES[language];
  const unpaid = (index: number, amount: string, expiresAt: string | null) => ({
    id: String(70_000_318 + index * 37),
    reference: `R-${2_100 + index}`,
    customer: customers[index % customers.length] ?? null,
    amount,
    expiresAt,
    url: index === 3 ? null : `https://pay.example.com/i/${8_412_000 + index}`,
  });
  return {
    largestUnpaid: [
      unpaid(0, '1250.000', '2026-12-04'),
      unpaid(1, '480.500', '2026-11-22'),
      unpaid(2, '175.250', '2026-11-30'),
      unpaid(3, '96.000', null),
      unpaid(4, '88.750', '2026-12-15'),
    ],
    expiringSoon: [unpaid(1, '480.500', '2026-11-22'), unpaid(6, '12.500', '2026-11-23')],
    expiringSoonCount: 2,
    byType: [
      { type: '1', count: 350, paid: 248, notPaid: 78, cancelled: 24, other: 0, amount: '11020.000' },
      { type: '0', count: 41, paid: 29, notPaid: 9, cancelled: 3, other: 0, amount: '1845.000' },
      { type: '6', count: 25, paid: 16, notPaid: 6, cancelled: 3, other: 0, amount: '700.000' },
      { type: '7', count: 12, paid: 8, notPaid: 3, cancelled: 1, other: 0, amount: '300.000' },
    ],
  };
}

/** The invoices that were paid after the report, and a refund that was added. */
export function changedRows(): NonNullable<CorrectionInput['rows']> {
  const paid = (id: string, amount: string): ChangedRow => ({
    id,
    was: { state: 'notPaid', amount },
    is: { state: 'paid', amount },
  });
  const refund: ChangedRow = {
    id: '61044',
    was: null,
    is: { state: 'approved', amount: '19.250' },
  };
  return {
    invoices: {
      count: 12,
      first: [
        paid('70000355', '120.000'),
        paid('70000318', '88.750'),
        paid('70000392', '60.000'),
        paid('70000429', '45.500'),
        paid('70000466', '37.500'),
        paid('70000207', '31.250'),
        paid('70000244', '22.000'),
        paid('70000281', '14.500'),
        paid('70000133', '9.750'),
        paid('70000170', '6.000'),
      ],
    },
    refunds: { count: 1, first: [refund] },
  };
}

/** What became of older invoices since the report before. */
export function olderChanges(): OlderChanges {
  const none = { count: 0, sum: '0.000' };
  const paid = (day: string, id: string, amount: string): OlderChanges['largest'][number] => ({
    table: 'invoices',
    day,
    currency: 'KWD',
    id,
    was: { state: 'notPaid', amount },
    is: { state: 'paid', amount },
  });
  return {
    pages: [
      { day: addDays(DAY, -1), revision: 2 },
      { day: addDays(DAY, -2), revision: 3 },
      { day: addDays(DAY, -9), revision: 2 },
    ],
    sums: [
      {
        currency: 'KWD',
        ways: {
          paid: { count: 21, sum: '544.000' },
          cancelled: { count: 2, sum: '18.500' },
          approved: { count: 1, sum: '12.000' },
          rejected: none,
          other: none,
        },
      },
    ],
    largest: [
      paid(addDays(DAY, -1), '70000118', '145.000'),
      paid(addDays(DAY, -9), '69990377', '96.250'),
      paid(addDays(DAY, -1), '70000091', '60.000'),
      paid(addDays(DAY, -2), '69999812', '45.500'),
      {
        ...paid(addDays(DAY, -2), '61021', '12.000'),
        table: 'refunds',
        was: { state: 'pending', amount: '12.000' },
        is: { state: 'approved', amount: '12.000' },
      },
    ],
    older: { expired: { count: 4, sum: '120.250' }, leaving: { ...none, until: addDays(DAY, -90) } },
  };
}
