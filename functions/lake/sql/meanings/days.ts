import type { Manifest } from '#records/revision/manifest.ts';
import type { ChangeMarker } from '#records/storage/change-marker.ts';
import type { Meaning } from '../columns.ts';

export const MANIFEST_MEANINGS: Record<keyof Manifest, Meaning> = {
  merchantCode: { meaning: 'The merchant.' },
  merchantId: {
    meaning: "The service's own id of the merchant, which records carry; null where none told it yet.",
  },
  day: { meaning: 'The day, which is the partition as well.', unit: 'YYYY-MM-DD' },
  revision: { meaning: 'Number of the revision; the first is 1, and there are no gaps.' },
  pull: { meaning: 'Id of the pull that the revision is of; files are named after it.' },
  pulledAt: { meaning: 'When the pull began.', unit: 'ISO 8601, UTC' },
  soFarUntil: {
    meaning:
      'Until when the revision holds the day, where it was pulled before the day was over; null for a whole day.',
    unit: 'ISO 8601, UTC',
  },
  scheduledTime: { meaning: 'The tick that asked for it; null by hand.', unit: 'ISO 8601' },
  balanced: {
    meaning:
      "Whether rows, totals and the service's own counts agree and are all known, but for what the registry leaves out.",
  },
  differences: { meaning: 'What does not agree.', unit: 'JSON array of name, what, service, rows, ids' },
  notCompared: {
    meaning: 'What does not agree in comparisons that the registry leaves out (`balance.ignore`).',
    unit: 'JSON array of name, what, service, rows, ids',
  },
  counts: {
    meaning: 'Invoices by state as the service counts them; null where it does not say.',
    unit: 'count',
  },
  amounts: {
    meaning:
      'Sum of the invoices made on the day per state when it was read; null where the registry has no `invoiceStatuses`.',
    unit: "amount in the merchant's currency, three fraction digits",
  },
  refunds: {
    meaning:
      'Refunds by their own date. `salebasis`: those on this page whose sale is of the day, no total; the query `refunds-on-both-bases` has all.',
    unit: "count, and amount in the merchant's currency, three fraction digits",
  },
  breakdown: {
    meaning:
      'Invoices by type, and the paid ones by payment method and by charge; null in revisions of earlier versions.',
    unit: 'JSON object of byType, byMethod, charges',
  },
  received: {
    meaning:
      'What came in on the day, whatever day its invoices were made; null in revisions of earlier versions.',
    unit: 'JSON object of count, sum, ofEarlier, byMethod, charges, basis',
  },
  issued: {
    meaning: 'The invoices made on the day by state, as it was last read; null likewise.',
    unit: 'JSON object of count, sum, and the same of each state',
  },
  open: {
    meaning: 'What of the invoices made on the day is still unpaid; null likewise.',
    unit: "count, and sum in the merchant's currency, three fraction digits",
  },
  outcomes: {
    meaning:
      'By which day the invoices made on the day were paid or cancelled, or their links end; null likewise.',
    unit: 'JSON object of paid, cancelled, open, other, seen',
  },
  followed: {
    meaning: 'By what later changes of the day are found; null likewise.',
    unit: 'JSON object of listed, pendingRefunds',
  },
  first: {
    meaning:
      'The day as its first whole revision said it; null for a day so far, and where no revision says it any more.',
    unit: 'JSON object of balanced, counts, amounts, received, refunds',
  },
  missingRefundIds: { meaning: 'Refunds that the page once had and the service no longer knows.' },
  digest: { meaning: 'Over the rows, whatever their order.', unit: 'SHA-256, hex' },
  drift: {
    meaning: 'What the service sent beyond the contract: names, counts and the first ids.',
    unit: 'JSON object',
  },
  history: {
    meaning: 'The days before, as they were known when the revision was sealed.',
    unit: 'JSON array of day, revision, balanced, disagreed, counts, amounts, refunds, currency, first',
  },
  previous: { meaning: 'Key of the revision before; null for the first.' },
  files: { meaning: 'The data files of the revision: what none of them names is not data.' },
  currency: {
    meaning: 'The currency of all amounts, as the registry said when they were sealed.',
    unit: 'three capitals; null in revisions of earlier versions',
  },
  timeZone: { meaning: "The merchant's zone, likewise.", unit: 'IANA name' },
  invoiceStatuses: { meaning: 'The words of `invoice_status`, likewise; null where there were none.' },
  refundStatuses: { meaning: "The words of a refund's `status`, likewise." },
  charges: { meaning: 'The columns of charges that the merchant bears, likewise.' },
};

export const CHANGE_MEANINGS: Record<keyof ChangeMarker, Meaning> = {
  day: { meaning: 'The day of the page that was about to change.', unit: 'YYYY-MM-DD' },
  what: {
    meaning:
      '`days`: a sealed revision was about to be added; `mail`: a ledger of the day was about to change.',
  },
  notedAt: {
    meaning:
      'When the ten minutes of the marker begin. The change itself is written at most 25 minutes later.',
    unit: 'ISO 8601, UTC',
  },
};
