import { csvFormatRows } from 'd3-dsv';
import type { Table } from '../shared/core/manifest.ts';
import { canonicalRow, csvCells } from '../shared/core/records/canonical-row.ts';
import type { RowOrigin } from '../shared/core/records/canonical-row.ts';
import { redacted, redactedColumns } from '../shared/core/records/redaction.ts';
import { RowDigest } from '../shared/core/records/row-digest.ts';
import { csvColumns } from '../shared/core/records/row-shape.ts';
import type { Spool, SpoolWriter } from '../shared/adapters/spool.ts';
import type { SpooledFile } from '../shared/ports.ts';

/** Characters of JSON that are worth a write. */
const ENOUGH = 256 * 1024;

/** One table of a pull on its way to the disk: both formats, the digest, and what the contract does not know. */
export class TableSpool {
  readonly digest = new RowDigest();
  /** The service's name of each member that the contract does not know, and the name it is written as. */
  readonly unknownNames = new Map<string, string>();
  readonly #table: Table;
  readonly #redactedColumns: ReadonlySet<string>;
  readonly #json: SpoolWriter;
  readonly #csv: SpoolWriter;
  /** Lines that wait until there are enough for a write: the compressor's turn costs more than a page's few. */
  #waiting: { json: string; csv: string; rows: number };

  /** @param redact columns whose values are left out, as the registry names them */
  constructor(table: Table, spool: Spool, redact: readonly string[]) {
    this.#table = table;
    this.#redactedColumns = redactedColumns(redact);
    this.#json = spool.writer(table, 'json');
    this.#csv = spool.writer(table, 'csv');
    this.#waiting = { json: '', csv: `${csvFormatRows([csvColumns(table)])}\n`, rows: 0 };
  }

  /** Adds records that have passed the table's schema, in the order given. */
  async add(records: readonly Record<string, unknown>[], origin: RowOrigin): Promise<void> {
    if (records.length === 0) return;
    const waiting = this.#waiting;
    const cells: string[][] = [];
    for (const record of records) {
      const kept = redacted(record, this.#redactedColumns);
      const row = canonicalRow(this.#table, kept, origin, this.unknownNames);
      const line = JSON.stringify(row);
      this.digest.add(line);
      waiting.json += `${line}\n`;
      cells.push(csvCells(this.#table, row));
    }
    waiting.csv += `${csvFormatRows(cells)}\n`;
    waiting.rows += records.length;
    if (waiting.json.length >= ENOUGH) await this.#write();
  }

  /** The JSON file and the CSV file, finished; an empty table has both, and its CSV the header line. */
  async finish(): Promise<SpooledFile[]> {
    await this.#write();
    return Promise.all([this.#json.finish(), this.#csv.finish()]);
  }

  async #write(): Promise<void> {
    const { json, csv, rows } = this.#waiting;
    this.#waiting = { json: '', csv: '', rows: 0 };
    await Promise.all([this.#json.write(json, rows), this.#csv.write(csv, rows)]);
  }
}
