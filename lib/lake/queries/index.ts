import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAYMENTS } from '../views/index.ts';

/** A question that people ask of the lake, ready to use in the Athena console. */
export interface NamedQuery {
  name: string;
  /** What it counts, of which time, and on which basis. */
  description: string;
  sql: string;
}

/** The files beside this one, in the order of the console and the data dictionary. */
const NAMES = [
  'came-in',
  'net-by-month',
  'charges-by-method',
  'refund-rate',
  'refunds-on-both-bases',
  'unpaid-by-age',
  'time-to-payment',
  'expired-unpaid',
  'perhaps-paid-twice',
  'history-of-a-merchant',
  'counts-per-day',
  'unbalanced-days',
  'merchants-without-a-page',
  'late-changes',
  'late-changes-by-record',
  'mail-not-delivered',
  'statements-against-days',
];

/** Its first line is a comment with the description, and it ends with a semicolon, which Athena does not take. */
function readQuery(name: string): NamedQuery {
  const text = readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8');
  const [, description = '', sql = ''] = /^-- ([^\n]+)\n(.+);\n$/s.exec(text) ?? [];
  return { name, description, sql };
}

export const NAMED_QUERIES: readonly NamedQuery[] = NAMES.map(readQuery);

/** What a group's copy has of them. It has no ledgers, no older revisions, no registry and no statements. */
const IN_A_GROUP: Readonly<Record<string, string>> = {
  all_invoices: 'invoices',
  all_refunds: 'refunds',
  all_days: 'days',
  [PAYMENTS.name]: "(SELECT * FROM invoices WHERE state = 'paid') AS payments",
};

export const GROUP_QUERIES: readonly NamedQuery[] = NAMED_QUERIES.filter(
  ({ sql }) => !/(?:FROM|JOIN) (?:days|latest_|mail_|merchants|all_invoices_with)/.test(sql),
).map((query) => ({
  ...query,
  sql: query.sql.replaceAll(
    /(FROM|JOIN) (\w+)/g,
    (_, word: string, name: string) => `${word} ${IN_A_GROUP[name] ?? name}`,
  ),
}));
