import type { Texts } from '../texts/texts.ts';

export type Tone = 'good' | 'bad' | 'plain';

export type Shade = 'paid' | 'notPaid' | 'cancelled' | 'other';

export interface PageLine {
  text: string;
  tone: Tone;
}

export interface KeyFigure {
  label: string;
  value: string;
  note?: string;
}

/** Parts of a whole, drawn side by side. Each has its share in percent, all together at most 100. */
export type Segments = readonly { shade: Shade; percent: number }[];

/** Figures in columns; without heads where a line above says what they are. A row with `under` gives details of the row above it. The row of a sum is `strong`. */
export interface PageFigures {
  columns: readonly string[];
  rows: readonly {
    label: string;
    values: readonly string[];
    strong?: boolean;
    under?: boolean;
    shade?: Shade;
  }[];
}

export interface PageCell {
  text: string;
  under?: string;
}

/** Few columns, so that phones can show it, and amounts without a currency. */
export interface PageTable {
  columns: readonly PageCell[];
  rows: readonly { cells: readonly PageCell[]; strong?: boolean }[];
}

export interface PageColumn {
  /** Short: there are many columns beside each other. With more than a fortnight, only some labels are shown. */
  label: string;
  segments: Segments;
  today: boolean;
}

export interface PageItem {
  title: string;
  note: string;
  value: string;
  /** `label` names the link's purpose for readers who hear it alone. */
  link?: { href: string; text: string; label: string };
}

export interface PageSection {
  heading?: string;
  lines?: readonly PageLine[];
  proportions?: Segments;
  figures?: PageFigures;
  table?: PageTable;
  /** Readers who do not see it need the same in `notes`. */
  chart?: readonly PageColumn[];
  items?: readonly PageItem[];
  details?: readonly { label: string; value: string }[];
  notes?: readonly string[];
}

/** Who sends the mail: the logo or the name at the top, and where to get help, at the end. */
export interface PageBrand {
  name?: string;
  /** `alt` is shown while the image is not loaded. */
  logo?: { src: string; alt: string };
  colour: { light: string; dark: string };
  /** `shown` is the address of the link, for readers of plain text and for eyes. */
  help?: { href: string; text: string; shown: string };
}

/**
 * A mail before it becomes text or HTML, so that both say the same. Not escaped; values from outside are
 * `isolated` in it (outside-text.ts).
 */
export interface MailPage {
  texts: Pick<Texts, 'language' | 'direction'>;
  brand?: PageBrand;
  marks: readonly PageLine[];
  heading: string;
  subheading?: string;
  lead?: string;
  leadNote?: string;
  /** Three at most, below the lead, a line each. */
  keyFigures?: readonly KeyFigure[];
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
