import type { BookEntry, BookKind } from '#page/figures/book-entries.ts';
import type { BookLayout } from '#registry/registry-schema.ts';
import { plainAmount } from '#records/money/money.ts';
import { csvRow } from '../attachments/collected-attachments.ts';
import { camt053 } from './camt053.ts';
import type { BookedAccount } from './camt053.ts';

/** Xero and QuickBooks Online take no more in one file. */
const MOST_ENTRIES = 1_000;

/** The same in every language: entries that are told again must look the same. */
const KINDS: Readonly<Record<BookKind, string>> = {
  received: 'Payments',
  refunded: 'Refunds',
  charges: 'Charges',
};

/** @param words of the merchant for payment methods */
export function bookText(
  { kind, method, day, date, revision }: BookEntry,
  words: Readonly<Record<string, string>>,
): string {
  const name = method === null ? '' : Object.hasOwn(words, method) ? words[method] : method;
  const what = [KINDS[kind], name].filter((part) => part !== '').join(' ');
  // Methods are the service's own text.
  const clean = what.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, ' ');
  return [clean, ...(revision > 1 ? ['changed'] : []), ...(date === day ? [] : [`of ${day}`])].join(', ');
}

/** Its page says to take digits out, and that special characters are not allowed. */
function inLetters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}]+/gu, ' ').trim();
}

type Cells = (entry: BookEntry, text: string, amount: string) => Record<string, string>;

/** What each program's documents say (docs/books.md). */
const CSV_LAYOUTS: Readonly<Record<Exclude<BookLayout, 'camt.053'>, Cells>> = {
  odoo: ({ date, id }, text, amount) => ({
    Date: date,
    Label: text,
    Reference: id,
    Amount: amount,
    unique_import_id: id,
  }),
  'zoho-books': ({ date, id }, text, amount) => ({
    Date: date,
    Description: text,
    'Reference Number': id,
    Amount: amount,
  }),
  'quickbooks-online': ({ date }, text, amount) => ({
    Date: date.split('-').reverse().join('/'),
    Description: inLetters(text),
    Amount: amount,
  }),
  xero: ({ date, id }, text, amount) => ({ Date: date, Amount: amount, Description: text, Reference: id }),
};

function bookCsv(layout: keyof typeof CSV_LAYOUTS, rows: readonly Parameters<Cells>[]): string {
  const cells = rows.map((row) => CSV_LAYOUTS[layout](...row));
  return [Object.keys(cells[0] ?? {}), ...cells.map((row) => Object.values(row))].map(csvRow).join('');
}

export interface BookFile {
  /** What tells it from the others of the same mail, such as `KWD` or `KWD-2`. */
  part: string;
  format: 'csv' | 'xml';
  text: string;
  entries: number;
}

/** One file for each currency, and for each thousand entries of it. */
export function bookFiles(
  layout: BookLayout,
  entries: readonly BookEntry[],
  words: Readonly<Record<string, string>>,
  account: Omit<BookedAccount, 'currency' | 'part'>,
): BookFile[] {
  return [...Map.groupBy(entries, (entry) => entry.currency)].flatMap(([currency, all]) =>
    Array.from({ length: Math.ceil(all.length / MOST_ENTRIES) }, (_, index): BookFile => {
      const some = all.slice(index * MOST_ENTRIES, (index + 1) * MOST_ENTRIES);
      const part = index === 0 ? currency : `${currency}-${index + 1}`;
      const of = { part, entries: some.length };
      if (layout === 'camt.053') {
        const told = some.map((entry) => ({ ...entry, text: bookText(entry, words) }));
        return { ...of, format: 'xml', text: camt053({ ...account, currency, part }, told) };
      }
      const rows = some.map((entry): Parameters<Cells> => [
        entry,
        bookText(entry, words),
        plainAmount(entry.amount, currency),
      ]);
      return { ...of, format: 'csv', text: bookCsv(layout, rows) };
    }),
  );
}
