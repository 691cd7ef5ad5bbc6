import { DaybookError } from '../errors/daybook-error.ts';
import { isMembers, parseExactJson } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { redacted } from './redaction.ts';

/** A line of a sealed file is not the JSON object that Daybook writes. */
export class SealedLineError extends DaybookError {
  override readonly name = 'SealedLineError';
}

function parsed(line: string): unknown {
  try {
    return parseExactJson(line);
  } catch {
    // The parser's message quotes the line, which is a customer's data.
    return undefined;
  }
}

/**
 * Parses one line of a sealed JSON file and passes the row on, so that several readers share the work.
 *
 * @param columns to leave out, of `redactedColumns`: the file may be older than their entry in the registry
 * @throws {SealedLineError} when it is not a JSON object, or `take` cannot read it
 */
export function takeSealedRow(
  line: string,
  columns: ReadonlySet<string>,
  take: (row: Members) => void,
): void {
  const row = parsed(line);
  if (!isMembers(row)) throw new SealedLineError('a line of a sealed file is not a JSON object');
  try {
    take(redacted(row, columns));
  } catch {
    // It lacks a column or nests too deep. Daybook writes no such line.
    throw new SealedLineError('a line of a sealed file is not one of its rows');
  }
}
