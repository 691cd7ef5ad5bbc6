/*
 * The model of a document that is printed or filed, such as a PDF. It knows languages and tables, and nothing of statements.
 * Every text is finished: digits, dates and amounts are already written in the document's language.
 */

/** A fact of the document's head: `Merchant` and its name, `Period` and its days. */
export interface DocumentFact {
  label: string;
  value: string;
}

export interface DocumentColumn {
  head: string;
  /** `start` is where a line of the document's language begins: left in English, right in Arabic. Amounts are at the `end`. */
  align: 'start' | 'end';
}

/** A table with its title. */
export interface DocumentSection {
  title: string;
  /** A line below the title. */
  note?: string;
  columns: readonly DocumentColumn[];
  /** Cells in the order of `columns`. A row with fewer cells has empty ones at its end; further ones are left out. */
  rows: readonly (readonly string[])[];
  /** The last line of the table, set apart from the rows. */
  total?: readonly string[];
}

/** What the file says of itself. It is not printed. */
export interface DocumentMetadata {
  title: string;
  author: string;
  /** ISO 8601, UTC. The same document has the same bytes, so this is never the time of writing. */
  createdAt: string;
}

/**
 * A summary on paper of A4. A text may be any text of others: control characters and characters that change the direction of
 * text are removed from it, and a very long one is cut: a cell after 300 UTF-16 units, a note after 1,500.
 *
 * Each text is put in order by itself, so it cannot turn another one round. Inside a text, a value of others, a code, and an
 * amount with its sign are isolated (`isolated` of formatters/outside-text.ts): in an Arabic line, `2026-11` alone is read
 * as `11-2026`.
 */
export interface SummaryDocument {
  language: 'en' | 'ar';
  /** Where lines and tables begin: `rtl` begins at the right. */
  direction: 'ltr' | 'rtl';
  title: string;
  subtitle: string;
  /** What the reader must know before the figures, such as "Provisional". Printed in a box on the first page. */
  notices: readonly string[];
  facts: readonly DocumentFact[];
  sections: readonly DocumentSection[];
  /** Printed on each page, beside its number. */
  footer: string;
  metadata: DocumentMetadata;
}

/** Font files of one family, as bytes of TrueType or OpenType. Each has Latin and Arabic letters. */
export interface DocumentFonts {
  regular: Uint8Array;
  bold: Uint8Array;
}
