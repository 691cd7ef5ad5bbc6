import { parse } from 'csv-parse/sync';
import type { Table } from '#domain/revision/manifest.ts';
import { canonicalRecord } from '#domain/records/canonical-record.ts';
import type { Members } from '#domain/json/exact-json.ts';
import { RowLines } from '#domain/records/row-lines.ts';

function origin(table: Table) {
  return { merchantCode: '700001', day: '2026-11-20', queryType: table === 'invoices' ? '1' : null };
}

/** A record's line of JSON; `unknown` collects the names that the contract does not know. */
export function jsonLine(table: Table, record: Members, unknown = new Map<string, string>()): string {
  return new RowLines(table, origin(table)).json(canonicalRecord(table, record, unknown)).join('');
}

export function csvLine(table: Table, record: Members): string {
  return new RowLines(table, origin(table)).csv(canonicalRecord(table, record, new Map()));
}

/** A record's cells as csv-parse reads them. */
export function csvCells(table: Table, record: Members): string[] {
  return parse(csvLine(table, record), {})[0] ?? [];
}
