import { csvFormatRow } from 'd3-dsv';
import type { Integer, Members } from '#records/json/exact-json.ts';
import type { Table } from '#records/revision/manifest.ts';
import { MisfitTally } from '#records/rows/misfits.ts';
import { BoundedNames } from '#records/rows/name-tally.ts';
import { redacted, redactedColumns } from '#records/rows/redaction.ts';
import { RowDigest } from '#records/rows/row-digest.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import type { Beginnings, RowOrigin } from '#records/rows/row-lines.ts';
import { csvColumns, SHAPES } from '#records/rows/row-shape.ts';
import { RenamedMembersError } from '#records/rows/written-names.ts';
import { ContractError } from '#service/errors.ts';
import type { Spool, SpoolWriter } from './spool.ts';
import type { SpooledFile } from '#page/snapshot-store.ts';

/**
 * One table of a pull on its way to the disk: both formats, the digest, and the members that the contract
 * does not have.
 */
export class TableSpool {
  readonly digest = new RowDigest();
  /**
   * For each member that the contract does not have: the service's name and the name under which it is
   * written.
   */
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
   *
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
