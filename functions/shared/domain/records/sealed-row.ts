import { DaybookError } from '../errors/daybook-error.ts';
import { isMembers, parseExactJson } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { redacted } from './redaction.ts';

/** A line of a sealed invoices file is not the JSON object that Daybook writes. */
export class SealedLineError extends DaybookError {
  override readonly name = 'SealedLineError';
}

function parsed(line: string): unknown {
  try {
    return parseExactJson(line);
  } catch {
    // What the parser says quotes the line, and that is a customer's.
    return undefined;
  }
}

/**
 * Parses one line of a sealed file in JSON and hands the row on, so that whoever needs it shares the work.
 *
 * @param columns left out, of `redactedColumns`: the file may have been sealed before the registry named them
 * @throws {SealedLineError} when it is no JSON object, or one that `take` cannot read
 */
export function takeSealedRow(
  line: string,
  columns: ReadonlySet<string>,
  take: (row: Members) => void,
): void {
  const row = parsed(line);
  if (!isMembers(row)) throw new SealedLineError('a line of a sealed invoices file is not a JSON object');
  try {
    take(redacted(row, columns));
  } catch {
    // It lacks a column, or nests past the stack: Daybook writes neither.
    throw new SealedLineError('a line of a sealed invoices file is not an invoice');
  }
}
