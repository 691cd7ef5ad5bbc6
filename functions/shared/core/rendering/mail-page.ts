import type { Texts } from './texts/texts.ts';

/** What a mark or a line wants to say: all is well, look at this, or neither. */
export type Tone = 'good' | 'bad' | 'plain';

/** One row: what it is about, and its values. The row of a sum is `strong`. */
export interface PageRow {
  label: string;
  values: string[];
  strong?: boolean;
}

/** A part of a mail; what is left out is not shown. */
export interface PageSection {
  heading: string;
  lines?: { text: string; tone: Tone }[];
  table?: {
    /** The heads of the columns, that of the label first. */
    columns: string[];
    rows: PageRow[];
  };
}

/**
 * A mail before it is text or HTML, so that both say the same. Its strings are not escaped; values in them that come
 * from outside are `isolated` (see outside-text.ts).
 */
export interface MailPage {
  texts: Pick<Texts, 'language' | 'direction'>;
  /** Short marks above everything else, such as "Correction". */
  marks: { text: string; tone: Tone }[];
  heading: string;
  subheading: string;
  /** The outcome in one line. */
  lead: string;
  sections: PageSection[];
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
