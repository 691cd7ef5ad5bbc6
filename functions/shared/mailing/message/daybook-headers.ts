/** What a mail is, in `X-Daybook-Kind`. */
export const MAIL_KINDS = ['report', 'correction', 'alert', 'statement', 'group', 'ops', 'preview'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Headers for the people who support a reader: what identifies the data of the mail, or its check. */
export const INTERNALS = ['Pull', 'Manifest', 'Check', 'Rules'] as const;
export type Internals = Readonly<Partial<Record<(typeof INTERNALS)[number], string>>>;

/** What a mail is about. Only words of Daybook's own and ids: none of it may come from a customer. */
export interface MailSubjectMatter {
  kind: MailKind;
  /** The words of `X-Daybook-Reference`, such as a merchant, a day and a revision. */
  reference: readonly (string | number)[];
  internals?: Internals;
}

/** Characters of a value. A line of a message has 998 at most. */
const LONGEST_VALUE = 500;

/**
 * The value in letters, digits and the signs of keys, which no mail program writes or reads in another form.
 * Blanks become one space, and each other character a `_`. An empty value is a `-`.
 */
function asciiLine(text: string): string {
  const beginning = text.slice(0, LONGEST_VALUE * 2);
  const line = beginning.replace(/\s+/g, ' ').replace(/[^\w ./:=+-]/gu, '_');
  return line.trim().slice(0, LONGEST_VALUE).trimEnd() || '-';
}

/** As many of the words as there is room for, and how many more there are: `a b +7`. */
export function boundedWords(words: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const word of words) {
    length += word.length + 1;
    if (length > LONGEST_VALUE - 20) break;
    kept.push(word);
  }
  return [...kept, ...(kept.length < words.length ? [`+${words.length - kept.length}`] : [])].join(' ');
}

/** The headers `X-Daybook-…` of a mail (docs/interfaces.md, 8 Headers of mails): one line of ASCII each. */
export function daybookHeaders({
  kind,
  reference,
  internals = {},
}: MailSubjectMatter): Record<string, string> {
  const values = { Kind: kind, Reference: reference.map(String).join(' '), ...internals };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`X-Daybook-${name}`, asciiLine(value)]),
  );
}
