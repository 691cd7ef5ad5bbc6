import { DaybookError } from '../errors/daybook-error.ts';
import { isMembers, parseExactJson } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { redacted } from './redaction.ts';
import type { NamedDataFile } from '../storage/keys.ts';

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
 * @param columns to leave out, of `redactedColumns`: the file may be older than their entry in the registry
 * @throws {SealedLineError} when it is not a JSON object, or `take` cannot read it
 */
export function takeSealedRow<Taken>(
  line: string,
  columns: ReadonlySet<string>,
  take: (row: Members) => Taken,
): Taken {
  const row = parsed(line);
  if (!isMembers(row)) throw new SealedLineError('a line of a sealed file is not a JSON object');
  try {
    return take(redacted(row, columns));
  } catch {
    // It lacks a column or nests too deep. Daybook writes no such line.
    throw new SealedLineError('a line of a sealed file is not one of its rows');
  }
}

/** Whether a line is of another merchant or day than its key. One that is no JSON object is refused by its reader. */
export function foreignLineCheck({
  merchantCode,
  day,
}: Pick<NamedDataFile, 'merchantCode' | 'day'>): (line: string) => boolean {
  const start = `${JSON.stringify({ _merchant_code: merchantCode, _day: day }).slice(0, -1)},`;
  return (line) => {
    // Nearly all lines begin like this. Parsing them would double the cost of reading.
    if (line.startsWith(start)) return false;
    const row = parsed(line);
    return isMembers(row) && (row['_merchant_code'] !== merchantCode || row['_day'] !== day);
  };
}
