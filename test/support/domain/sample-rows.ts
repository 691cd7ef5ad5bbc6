import { parse } from 'csv-parse/sync';
import type { Table } from '#records/revision/manifest.ts';
import { parseExactJson, type Members } from '#records/json/exact-json.ts';
import { RowLines, beginningsOf, type Lines } from '#records/rows/row-lines.ts';
import { membersOf } from '#support/assertions/members.ts';

function linesOf(table: Table, record: Members, unknown = new Map<string, string>()): Lines {
  const queryType = table === 'invoices' ? '1' : null;
  const origin = { merchantCode: '700001', day: '2026-11-20', queryType };
  return new RowLines(table, unknown).of(record, beginningsOf(origin));
}

/** A record's line of JSON; `unknown` collects the names that the contract does not know. */
export function jsonLine(table: Table, record: Members, unknown?: Map<string, string>): string {
  return linesOf(table, record, unknown).json.toString();
}

/** A record as it stands in its line of JSON. */
export function writtenRow(table: Table, record: Members, unknown?: Map<string, string>): Members {
  return membersOf(parseExactJson(jsonLine(table, record, unknown)));
}

export function csvLine(table: Table, record: Members): string {
  return linesOf(table, record).csv.toString();
}

/** A record's cells as csv-parse reads them. */
export function csvCells(table: Table, record: Members): string[] {
  return parse(csvLine(table, record), {})[0] ?? [];
}
