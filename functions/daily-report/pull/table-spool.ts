import { csvFormatRow } from 'd3-dsv';
import type { Integer, Members } from '#domain/json/exact-json.ts';
import type { Table } from '#domain/revision/manifest.ts';
import { canonicalRecord } from '#domain/records/canonical-record.ts';
import { MisfitTally } from '#domain/records/misfits.ts';
import { BoundedNames } from '#domain/records/name-tally.ts';
import { RenamedMembersError } from '#domain/records/names-of-record.ts';
import { redacted, redactedColumns } from '#domain/records/redaction.ts';
import { RowDigest } from '#domain/records/row-digest.ts';
import { RowLines } from '#domain/records/row-lines.ts';
import type { RowOrigin } from '#domain/records/row-lines.ts';
import { csvColumns, SHAPES } from '#domain/records/row-shape.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { ContractError } from '#payments/errors.ts';
import type { Spool } from './spool.ts';
import type { SpoolWriter } from './spool-writer.ts';
import type { SpooledFile } from '#snapshots/spooled-file.ts';

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
  readonly #json: SpoolWriter;
  readonly #csv: SpoolWriter;

  /** @param redact names of columns in the registry whose values are left out */
  constructor(table: Table, spool: Spool, redact: readonly string[]) {
    this.#table = table;
    this.#redactedColumns = redactedColumns(redact);
    this.#json = spool.writer(table, 'json');
    this.#csv = spool.writer(table, 'csv');
    this.#csv.addHeader(csvFormatRow(csvColumns(table)));
  }

  /**
   * Adds records that have what the table needs, in the order given.
   *
   * @param take gets each row as it is sealed, redacted and without Daybook's own members, and the record of it
   * @throws {ContractError} when a record has too many names that differ by case only
   */
  async add<Row extends Members & { id: Integer }>(
    records: readonly (Row | TranscodedInvoice)[],
    origin: RowOrigin,
    take: (row: Members, record: Row | TranscodedInvoice) => void = () => undefined,
  ): Promise<void> {
    const lines = new RowLines(this.#table, origin);
    for (const record of records) {
      if (record instanceof TranscodedInvoice) {
        this.digest.add(this.#json.addLine(record.lines.of('json').bytes, record.json));
        this.#csv.addLine(record.lines.of('csv').bytes, record.csv);
        take(record.row, record);
        continue;
      }
      this.misfits.add(record, SHAPES[this.#table], record.id);
      const kept = redacted(record, this.#redactedColumns);
      const row = this.#canonical(kept);
      this.digest.add(this.#json.addRow(...lines.json(row)));
      this.#csv.addRow(lines.csv(row, kept));
      take(row, record);
    }
    await Promise.all([this.#json.room(), this.#csv.room()]);
  }

  #canonical(record: Members): Members {
    try {
      return canonicalRecord(this.#table, record, this.unknownNames);
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
