import type { Texts } from '../texts/texts.ts';

/** What a mark or a line wants to say: all is well, look at this, or neither. */
export type Tone = 'good' | 'bad' | 'plain';

/** What a bar or a row is coloured by. */
export type Shade = 'paid' | 'notPaid' | 'cancelled' | 'other';

/** A line of text. */
export interface PageLine {
  text: string;
  tone: Tone;
}

/** Parts of a whole, to be drawn side by side: each at its share of it, in percent, all together at most 100. */
export type Segments = readonly { shade: Shade; percent: number }[];

/** Figures in columns. A row `under` another says more of it; the row of a sum is `strong`. */
export interface PageFigures {
  /** The heads of the columns, that of the label first. */
  columns: readonly string[];
  rows: readonly {
    label: string;
    values: readonly string[];
    strong?: boolean;
    under?: boolean;
    shade?: Shade;
  }[];
}

/** A bar for each day, with its figures as text. */
export interface PageBar {
  label: string;
  text: string;
  segments: Segments;
  /** The day that the mail is about. */
  today: boolean;
}

/** One thing of a list, such as an invoice. */
export interface PageItem {
  title: string;
  note: string;
  value: string;
  /** `label` says the link's purpose where it is read alone. */
  link?: { href: string; text: string; label: string };
}

/** A part of a mail; what is left out is not shown. */
export interface PageSection {
  heading?: string;
  lines?: readonly PageLine[];
  proportions?: Segments;
  figures?: PageFigures;
  bars?: readonly PageBar[];
  items?: readonly PageItem[];
  /** What is said of the mail itself, small. */
  details?: readonly { label: string; value: string }[];
  notes?: readonly string[];
}

/**
 * A mail before it is text or HTML, so that both say the same. Its strings are not escaped; values in them that come
 * from outside are `isolated` (see outside-text.ts).
 */
export interface MailPage {
  texts: Pick<Texts, 'language' | 'direction'>;
  /** Short marks above everything else, such as "Correction". */
  marks: readonly PageLine[];
  heading: string;
  subheading?: string;
  /** The outcome in one line. */
  lead?: string;
  /** What a list of mails shows beside the subject. */
  preheader: string;
  sections: readonly PageSection[];
  footer: string;
}

/** UTF-16 units. */
export const LONGEST_SUBJECT = 200;

/** A mail's contents. The subject is one line of at most {@link LONGEST_SUBJECT}. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}
