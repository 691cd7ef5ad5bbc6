import type { NamedQuery } from '../named-query.ts';
import { INVOICE_QUERIES } from './invoices.ts';
import { MONEY_QUERIES } from './money.ts';
import { PAGE_QUERIES } from './pages.ts';
import { PAYMENTS } from '../views/payments.ts';
import { STATEMENTS_AGAINST_DAYS } from './statements-against-days.ts';

/** Questions that people ask of the lake, ready to use. */
export const NAMED_QUERIES: readonly NamedQuery[] = [
  ...MONEY_QUERIES,
  ...INVOICE_QUERIES,
  ...PAGE_QUERIES,
  STATEMENTS_AGAINST_DAYS,
];

/** What a group's copy has of them. It has no ledgers, no older revisions, no registry and no statements. */
const IN_A_GROUP: Readonly<Record<string, string>> = {
  all_invoices: 'invoices',
  all_refunds: 'refunds',
  all_days: 'days',
  [PAYMENTS.name]: "(SELECT * FROM invoices WHERE state = 'paid') AS payments",
};

/** The questions that a group can ask of its copy. */
export const GROUP_QUERIES: readonly NamedQuery[] = NAMED_QUERIES.filter(
  ({ sql }) => !/(?:FROM|JOIN) (?:days|latest_|mail_|merchants|all_invoices_with)/.test(sql),
).map((query) => ({
  ...query,
  sql: query.sql.replaceAll(
    /(FROM|JOIN) (\w+)/g,
    (_, word: string, name: string) => `${word} ${IN_A_GROUP[name] ?? name}`,
  ),
}));
