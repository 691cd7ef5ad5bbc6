import { isExactInteger, isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
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

function wordsOf(row: Members, column: AttachmentColumn, words: AttachmentWords): string | undefined {
  if (column.words === undefined) return undefined;
  return saidIn(words, column.words, valueAt(row, column.path), row);
}

/**
 * A row for programs: a text a column as the service sent it, `''` where missing; then the columns in words.
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

/** A row for people: in words where the column has words, `''` where missing. */
export function peopleCells(
  row: Members,
  columns: readonly AttachmentColumn[],
  words: AttachmentWords,
): string[] {
  return columns.map((column) => wordsOf(row, column, words) ?? cellText(valueAt(row, column.path)));
}

/** What a refund adds to its page's day, or `''`: one that is in the pages of two days counts once. */
export function countedAmount(row: Members, words: AttachmentWords): string {
  return words.isOfDay(textAt(row, 'refund_at')) ? textAt(row, 'amount') : '';
}
