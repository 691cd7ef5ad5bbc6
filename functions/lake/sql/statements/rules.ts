import { DAYS_HISTORY, INVOICES_HISTORY, REFUNDS_HISTORY } from '../history-tables.ts';
import type { HistoryTable } from '../history-tables.ts';

/** What must hold of the history (docs/lake-contract.odcs.json, `quality`). */
export interface QualityRule {
  /** Small letters and `-`. */
  name: string;
  table: HistoryTable;
  /** A dimension of the Open Data Contract Standard. */
  dimension: 'completeness' | 'accuracy' | 'uniqueness' | 'timeliness';
  description: string;
  /** SQL for "this page `p` breaks it". */
  isBroken: string;
}

/**
 * The newest days of which the rules are checked. It is the least of `retention.dataDays`: every page in it has its rows.
 */
const DAYS = 14;
/** The merge of the morning brings yesterday; a merchant's day may end up to a day after UTC's. */
const MOST_DAYS_OLD = 3;

const SINCE = `business_date >= current_date - INTERVAL '${DAYS}' DAY`;
const STATES = ['paid', 'not_paid', 'cancelled', 'other'] as const;

function total(name: string, condition: string): string {
  return `coalesce(sum(amount) FILTER (WHERE ${condition}), 0) AS ${name}`;
}

/** SQL for what the rows of each page are. Rows of a page have one revision, or the merge of the page is under way. */
function rowsOf(table: HistoryTable, totals: readonly string[]): string {
  return `(
  SELECT
    business_date, merchant_code, min(revision) AS oldest, max(revision) AS revision,
    count(*) AS "rows", count(DISTINCT id) AS ids, count(state) AS states,
    ${totals.join(',\n    ')}
  FROM ${table.name}
  WHERE ${SINCE}
  GROUP BY business_date, merchant_code
)`;
}

const ON = (alias: string) =>
  `${alias}.business_date = d.business_date AND ${alias}.merchant_code = d.merchant_code`;

/** SQL for the pages of {@link DAYS} days with what their rows are. It reads each table once. */
const PAGES = `(
SELECT
  d.*,
  count(*) OVER (PARTITION BY d.business_date, d.merchant_code) AS same_pages,
  max(d.business_date) OVER () AS newest,
  coalesce(i."rows", 0) AS rows_of_invoices, coalesce(i.ids, 0) AS ids_of_invoices, i.states AS states_of_invoices,
  i.oldest AS oldest_of_invoices, i.revision AS revision_of_invoices,
  ${STATES.map((state) => `coalesce(i.total_${state}, 0) AS total_${state}`).join(', ')},
  coalesce(f."rows", 0) AS rows_of_refunds, coalesce(f.ids, 0) AS ids_of_refunds,
  f.oldest AS oldest_of_refunds, f.revision AS revision_of_refunds, coalesce(f.total, 0) AS total_of_refunds
FROM ${DAYS_HISTORY.name} AS d
LEFT JOIN ${rowsOf(
  INVOICES_HISTORY,
  STATES.map((state) => total(`total_${state}`, `state = '${state}'`)),
)} AS i ON ${ON('i')}
LEFT JOIN ${rowsOf(REFUNDS_HISTORY, [total('total', 'refund_at = business_date')])} AS f ON ${ON('f')}
WHERE d.${SINCE}
)`;

/** SQL for "the rows are of the revision of the figures". Newer rows wait for the next merge. */
function isMerged(rows: string): string {
  return `coalesce(p.revision_of_${rows}, p.revision) = p.revision`;
}

function countRule(table: HistoryTable, rows: 'invoices' | 'refunds', stated: string): QualityRule {
  return {
    name: `rows-of-${rows}`,
    table,
    dimension: 'completeness',
    description: `A page has as many rows as its manifest names, all of one revision.`,
    isBroken: `p.oldest_of_${rows} < p.revision_of_${rows} OR ${isMerged(rows)} AND p.rows_of_${rows} <> p.${stated}`,
  };
}

function keyRule(table: HistoryTable, rows: 'invoices' | 'refunds'): QualityRule {
  return {
    name: `keys-of-${rows}`,
    table,
    dimension: 'uniqueness',
    description: 'No page has two rows with the same `id`.',
    isBroken: `p.ids_of_${rows} <> p.rows_of_${rows}`,
  };
}

const DIFFERS = STATES.map((state) => `p.total_${state} <> p.${state}_amount`).join(' OR ');

export const QUALITY_RULES: readonly QualityRule[] = [
  countRule(INVOICES_HISTORY, 'invoices', 'invoice_rows'),
  keyRule(INVOICES_HISTORY, 'invoices'),
  {
    name: 'sums-of-invoices',
    table: INVOICES_HISTORY,
    dimension: 'accuracy',
    description: 'The amounts of the rows by `state` are those of their day.',
    isBroken: `p.words_from = 'page' AND ${isMerged('invoices')} AND p.states_of_invoices = p.rows_of_invoices AND (${DIFFERS})`,
  },
  countRule(REFUNDS_HISTORY, 'refunds', 'refund_rows'),
  keyRule(REFUNDS_HISTORY, 'refunds'),
  {
    name: 'sums-of-refunds',
    table: REFUNDS_HISTORY,
    dimension: 'accuracy',
    description: 'The amounts of the rows are the `refund_amount` of their day.',
    isBroken: `${isMerged('refunds')} AND p.total_of_refunds <> p.refund_amount`,
  },
  {
    name: 'keys-of-days',
    table: DAYS_HISTORY,
    dimension: 'uniqueness',
    description: 'A merchant has one row for a day.',
    isBroken: 'p.same_pages > 1',
  },
  {
    name: 'newest-day',
    table: DAYS_HISTORY,
    dimension: 'timeliness',
    description: `The newest day is at most ${MOST_DAYS_OLD} days old.`,
    isBroken: `p.newest < current_date - INTERVAL '${MOST_DAYS_OLD}' DAY`,
  },
];

/** The query of one rule: how many pages of the newest days break it. */
export function ruleQuery({ isBroken }: QualityRule): string {
  return `SELECT count_if(${isBroken}) AS broken FROM ${PAGES} AS p`;
}

/**
 * All rules at once. One row with one column `rules`: JSON text, by the name of each rule that is broken the number of pages that break it and
 * the first of them, such as `{"rows-of-invoices":{"broken":"2","first":"2026-11-20 700001"}}`.
 */
export function checkRules(): string {
  const found = QUALITY_RULES.map(
    ({ name, isBroken }) =>
      `ROW('${name}', count_if(${isBroken}), min(IF(${isBroken}, p.day || ' ' || p.merchant_code)))`,
  );
  return `SELECT coalesce(json_format(CAST(map_agg(c.name, MAP(ARRAY['broken', 'first'], ARRAY[CAST(c.broken AS varchar), c.first_page])) AS json)), '{}') AS rules
FROM (
  SELECT ARRAY[
    ${found.join(',\n    ')}
  ] AS checked
  FROM ${PAGES} AS p
)
CROSS JOIN UNNEST(checked) AS c (name, broken, first_page)
WHERE c.broken > 0`;
}
