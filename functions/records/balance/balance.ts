import type { FoundDifference } from './comparisons.ts';
import type { Counts, Difference, InvoiceState } from '../figures/figures.ts';
import type { Table } from '../revision/manifest.ts';
import { TABLES } from '../revision/manifest.ts';
import type { Misplaced } from './misplaced-invoices.ts';
import type { NameTally } from '../rows/name-tally.ts';
import { serviceCounts } from './service-stats.ts';
import type { StatedType } from './service-stats.ts';

/**
 * A field that appeared twice: one value is lost, and it is not known which is right. The rows have the last
 * one, as with every JSON reader, and the day does not count as balanced.
 */
function repeatedFieldDifferences(repeated: Readonly<Record<Table, NameTally>>): FoundDifference[] {
  return TABLES.flatMap((table) => {
    const { others } = repeated[table];
    const fields = Object.entries(repeated[table].counts());
    const all = others === 0 ? fields : [...fields, ['further fields', others] as const];
    return all.map(([field, times]) => ({
      name: 'repeatedFields',
      what: `${table} with ${field} twice`,
      service: times,
      rows: 'the last value of each',
    }));
  });
}

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
  /** Whether the pages moved in every pull. */
  unstable: boolean;
  repeatedFields: Readonly<Record<Table, NameTally>>;
  /** Names from `balance.ignore`. An unknown one has no effect. */
  ignore: readonly string[];
}

export interface Balance {
  counts: Counts;
  differences: FoundDifference[];
  notCompared: FoundDifference[];
}

const STATS = ['total', 'paid', 'notPaid', 'cancelled'] as const;
const STATS_MEMBERS = {
  total: { name: 'statsTotal', what: 'stats.total_invoice_count' },
  paid: { name: 'statsPaid', what: 'stats.invoice_paid' },
  notPaid: { name: 'statsNotPaid', what: 'stats.invoice_not_paid' },
  cancelled: { name: 'statsCancelled', what: 'stats.invoice_cancelled' },
} as const;

function pageDifferences(input: BalanceInput): FoundDifference[] {
  const differences: FoundDifference[] = input.types
    .filter((type) => type.rows !== type.paginationTotal)
    .map((type) => ({
      name: 'paginationTotal',
      what: `pagination.total of invoiceType ${type.invoiceType}`,
      service: type.paginationTotal,
      rows: type.rows,
    }));
  const pulled = input.types.reduce((total, type) => total + type.rows, 0);
  if (pulled !== input.uniqueInvoices) {
    differences.push({
      name: 'uniqueInvoiceIds',
      what: 'unique invoice ids',
      service: pulled,
      rows: input.uniqueInvoices,
    });
  }
  if (input.unstable) {
    differences.push({
      name: 'stablePages',
      what: 'pages while they were read',
      service: 'kept changing',
      rows: 'read three times',
    });
  }
  return differences;
}

function placeDifferences({ misplaced, uniqueInvoices }: BalanceInput): FoundDifference[] {
  const { otherTypes, otherDay } = misplaced;
  const differences: FoundDifference[] = otherTypes.map(({ invoiceType, rows, count, ids }) => ({
    name: 'invoiceType',
    what: `invoice_type of invoiceType ${invoiceType}`,
    service: rows,
    rows: rows - count,
    ids,
  }));
  if (otherDay.count > 0) {
    differences.push({
      name: 'invoiceDay',
      what: 'day of the invoices',
      service: uniqueInvoices,
      rows: uniqueInvoices - otherDay.count,
      ids: otherDay.ids,
    });
  }
  return differences;
}

function countDifferences(input: BalanceInput, counts: Counts): FoundDifference[] {
  const { uniqueInvoices, rowCounts } = input;
  const differences: FoundDifference[] = [];
  for (const name of STATS) {
    const rows = name === 'total' ? uniqueInvoices : (rowCounts?.[name] ?? null);
    const service = counts[name];
    if (service === null || (rows !== null && rows !== service)) {
      differences.push({ ...STATS_MEMBERS[name], service, rows });
    }
  }
  if (
    counts.other !== null &&
    (counts.other < 0 || (rowCounts !== null && rowCounts.other !== counts.other))
  ) {
    differences.push({
      name: 'statsOther',
      what: 'invoices in no state of stats',
      service: counts.other,
      rows: rowCounts?.other ?? null,
    });
  }
  return differences;
}

function refundDifferences(input: BalanceInput): FoundDifference[] {
  const differences: FoundDifference[] = [];
  const list = input.refundList;
  if (list !== null && list.statedCount !== null && list.statedCount !== list.listed) {
    differences.push({
      name: 'refundListCount',
      what: 'refund list, count',
      service: list.statedCount,
      rows: list.listed,
    });
  }
  if (
    list !== null &&
    list.statedAmount !== null &&
    list.listedAmount !== null &&
    list.statedAmount !== list.listedAmount
  ) {
    differences.push({
      name: 'refundListAmount',
      what: 'refund list, amount',
      service: list.statedAmount,
      rows: list.listedAmount,
    });
  }
  for (const id of input.missingRefundIds) {
    differences.push({ name: 'knownRefunds', what: `refund ${id}`, service: 'not found', rows: null });
  }
  return differences;
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
  const found = [
    ...pageDifferences(input),
    ...placeDifferences(input),
    ...countDifferences(input, counts),
    ...refundDifferences(input),
    ...repeatedFieldDifferences(input.repeatedFields),
  ];
  const ignored = new Set(input.ignore);
  return {
    counts,
    differences: found.filter(({ name }) => !ignored.has(name)),
    notCompared: found.filter(({ name }) => ignored.has(name)),
  };
}

/** Names and ids are not compared: manifests of earlier versions lack them. */
export function sameDifferences(one: readonly Difference[], other: readonly Difference[]): boolean {
  const said = (differences: readonly Difference[]) =>
    JSON.stringify(differences.map(({ what, service, rows }) => [what, service, rows]));
  return said(one) === said(other);
}
