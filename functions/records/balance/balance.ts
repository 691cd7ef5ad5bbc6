import { comparedAs, type Comparison, type FoundDifference } from './comparisons.ts';
import type { Counts, Difference, InvoiceState } from '../figures/figure-schemas.ts';
import type { Table } from '../revision/manifest.ts';
import { TABLES } from '../revision/manifest.ts';
import type { Misplaced } from './misplaced-invoices.ts';
import type { NameTally } from '../rows/drift-tallies.ts';
import { LARGEST_COUNT_OF_DAY } from '../money/money.ts';

export interface TypeReading extends Pick<StatedType, 'stats'> {
  invoiceType: string;
  /** `null`: the service does not say. */
  paginationTotal: number | null;
  rows: number;
}

/** `null`: the service did not say. */
export interface RefundListReading {
  statedCount: number | null;
  statedAmount: string | null;
  listed: number;
  /** Decimal string, `null` when the list has no amounts. */
  listedAmount: string | null;
}

export interface BalanceInput {
  types: readonly TypeReading[];
  uniqueInvoices: number;
  rowCounts: Record<InvoiceState, number> | null;
  misplaced: Misplaced;
  refundList: RefundListReading | null;
  missingRefundIds: readonly string[];
  unstable: boolean;
  repeatedFields: Readonly<Record<Table, NameTally>>;
  ignore: readonly string[];
}

export interface Balance {
  counts: Counts;
  differences: FoundDifference[];
  notCompared: FoundDifference[];
}

const STATS = [
  ['total', 'statsTotal', 'stats.total_invoice_count'],
  ['paid', 'statsPaid', 'stats.invoice_paid'],
  ['notPaid', 'statsNotPaid', 'stats.invoice_not_paid'],
  ['cancelled', 'statsCancelled', 'stats.invoice_cancelled'],
] as const;

function difference(
  name: Comparison,
  what: string,
  service: Difference['service'],
  rows: Difference['rows'],
): FoundDifference {
  return { name, what, service, rows };
}

function* pageDifferences({ types, uniqueInvoices, unstable }: BalanceInput) {
  for (const { invoiceType, paginationTotal, rows } of types) {
    if (rows === paginationTotal) continue;
    yield difference(
      'paginationTotal',
      `pagination.total of invoiceType ${invoiceType}`,
      paginationTotal,
      rows,
    );
  }
  const pulled = types.reduce((total, type) => total + type.rows, 0);
  if (pulled !== uniqueInvoices)
    yield difference('uniqueInvoiceIds', 'unique invoice ids', pulled, uniqueInvoices);
  if (unstable)
    yield difference('stablePages', 'pages while they were read', 'kept changing', 'read three times');
}

function* placeDifferences({ misplaced: { otherTypes, otherDay }, uniqueInvoices }: BalanceInput) {
  for (const { invoiceType, rows, count, ids } of otherTypes) {
    const what = `invoice_type of invoiceType ${invoiceType}`;
    yield { ...difference('invoiceType', what, rows, rows - count), ids };
  }
  const { count, ids } = otherDay;
  if (count > 0) {
    const ofDay = uniqueInvoices - count;
    yield { ...difference('invoiceDay', 'day of the invoices', uniqueInvoices, ofDay), ids };
  }
}

function* countDifferences({ uniqueInvoices, rowCounts }: BalanceInput, counts: Counts) {
  for (const [state, name, what] of STATS) {
    const rows = state === 'total' ? uniqueInvoices : (rowCounts?.[state] ?? null);
    const service = counts[state];
    if (service === null || (rows !== null && rows !== service)) yield difference(name, what, service, rows);
  }
  const { other } = counts;
  const rows = rowCounts?.other ?? null;
  if (other !== null && (other < 0 || (rows !== null && rows !== other)))
    yield difference('statsOther', 'invoices in no state of stats', other, rows);
}

function* refundDifferences({ refundList: list, missingRefundIds }: BalanceInput) {
  if (list !== null) {
    const { statedCount, listed, statedAmount, listedAmount } = list;
    if (statedCount !== null && statedCount !== listed)
      yield difference('refundListCount', 'refund list, count', statedCount, listed);
    if (statedAmount !== null && listedAmount !== null && statedAmount !== listedAmount)
      yield difference('refundListAmount', 'refund list, amount', statedAmount, listedAmount);
  }
  for (const id of missingRefundIds) yield difference('knownRefunds', `refund ${id}`, 'not found', null);
}

/**
 * A field that appeared twice: one value is lost, and it is not known which is right. The rows have the last
 * one, as with every JSON reader, and the day does not count as balanced.
 */
function* repeatedFieldDifferences({ repeatedFields }: BalanceInput) {
  for (const table of TABLES) {
    const { others } = repeatedFields[table];
    const fields = Object.entries(repeatedFields[table].counts());
    if (others > 0) fields.push(['further fields', others]);
    for (const [field, times] of fields)
      yield difference('repeatedFields', `${table} with ${field} twice`, times, 'the last value of each');
  }
}

/**
 * Compares rows, unique ids, `pagination.total` and `stats` (docs/contract.md, 2.2 Invoice list response),
 * and each row's type and day with the request. Balanced is a day without a difference and with every count
 * known. An unknown count stays unknown, ignored or not.
 */
export function balance(input: BalanceInput): Balance {
  // What a type has is what came for it, where the service does not say.
  const stated = input.types.map(({ paginationTotal, rows, stats }) => ({
    paginationTotal: paginationTotal ?? rows,
    stats,
  }));
  const counts = serviceCounts(stated, input.uniqueInvoices);
  const found: FoundDifference[] = [
    ...pageDifferences(input),
    ...placeDifferences(input),
    ...countDifferences(input, counts),
    ...refundDifferences(input),
    ...repeatedFieldDifferences(input),
  ];
  return { counts, ...comparedAs(found, input.ignore) };
}

/** Names and ids are not compared: manifests of earlier versions lack them. */
export function sameDifferences(one: readonly Difference[], other: readonly Difference[]): boolean {
  const said = (differences: readonly Difference[]) =>
    JSON.stringify(differences.map(({ what, service, rows }) => [what, service, rows]));
  return said(one) === said(other);
}

/** `stats` of an invoice list (docs/contract.md, 2.2 Invoice list response). */
export type ServiceStats = Omit<Counts, 'other'>;

export interface StatedType {
  paginationTotal: number;
  stats: ServiceStats;
}

/** `null` for a count that no day can have. */
function credible(count: number | null): number | null {
  return count === null || Math.abs(count) > LARGEST_COUNT_OF_DAY ? null : count;
}

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
}

function distance(types: readonly StatedType[], expected: (type: StatedType) => number): number {
  return types.reduce(
    (total, type) =>
      type.stats.total === null ? total : total + Math.abs(type.stats.total - expected(type)),
    0,
  );
}

function common(values: readonly (number | null)[]): number | null {
  const [first = null, ...others] = values;
  return others.every((value) => value === first) ? first : null;
}

function joining(
  types: readonly StatedType[],
  invoices: number,
): (values: readonly (number | null)[]) => number | null {
  const ofAll = distance(types, () => invoices);
  const ofOwn = distance(types, (type) => type.paginationTotal);
  if (ofAll !== ofOwn) return ofAll < ofOwn ? common : sum;
  const isAmbiguous = types.length > 1 && types.some((type) => type.stats.total === null);
  // Both meanings are possible when the service gave the same invoices for every type.
  return isAmbiguous ? () => null : common;
}

/**
 * The service's counts (docs/contract.md, 2.2 Invoice list response), and the number of invoices in no state of
 * `stats`. `stats` may cover one type or all: nearer to the total of all, they count once, else they are added
 * up. With too little to decide, nothing is known.
 * @param invoices of all types together
 */
export function serviceCounts(types: readonly StatedType[], invoices: number): Counts {
  const join = joining(types, invoices);
  const joined = (name: keyof ServiceStats) => credible(join(types.map((type) => type.stats[name])));
  const [total, paid] = [joined('total'), joined('paid')];
  const [notPaid, cancelled] = [joined('notPaid'), joined('cancelled')];
  const named = sum([paid, notPaid, cancelled]);
  const other = total === null || named === null ? null : credible(total - named);
  return { total, paid, notPaid, cancelled, other };
}
