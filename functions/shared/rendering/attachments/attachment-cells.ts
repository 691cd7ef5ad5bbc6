import { isExactInteger, isMembers } from '#domain/json/exact-json.ts';
import type { Members } from '#domain/json/exact-json.ts';
import type { AttachmentColumn } from './attachment-columns.ts';
import type { AttachmentWords, WordKind } from './attachment-words.ts';

function valueAt(row: Members, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) => (isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    row,
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isExactInteger(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return JSON.stringify(value);
}

const textAt = (row: Members, ...path: string[]) => cellText(valueAt(row, path));

function saidIn(words: AttachmentWords, kind: WordKind, value: unknown, row: Members): string {
  switch (kind) {
    case 'invoiceType':
      return words.invoiceType(cellText(value));
    case 'invoiceState':
      return words.invoiceState(cellText(value));
    case 'refundState':
      return words.refundState(cellText(value));
    case 'method':
      return (Array.isArray(value) ? value : [value])
        .map((method: unknown) => words.method(cellText(method)))
        .join(', ');
    case 'countsIn':
      return words.countsIn(textAt(row, 'refund_at'));
  }
}

/** The value in words. `undefined` for a column without words. */
function wordsOf(row: Members, column: AttachmentColumn, words: AttachmentWords): string | undefined {
  if (column.words === undefined) return undefined;
  return saidIn(words, column.words, valueAt(row, column.path), row);
}

/**
 * A row for programs: a text for each column, as the service sent it, `''` for a missing value. The state of
 * an invoice is the registry's name of its status. Behind them stand the words of the columns that have words.
 *
 * @param row of a sealed file, redacted
 */
export function csvCells(
  row: Members,
  columns: readonly AttachmentColumn[],
  words: AttachmentWords,
): string[] {
  const inWords: string[] = [];
  const cells = columns.map((column) => {
    const said = wordsOf(row, column, words);
    if (said !== undefined) inWords.push(said);
    const value = cellText(valueAt(row, column.path));
    return column.words === 'invoiceState' ? words.stateName(value) : value;
  });
  return [...cells, ...inWords];
}

/**
 * A row for people: a text for each column, in words where the column has words, `''` for a missing value.
 *
 * @param row of a sealed file, redacted
 */
export function peopleCells(
  row: Members,
  columns: readonly AttachmentColumn[],
  words: AttachmentWords,
): string[] {
  return columns.map((column) => wordsOf(row, column, words) ?? cellText(valueAt(row, column.path)));
}

/**
 * What a refund adds to the sum of its page's day: its amount, or `''`. So a refund that is in the pages of two days counts
 * once.
 *
 * @param row of a sealed refunds file, redacted
 */
export function countedAmount(row: Members, words: AttachmentWords): string {
  return words.isOfDay(textAt(row, 'refund_at')) ? textAt(row, 'amount') : '';
}
