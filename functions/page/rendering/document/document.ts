export interface DocumentFact {
  label: string;
  value: string;
}

export interface DocumentColumn {
  head: string;
  align: 'start' | 'end';
}

/** The heads of columns of names, and of columns of figures. */
export function documentColumns(names: readonly string[], figures: readonly string[]): DocumentColumn[] {
  return [
    ...names.map((head) => ({ head, align: 'start' as const })),
    ...figures.map((head) => ({ head, align: 'end' as const })),
  ];
}

export interface DocumentSection {
  title: string;
  note?: string | undefined;
  columns: readonly DocumentColumn[];
  /** Cells in the order of `columns`. A row with fewer cells has empty ones at its end; further ones are left out. */
  rows: readonly (readonly string[])[];
  total?: readonly string[] | undefined;
}

export interface DocumentMetadata {
  title: string;
  author: string;
  /** ISO 8601, UTC. Never the time of writing: the same document has the same bytes. */
  createdAt: string;
}

/**
 * A summary on A4, in finished texts of the document's language. What turns text round is removed from them,
 * and long ones are cut. Inside a text, a value of others, a code and an amount with its sign are `isolated`:
 * in an Arabic line, `2026-11` alone is read as `11-2026`.
 */
export interface SummaryDocument {
  language: 'en' | 'ar';
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

export interface DocumentFonts {
  regular: Uint8Array;
  bold: Uint8Array;
}
