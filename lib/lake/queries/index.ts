import type { NamedQuery } from '../named-query.ts';
import { INVOICE_QUERIES } from './invoices.ts';
import { MONEY_QUERIES } from './money.ts';
import { PAGE_QUERIES } from './pages.ts';
import { STATEMENTS_AGAINST_DAYS } from './statements-against-days.ts';

/** Questions that people ask of the lake, ready to use. */
export const NAMED_QUERIES: readonly NamedQuery[] = [
  ...MONEY_QUERIES,
  ...INVOICE_QUERIES,
  ...PAGE_QUERIES,
  STATEMENTS_AGAINST_DAYS,
];
