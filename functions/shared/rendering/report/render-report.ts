import type { Manifest } from '#domain/revision/manifest.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { dayLine, shortDay, timeOfDay } from '../formatters/day-formatter.ts';
import { FigureFormatter } from '../formatters/figure-formatter.ts';
import { fittingMail } from '../page/fitting-mail.ts';
import type { Limits } from '../page/fitting-mail.ts';
import { LONGEST_SUBJECT } from '../page/mail-page.ts';
import type { MailPage, PageSection, RenderedMail } from '../page/mail-page.ts';
import { merchantName, nameInSubject } from '../formatters/merchant-name.ts';
import { oneLine, withoutIsolates } from '../formatters/outside-text.ts';
import type { ReportInput } from './report-input.ts';
import { attachmentsSection, balanceSection, detailsSection, typesSection } from './report-sections.ts';
import { invoicesSection } from './invoices-section.ts';
import { refundSections } from './refund-sections.ts';
import { unpaidSections } from './unpaid-sections.ts';
import { textsIn } from '../texts/texts.ts';
import { trendSection } from './trend.ts';

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, text: LONGEST_SUBJECT };

function isEmpty({ counts, refunds, balanced, notCompared }: Manifest): boolean {
  // When something was left out, the mail must not say that the service agrees.
  return (
    balanced &&
    notCompared.length === 0 &&
    counts.total === 0 &&
    refunds.count === 0 &&
    refunds.saleBasis.count === 0
  );
}

/**
 * The line that the day was not over when it was pulled, and until when it is covered. `null` for a whole
 * day.
 */
function soFarOf(
  { manifest, merchant: { timeZone } }: ReportInput,
  { texts }: FigureFormatter,
): string | null {
  const until = soFarUntil(manifest, timeZone);
  return until === null ? null : texts.say('soFar', { time: timeOfDay(until, timeZone, texts) });
}

function outcomeOf(manifest: Manifest, formatter: FigureFormatter): string {
  const { texts } = formatter;
  if (isEmpty(manifest)) return texts.say('nothingHappened');
  const { paid, total } = manifest.counts;
  if (paid !== null && total !== null)
    return texts.say('outcome', { paid: formatter.count(paid), count: total });
  const said = (state: 'paid' | 'total') =>
    `${texts.say(`states.${state}`)}: ${formatter.count(manifest.counts[state])}`;
  return [said('paid'), said('total')].join(texts.say('comma'));
}

/** The result, and the received amount when it is known. */
function leadOf(input: ReportInput, formatter: FigureFormatter): string {
  const { manifest } = input;
  const { texts } = formatter;
  const soFar = soFarOf(input, formatter);
  if (soFar !== null) return texts.say('soFarLead', { soFar, outcome: wholeLeadOf(manifest, formatter) });
  return isEmpty(manifest) ? texts.say('emptyDay') : wholeLeadOf(manifest, formatter);
}

function wholeLeadOf(manifest: Manifest, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const outcome = outcomeOf(manifest, formatter);
  if (manifest.amounts === null || isEmpty(manifest)) return outcome;
  const collected = texts.say('collected', { amount: formatter.amount(manifest.amounts.paid) });
  return [outcome, collected].join(texts.say('comma'));
}

function subjectOf(input: ReportInput, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const marks = [
    ...(input.preview ? [`[${texts.say('preview')}]`] : []),
    ...(input.manifest.balanced ? [] : [`${texts.say('notBalanced')}:`]),
  ];
  const outcome = withoutIsolates(outcomeOf(input.manifest, formatter));
  // The date has the month as a word: a date of digits is reordered in subjects that read from right to left.
  const soFar = soFarOf(input, formatter);
  const day = [shortDay(input.manifest.day, texts), ...(soFar === null ? [] : [withoutIsolates(soFar)])];
  const said = [nameInSubject(input.merchant), ...day, outcome].join(' · ');
  return oneLine([...marks, said].join(' '), LONGEST_SUBJECT);
}

function marksOf(input: ReportInput, formatter: FigureFormatter): MailPage['marks'] {
  const { preview, manifest } = input;
  const { texts } = formatter;
  const soFar = soFarOf(input, formatter);
  return [
    ...(preview ? [{ text: texts.say('previewNote'), tone: 'plain' as const }] : []),
    ...(soFar === null ? [] : [{ text: soFar, tone: 'plain' as const }]),
    ...(manifest.balanced ? [] : [{ text: texts.say('notBalanced'), tone: 'bad' as const }]),
  ];
}

/** The sections of a day with records, most important first. */
function sectionsOf(input: ReportInput, formatter: FigureFormatter): PageSection[] {
  const { manifest, highlights, attachments } = input;
  // An unfinished day is not compared with whole ones.
  const history = soFarOf(input, formatter) === null ? input.history : [];
  return [
    invoicesSection(manifest, history, formatter),
    ...trendSection(manifest, history, formatter),
    ...refundSections(manifest, formatter),
    ...(highlights === null ? [] : unpaidSections(highlights, formatter)),
    ...(highlights === null ? [] : typesSection(highlights, formatter)),
    balanceSection(manifest, formatter),
    ...attachmentsSection(attachments, formatter),
  ];
}

function pageOf(input: ReportInput, formatter: FigureFormatter): MailPage {
  const { merchant, manifest } = input;
  const { texts } = formatter;
  const lead = leadOf(input, formatter);
  return {
    texts,
    marks: marksOf(input, formatter),
    heading: formatter.outside(merchantName(merchant)),
    subheading: dayLine(manifest.day, texts),
    lead,
    preheader: lead,
    sections: [...(isEmpty(manifest) ? [] : sectionsOf(input, formatter)), detailsSection(input, formatter)],
    footer: [texts.say('footer')],
  };
}

/**
 * The mail of a sealed revision: report or preview. The same input gives the same mail, so a run
 * that continues after another one sends the same mail.
 */
export function renderReport(input: ReportInput): RenderedMail {
  const { language, digits, currency } = input.merchant;
  const texts = textsIn(language, digits);
  const contents = fittingMail((limits) => pageOf(input, new FigureFormatter(texts, currency, limits)));
  return { subject: subjectOf(input, new FigureFormatter(texts, currency, SUBJECT)), ...contents };
}
