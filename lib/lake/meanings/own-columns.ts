import type { OWN_COLUMNS } from '#records/rows/contract-columns.ts';
import type { Meaning } from '../lake-column.ts';

/** The meanings of the members that Daybook puts before the service's own in every row. */
export const OWN_MEANINGS: Record<(typeof OWN_COLUMNS)[number], Meaning> = {
  _merchant_code: { meaning: 'The merchant whose page the row is on.' },
  _day: { meaning: "The day of the page, a date in the merchant's own zone.", unit: 'YYYY-MM-DD' },
  _query_type: { meaning: 'The `invoiceType` that was asked for; null for refunds.' },
};
