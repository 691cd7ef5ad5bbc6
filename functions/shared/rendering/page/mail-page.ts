import type { Texts } from '../texts/texts.ts';

/** The meaning of a mark or a line: all is well, look at this, or neither. */
export type Tone = 'good' | 'bad' | 'plain';

/** What colours a bar or a row. */
export type Shade = 'paid' | 'notPaid' | 'cancelled' | 'other';

/** A line of text. */
export interface PageLine {
  text: string;
  tone: Tone;
}

/** One of a few figures beside each other, such as "Refunded". `note` says what it is made of. */
export interface PageTile {
  label: string;
  value: string;
  note?: string;
}

/** Parts of a whole, drawn side by side. Each has its share in percent, all together at most 100. */
export type Segments = readonly { shade: Shade; percent: number }[];

/** Figures in columns. A row with `under` gives details of the row above it. The row of a sum is `strong`. */
export interface PageFigures {
  /** The heads of the columns, the one of the label first. */
  columns: readonly string[];
  rows: readonly {
    label: string;
    values: readonly string[];
    strong?: boolean;
    under?: boolean;
    shade?: Shade;
  }[];
}

/** A cell of a {@link PageTable}. `under` is smaller, on a line of its own. */
export interface PageCell {
  text: string;
  under?: string;
}

/**
 * A table of many rows. It has few columns, so that phones can show it, and its amounts have no currency. The first cell of
 * a row says what the row is about.
 */
export interface PageTable {
  columns: readonly PageCell[];
  rows: readonly { cells: readonly PageCell[]; strong?: boolean }[];
}

/** A column of a chart. Its segments stand on each other, the first one at the bottom. */
export interface PageColumn {
  /** Short: there are many columns beside each other. With more than a fortnight, only some labels are shown. */
  label: string;
  /** Each in percent of the highest column. */
  segments: Segments;
  /** Whether it is the day that the mail is about. */
  today: boolean;
}

/** One item of a list, such as an invoice. */
export interface PageItem {
  title: string;
  note: string;
  value: string;
  /** `label` names the link's purpose for readers who hear it alone. */
  link?: { href: string; text: string; label: string };
}

/** A part of a mail. Members that are left out are not shown. */
export interface PageSection {
  heading?: string;
  lines?: readonly PageLine[];
  proportions?: Segments;
  figures?: PageFigures;
  table?: PageTable;
  /** Readers who do not see it need the same in `notes`. */
  chart?: readonly PageColumn[];
  items?: readonly PageItem[];
  /** Facts about the mail itself, in small print. */
  details?: readonly { label: string; value: string }[];
  notes?: readonly string[];
}

/** Who sends the mail: the logo or the name at the top, and where to get help, at the end. */
export interface PageBrand {
  name?: string;
  /** `alt` is shown while the image is not loaded. */
  logo?: { src: string; alt: string };
  /** Of the name, on the light and on the dark sheet. */
  colour: { light: string; dark: string };
  /** `shown` is the address of the link, for readers of plain text and for eyes. */
  help?: { href: string; text: string; shown: string };
}

/**
 * A mail before it becomes text or HTML, so that both say the same. Its strings are not escaped. Values from
 * outside are `isolated` in them (see outside-text.ts).
 */
export interface MailPage {
  texts: Pick<Texts, 'language' | 'direction'>;
  brand?: PageBrand;
  /** Short marks above everything else, such as "Correction". */
  marks: readonly PageLine[];
  heading: string;
  subheading?: string;
  /** The result in one line. */
  lead?: string;
  /** What the lead counts, in small print below it. */
  leadNote?: string;
  /** Three at most, in one row below the lead. */
  tiles?: readonly PageTile[];
  /** Whether the figures are right, below the tiles. */
  stamp?: PageLine;
  /** What a list of mails shows beside the subject. */
  preheader: string;
  sections: readonly PageSection[];
  /** Sentences in small print, such as who sent the mail and why. */
  footer: readonly string[];
  /** What identifies the mail in a question about it: the last line. */
  reference?: string;
}

/** UTF-16 units. */
export const LONGEST_SUBJECT = 200;

/** The contents of a mail. The subject is one line of at most {@link LONGEST_SUBJECT}. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}
