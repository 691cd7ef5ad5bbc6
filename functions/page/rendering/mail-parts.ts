import type { MethodBreakdown } from '#records/figures/breakdown.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated, oneLine, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { fittingMail, type Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-layout.ts';
import type { MailPage, PageLine, PageSection, RenderedMail } from '#mail/template/mail-layout.ts';
import { textsIn, type Language, type TextName, type Texts } from '#mail/texts/texts.ts';
import type { Period } from '#records/period/period.ts';
import type { BookLayout } from '#registry/registry-schema.ts';

/** What the mails of all pages share. */

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, rows: 0, text: LONGEST_SUBJECT };

/**
 * A page and its subject, with as much as a mail program shows in full.
 * @param currency `null`: its amounts are of several, and each is written `in` its own
 */
export function renderedMail<Input>(
  input: Input,
  { language, currency }: { language: Language; currency: string | null },
  subjectOf: (input: Input, formatter: FigureFormatter) => string,
  pageOf: (input: Input, formatter: FigureFormatter) => MailPage,
): RenderedMail {
  const formatterWithin = (limits: Limits) => new FigureFormatter(textsIn(language), currency, limits);
  const contents = fittingMail((limits) => pageOf(input, formatterWithin(limits)));
  return { subject: subjectOf(input, formatterWithin(SUBJECT)), ...contents };
}

/** A subject, short enough for a phone's list of mails. @param warning of a page that may change, or is not right */
export function subjectLine(
  parts: readonly string[],
  { preview, warning }: { preview: boolean; warning: 'notBalanced' | 'provisional' | null },
  texts: Texts,
): string {
  const marks = [
    ...(preview ? [`[${texts.say('preview')}]`] : []),
    ...(warning === null ? [] : [`${texts.say(warning)}:`]),
  ];
  return oneLine(withoutIsolates([...marks, parts.join(' · ')].join(' ')), LONGEST_SUBJECT);
}

/** In place of a figure that is not known, where there is no room for a word. */
export const NOTHING = '–';

export function paragraph(text: string): PageLine {
  return { text, tone: 'plain' };
}

/** The heading of a section whose amounts do not name their currency. */
export function inCurrency(heading: TextName, { texts, currency }: FigureFormatter): string {
  return texts.say('headingIn', { heading: texts.say(heading), currency });
}

/** In one paragraph: mails are long. Empty without a sentence. */
export function oneNote(sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

/** Says how many more there are than shown. Empty when all are shown. */
export function moreNotes(
  all: number,
  shown: number,
  { texts }: FigureFormatter,
  name: TextName = 'moreLines',
): string[] {
  return all > shown ? [texts.say(name, { count: all - shown })] : [];
}

export type MethodWords = Readonly<Record<string, string>>;

export function typeLabel(type: string | null, formatter: FigureFormatter): string {
  return type === null ? formatter.texts.say('types.rest') : formatter.invoiceType(type);
}

export function methodLabel(method: string | null, words: MethodWords, formatter: FigureFormatter): string {
  if (method === null) return formatter.texts.say('method.rest');
  const word = Object.hasOwn(words, method) ? words[method] : undefined;
  return formatter.paymentMethod(word ?? method);
}

interface Part {
  name: string;
  count: number;
  amount: string | null;
}

/** `Single 350 (11,020.000), Split 25 (700.000)`: a mail has no room for a table of each. */
function partsText(all: readonly Part[], formatter: FigureFormatter): string {
  const { texts, limits } = formatter;
  const shown = all.slice(0, limits.list);
  const said = shown.map(({ name, count, amount }) =>
    texts.say('part', { name, count: formatter.count(count), amount: formatter.bareAmount(amount) }),
  );
  return [...said, ...moreNotes(all.length, shown.length, formatter)].join(texts.say('comma'));
}

function refundsText({ byStatus }: RefundTotals, formatter: FigureFormatter): string {
  const parts = Object.entries(byStatus)
    .filter(([, of]) => of.count > 0)
    .map(([status, of]) => ({ name: formatter.refundStatus(status), count: of.count, amount: of.total }));
  return partsText(parts, formatter);
}

/** What came in by payment method, and the refunds by their own date and status. */
export function moneySection(
  { byMethod, refunds }: { byMethod: readonly MethodBreakdown[] | null; refunds: RefundTotals },
  of: 'day' | 'period',
  words: MethodWords,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const methods = (byMethod ?? [])
    .filter(({ count }) => count > 0)
    .map(({ method, ...sum }) => ({ ...sum, name: methodLabel(method, words, formatter) }));
  const none = of === 'day' ? 'refunds.none' : 'refunds.period.none';
  return {
    heading: inCurrency('money', formatter),
    lines: [
      ...(methods.length === 0
        ? []
        : [texts.say('money.byMethod', { methods: partsText(methods, formatter) })]),
      refunds.count === 0
        ? texts.say(none)
        : texts.say('money.refunds', { refunds: refundsText(refunds, formatter) }),
    ].map(paragraph),
  };
}

/** Invoices by type. Empty when all are of one type. */
export function typesSentence(
  byType: readonly { type: string | null; count: number; amount: string }[],
  formatter: FigureFormatter,
): string[] {
  const parts = byType
    .filter(({ count }) => count > 0)
    .map(({ type, ...sum }) => ({ ...sum, name: typeLabel(type, formatter) }));
  if (parts.length < 2) return [];
  return [formatter.texts.say('byType.sentence', { types: partsText(parts, formatter) })];
}

export type AttachmentFormat = 'csv' | 'pdf' | 'xlsx';

/** A file of the mail: attached, linked, or too large for both. `rows` of all its tables. */
export type PageAttachment =
  | { kind: 'attached'; format: AttachmentFormat; rows: number }
  | { kind: 'linked'; format: AttachmentFormat; rows: number; href: string }
  | { kind: 'too-big'; format: AttachmentFormat | 'xml'; rows: number }
  | { kind: 'books'; layout: BookLayout };

/** Programs by the names that they give themselves. */
const PROGRAMS: Readonly<Record<BookLayout, string>> = {
  odoo: 'Odoo',
  'zoho-books': 'Zoho Books',
  'quickbooks-online': 'QuickBooks Online',
  xero: 'Xero',
  'camt.053': 'camt.053',
};

/** The files that are too large for the mail, with the links to them. */
export function linkedSections(
  attachments: readonly PageAttachment[],
  { texts }: Pick<FigureFormatter, 'texts'>,
): PageSection[] {
  const items = attachments.flatMap((file) => {
    if (file.kind !== 'linked') return [];
    const name = isolated(file.format.toUpperCase());
    const text = texts.say('linked.get');
    return {
      title: name,
      value: texts.say('linked.rows', { count: file.rows }),
      note: texts.say('linked.note'),
      link: { href: file.href, text, label: texts.say('linked.label', { format: name }) },
    };
  });
  return items.length === 0 ? [] : [{ heading: texts.say('linked'), items }];
}

/**
 * Says which files are attached, and of each that is too large, that it is.
 * @param attached says it of the formats (`PDF, XLSX`) and the rows of the first
 * @param none says where they are when none is attached or linked. Left out: nothing
 */
export function attachmentSentences(
  attachments: readonly PageAttachment[],
  { texts }: Pick<FigureFormatter, 'texts'>,
  attached: TextName,
  none?: TextName,
): string[] {
  const nameOf = ({ format }: { format: AttachmentFormat | 'xml' }) => isolated(format.toUpperCase());
  const files = attachments.filter((file) => file.kind === 'attached');
  const [first] = files;
  const formats = files.map(nameOf).join(texts.say('comma'));
  const isMissing = first === undefined && !attachments.some(({ kind }) => kind === 'linked');
  return [
    ...(first === undefined ? [] : [texts.say(attached, { formats, count: first.rows })]),
    ...(isMissing && none !== undefined ? [texts.say(none)] : []),
    ...attachments
      .filter((file) => file.kind === 'too-big')
      .map((file) => texts.say('attachment.tooBig', { format: nameOf(file), count: file.rows })),
    ...attachments
      .filter((file) => file.kind === 'books')
      .map(({ layout }) => texts.say('attachment.books', { program: isolated(PROGRAMS[layout]) })),
  ];
}

/** Digits of a digest that people read. */
const SHORT_DIGEST = 16;

/** How people name a sealed page. `daybook verify` shows the same digest (docs/proofs.md). */
export function pageReference(owner: string, period: Period, page: { revision: number; digest: string }) {
  return isolated([owner, period, page.revision, page.digest.slice(0, SHORT_DIGEST)].join(' · '));
}
