import { balance, type TypeReading } from '#records/balance/balance.ts';
import { dayAt, type Day } from '#records/day/business-day.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import type { Difference, Figures } from '#records/figures/figure-schemas.ts';
import { OutcomeTally, type EarlierOutcomes, type PageOutcomes } from '#records/figures/outcome-tally.ts';
import type { Followed, Outcomes, Received } from '#records/figures/invoice-outcomes.ts';
import { PENDING } from '#records/figures/day-net.ts';
import { InvoiceStateTotals, statusName } from '#records/figures/invoice-state-totals.ts';
import { FewRefundIds, MOST_REFUND_IDS } from '#records/revision/check-record.ts';
import type { Drift, Table } from '#records/revision/manifest.ts';
import { integerText, type Integer, type Members } from '#records/json/exact-json.ts';
import type { Invoice } from '#records/rows/contract-records.ts';
import { BoundedNames, MisfitTally, type NameTally } from '#records/rows/drift-tallies.ts';
import { revisionDigest, RowDigest } from '#records/rows/row-digest.ts';
import { isField, csvColumns, SHAPES } from '#records/rows/contract-columns.ts';
import { MisplacedInvoices, type Misplaced } from '#records/balance/misplaced-invoices.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { PaymentsClient } from '#service/client.ts';
import { readDayInvoices } from '#service/invoices/day-invoices.ts';
import type { Spool, SpoolWriter } from './spool.ts';
import { newRunId, type Clock } from '#runtime/clock.ts';
import type { SpooledFile } from '#page/day-store.ts';
import { readDayRefunds } from '#service/refunds/day-refunds.ts';
import { csvFormatRow } from 'd3-dsv';
import { redacted, redactedColumns } from '#records/rows/redaction.ts';
import { RowLines, beginningsOf, type Beginnings, type RowOrigin } from '#records/rows/row-lines.ts';
import { RenamedMembersError } from '#records/rows/written-names.ts';
import { ContractError } from '#service/errors.ts';

/** One table of a pull on its way to the disk: both formats, digest, and members that the contract does not have. */
export class TableSpool {
  readonly digest = new RowDigest();
  /** For each member that the contract does not have: the service's name and the name under which it is written. */
  readonly unknownNames = new BoundedNames();
  /** Members whose values are not as the contract shows them. */
  readonly misfits = new MisfitTally();
  readonly #table: Table;
  readonly #redactedColumns: ReadonlySet<string>;
  readonly #lines: RowLines;
  readonly #json: SpoolWriter;
  readonly #csv: SpoolWriter;

  /** @param redact names of columns in the registry whose values are left out */
  constructor(table: Table, spool: Spool, redact: readonly string[]) {
    this.#table = table;
    this.#lines = new RowLines(table, this.unknownNames);
    this.#redactedColumns = redactedColumns(redact);
    this.#json = spool.writer(table, 'json');
    this.#csv = spool.writer(table, 'csv');
    this.#csv.addHeader(csvFormatRow(csvColumns(table)));
  }

  /**
   * Adds records that have what the table needs, in the order given.
   * @param take gets each record, redacted and as it was sent
   * @throws {ContractError} when a record has too many names that differ by case only
   */
  async add<Row extends Members & { id: Integer }>(
    records: readonly Row[],
    origin: RowOrigin,
    take: (row: Members, record: Row) => void = () => undefined,
  ): Promise<void> {
    const beginnings = beginningsOf(origin);
    for (const record of records) {
      const kept = redacted(record, this.#redactedColumns);
      const { json, csv, isAsShown } = this.#linesOf(kept, beginnings);
      // What is left out is null in `kept`, which may fit where the value did not.
      if (!isAsShown || kept !== record) this.misfits.add(record, SHAPES[this.#table], record.id);
      this.digest.add(json);
      this.#json.addRow(json);
      this.#csv.addRow(csv);
      take(kept, record);
    }
    await Promise.all([this.#json.room(), this.#csv.room()]);
  }

  #linesOf(record: Members, beginnings: Beginnings) {
    try {
      return this.#lines.of(record, beginnings);
    } catch (error) {
      if (!(error instanceof RenamedMembersError)) throw error;
      throw new ContractError({ operation: this.#table }, 'response', error.message);
    }
  }

  /** Finishes the JSON file and the CSV file. An empty table has both; its CSV has the header line only. */
  async finish(): Promise<SpooledFile[]> {
    return Promise.all([this.#json.finish(), this.#csv.finish()]);
  }
}

/** One merchant's day as the service had it, on the local disk. */
export interface Pull {
  /** Time and random part, such as `20261121T030005Z-9f2c61aa`. Ids sort by time. */
  id: string;
  /** When the last row was read. ISO 8601, UTC. */
  pulledAt: string;
  /** When the pull began, if the day was not over by then (ISO 8601, UTC). `null` for a whole day. */
  soFarUntil: string | null;
  /** The service's own id of the merchant, `null` when no record has shown it yet. */
  merchantId: string | null;
  figures: Figures;
  /** By type, payment method and charge. It makes no revision, because only the rows decide it. */
  breakdown: Breakdown;
  /** `null` when the registry names no states. */
  outcomes: Outcomes | null;
  followed: Followed;
  differences: Difference[];
  /** Differences in comparisons that the registry leaves out of the balance. */
  notCompared: Difference[];
  missingRefundIds: string[];
  /** Ids of the refunds, `null` when they are too many. */
  refundIds: string[] | null;
  digest: string;
  drift: Drift;
  files: SpooledFile[];
  rows: { invoices: number; refunds: number };
  /** Whether the service changed while it was read, or another pull may agree. */
  unsettled: boolean;
}

/** A second list of what came in on a day, against which the day is held. */
export interface Witness {
  /** @param invoice of the day, as it was sent */
  see(invoice: Invoice): void;
  /** The pull with what does not agree. @param received `null` where unknown @param others the merchant's other days */
  heard(pull: Pull, received: Received | null, others: readonly PageOutcomes[]): Pull;
}

interface PullRequest {
  settings: PageSettings;
  day: Day;
  knownRefundIds: readonly string[];
  /** Of the newest revision; `undefined` for the first. */
  earlier?: EarlierOutcomes | undefined;
  absentTypes?: readonly string[] | undefined;
  /** The transaction list, where there is one. */
  witness?: Witness | undefined;
  /** Whether no further pull follows. Then a change during the pull counts as a difference. */
  last: boolean;
}

function driftOf(
  { invoices, refunds }: Record<Table, TableSpool>,
  repeated: Record<Table, NameTally>,
  states: InvoiceStateTotals | null,
  totals: RefundDayTotals,
  misplaced: Misplaced,
  around: Record<Table, MisfitTally>,
): Drift {
  const notListed = (table: Table, spool: TableSpool) =>
    spool.unknownNames.others + repeated[table].others + spool.misfits.others + around[table].others;
  const names = (spool: TableSpool, table: Table) =>
    [...spool.unknownNames.keys()].filter((name) => !isField(table, name)).sort();
  // Only names as written, never the service's own: query engines cannot read a manifest with names that
  // differ by case only.
  const renamed = (spool: TableSpool) => {
    const changed = [...spool.unknownNames].filter(([name, written]) => name !== written).sort();
    const byColumn = Map.groupBy(changed, ([, written]) => written.toLowerCase());
    const entries = [...byColumn].map(([column, names]) => [column, names.map(([name]) => name)] as const);
    return Object.fromEntries(entries);
  };
  return {
    unknownFields: { invoices: names(invoices, 'invoices'), refunds: names(refunds, 'refunds') },
    renamedFields: { invoices: renamed(invoices), refunds: renamed(refunds) },
    unknownInvoiceStatuses: states?.unknownStatuses.counts() ?? {},
    unknownRefundStatuses: totals.unknownStatuses.counts(),
    repeatedFields: { invoices: repeated.invoices.counts(), refunds: repeated.refunds.counts() },
    misfits: {
      invoices: invoices.misfits.list(),
      refunds: refunds.misfits.list(),
      invoiceList: around.invoices.list(),
      refundList: around.refunds.list(),
    },
    notListed: {
      invoices: notListed('invoices', invoices),
      refunds: notListed('refunds', refunds),
      invoiceStatuses: states?.unknownStatuses.others ?? 0,
      refundStatuses: totals.unknownStatuses.others,
    },
    otherDays: misplaced.perhapsOtherDay,
    refundsWithoutDay: totals.withoutDay,
  };
}

/**
 * Whether another pull may agree. An unknown refund stays unknown. The same holds for counts that the service
 * never states. If it states some counts, the missing ones are those in which its answers disagreed.
 */
function mayAgreeLater({ service }: Difference, types: readonly TypeReading[]): boolean {
  const statesCounts = types.some(({ stats }) =>
    [stats.paid, stats.notPaid, stats.cancelled].some((count) => count !== null),
  );
  return service === null ? statesCounts : service !== 'not found';
}

function statedIn(types: readonly TypeReading[]): Followed['stated'] {
  return Object.fromEntries(
    types.map(({ invoiceType, paginationTotal: listed, stats }) => [invoiceType, { listed, ...stats }]),
  );
}

/**
 * Reads a merchant's whole day, and compares the rows with the service's own counts (docs/contract.md, 2.2
 * Invoice list response).
 * @param spool an empty one; its files become the pull's
 */
export async function pullDay(
  client: PaymentsClient,
  spool: Spool,
  clock: Clock,
  request: PullRequest,
): Promise<Pull> {
  const { settings, day } = request;
  const origin = { merchantCode: settings.merchantCode, day };
  const began = clock.now();
  const id = newRunId(began);
  const invoices = new TableSpool('invoices', spool, settings.redact);
  const refunds = new TableSpool('refunds', spool, settings.redact);
  const states =
    settings.invoiceStatuses === undefined ? null : new InvoiceStateTotals(settings.invoiceStatuses);
  const breakdown = new BreakdownTally(settings);
  const outcomes = new OutcomeTally(day, began, settings, request.earlier);
  const totals = new RefundDayTotals(day, settings.refunds.statuses);
  const misplacedInvoices = new MisplacedInvoices(day);
  const take = async (fresh: readonly Invoice[], queryType: string) => {
    for (const invoice of fresh) {
      states?.add(invoice);
      request.witness?.see(invoice);
    }
    misplacedInvoices.add(fresh, queryType);
    await invoices.add(fresh, { ...origin, queryType }, (row, invoice) => {
      breakdown.add(queryType, invoice, row);
      outcomes.add(queryType, invoice, row);
    });
  };
  const readInvoices = await readDayInvoices(client, day, settings.invoiceTypes, take, request.absentTypes);
  const refundIds = new FewRefundIds();
  const pendingRefunds: string[] = [];
  const { source } = settings.refunds;
  const readRefunds = await readDayRefunds(client, day, source, request.knownRefundIds, async (refund) => {
    totals.add(refund);
    const id = integerText(refund.id);
    refundIds.add(id);
    const isPending = statusName(settings.refunds.statuses, refund.status) === PENDING;
    if (isPending && pendingRefunds.length < MOST_REFUND_IDS) pendingRefunds.push(id);
    // One at a time: each of a hundred refunds may be as large as an answer can be.
    await refunds.add([refund], { ...origin, queryType: null });
  });
  const pulledAt = new Date(clock.now()).toISOString();
  const misplaced = misplacedInvoices.found();
  const repeated = { invoices: readInvoices.repeatedFields, refunds: readRefunds.repeatedFields };
  const { counts, differences, notCompared } = balance({
    types: readInvoices.types,
    uniqueInvoices: readInvoices.uniqueInvoices,
    rowCounts: states?.counts() ?? null,
    misplaced,
    refundList: readRefunds.list,
    missingRefundIds: readRefunds.missingIds,
    unstable: request.last && readInvoices.moved,
    repeatedFields: repeated,
    ignore: settings.balance.ignore,
  });
  const files = [...(await invoices.finish()), ...(await refunds.finish())];
  const rowsOf = (table: string) => files.find((file) => file.table === table)?.rows ?? 0;
  return {
    id,
    pulledAt,
    soFarUntil: dayAt(began, settings.timeZone) > day ? null : new Date(began).toISOString(),
    merchantId: client.identity.id,
    figures: {
      counts,
      amounts: states?.amounts() ?? null,
      refunds: totals.figures(),
      balanced: differences.length === 0,
    },
    breakdown: breakdown.breakdown(),
    outcomes: outcomes.outcomes(),
    followed: { stated: statedIn(readInvoices.types), pendingRefunds },
    differences,
    notCompared,
    missingRefundIds: readRefunds.missingIds,
    refundIds: refundIds.ids(),
    digest: revisionDigest([invoices.digest, refunds.digest]),
    drift: driftOf({ invoices, refunds }, repeated, states, totals, misplaced, {
      invoices: readInvoices.misfits,
      refunds: readRefunds.misfits,
    }),
    files,
    rows: { invoices: rowsOf('invoices'), refunds: rowsOf('refunds') },
    // A comparison that is left out of the check is no reason to pull again.
    unsettled:
      readInvoices.moved || differences.some((difference) => mayAgreeLater(difference, readInvoices.types)),
  };
}
