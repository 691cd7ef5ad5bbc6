import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import { DaybookError } from '../daybook-error.ts';
import type { InvoiceStatusNames } from '../invoice-states.ts';
import { isExactInteger, parseExactJson } from '../records/exact-json.ts';
import { redacted, redactedColumns } from '../records/redaction.ts';
import { ATTACHMENT_COLUMNS } from './attachment-columns.ts';
import type { Texts } from './texts/texts.ts';

/** A line of a sealed invoices file is not the JSON object that Daybook writes. */
export class SealedLineError extends DaybookError {
  override readonly name = 'SealedLineError';
}

const members = z.record(z.string(), z.unknown());

// Blanks, quotes and marks that nobody sees do not keep a spreadsheet from seeing the sign behind them.
const FORMULA = /^[\s\p{Cc}\p{Cf}"'“”‘’]*[=+\-@＝＋－＠\t\r\n]/u;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;
// Where Excel takes ";" for the separator, these begin a cell inside ours, and its quotes do not protect it. The sign
// is looked for first, so that a long run of blanks is walked once.
const CELL_WITHIN = /(?=[=+\-@＝＋－＠])(?<=[;\r\n][\s\p{Cc}\p{Cf}"'“”‘’]*)/gu;

/**
 * The cell as a spreadsheet takes it for text. A plain negative amount stays as it is: it is a number whether it is
 * read as a formula or not, and with an apostrophe the column could not be summed.
 */
export function withoutFormula(cell: string): string {
  if (NEGATIVE_NUMBER.test(cell)) return cell;
  return `${FORMULA.test(cell) ? "'" : ''}${cell.replace(CELL_WITHIN, "'")}`;
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => {
    const object = members.safeParse(value).data;
    return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  }, row);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isExactInteger(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return JSON.stringify(value);
}

// Readers stop at a NUL or refuse it, and no text needs one.
function clean(cell: string): string {
  return withoutFormula(cell.toWellFormed().replaceAll('\u0000', ''));
}

/** RFC 4180 with the line ends that Excel writes; every cell in quotes, since only `\r\n` would ask for them. */
function csvLine(cells: readonly string[]): string {
  return stringify([cells.map(clean)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: false,
  });
}

/** The CSV that merchants get, row by row. */
export interface AttachmentCsv {
  /** The byte order mark, by which Excel knows UTF-8, and the heads of the columns. */
  header: string;
  /**
   * @param line one line of a sealed invoices file in JSON
   * @throws {SealedLineError} when it is no JSON object
   */
  row: (line: string) => string;
}

/**
 * @param invoiceStatuses the registry's words for the values of `invoice_status`, where it has them
 * @param redact columns left out, as the registry names them: a day may have been sealed before it did
 */
export function attachmentCsv(
  texts: Texts,
  invoiceStatuses: InvoiceStatusNames | undefined,
  redact: readonly string[] = [],
): AttachmentCsv {
  const columns = redactedColumns(redact);
  const stateOf = (row: unknown) => {
    const status = cellText(valueAt(row, ['invoice_status']));
    return invoiceStatuses !== undefined && Object.hasOwn(invoiceStatuses, status)
      ? invoiceStatuses[status]
      : undefined;
  };
  return {
    header: `\uFEFF${csvLine(ATTACHMENT_COLUMNS.map(({ name }) => texts.say(`columns.${name}`)))}`,
    row: (line) => {
      try {
        const row = redacted(members.parse(parseExactJson(line)), columns);
        return csvLine(
          ATTACHMENT_COLUMNS.map(({ name, path }) =>
            cellText(name === 'state' ? stateOf(row) : valueAt(row, path)),
          ),
        );
      } catch {
        // What the parser says quotes the line, and that is a customer's. What nests past the stack is none of ours.
        throw new SealedLineError('a line of a sealed invoices file is not a JSON object');
      }
    },
  };
}
