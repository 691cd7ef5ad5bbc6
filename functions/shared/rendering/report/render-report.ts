import type { Manifest } from '#domain/revision/manifest.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { longDay, shortDay, timeOfDay } from '../formatters/day-formatter.ts';
import { FigureWords } from '../formatters/figure-formatter.ts';
import { fittingMail } from '../page/fitting-mail.ts';
import type { Limits } from '../page/fitting-mail.ts';
import { LONGEST_SUBJECT } from '../page/mail-page.ts';
import type { MailPage, PageSection, RenderedMail } from '../page/mail-page.ts';
import { merchantName, nameInSubject } from '../formatters/merchant-name.ts';
import { oneLine, withoutIsolates } from '../formatters/outside-text.ts';
import type { ReportInput } from './report-input.ts';
import {
  attachmentsSection,
  balanceSection,
  changesSection,
  detailsSection,
  typesSection,
} from './report-sections.ts';
import { invoicesSection } from './invoices-section.ts';
import { refundSections } from './refund-sections.ts';
import { unpaidSections } from './unpaid-sections.ts';
import { textsIn } from '../texts/texts.ts';
import { trendSection } from './trend.ts';

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, text: LONGEST_SUBJECT };

function isEmpty({ counts, refunds, balanced, notCompared }: Manifest): boolean {
  // Where something was left out, it cannot be said that the service agrees.
  return (
    balanced &&
    notCompared.length === 0 &&
    counts.total === 0 &&
    refunds.count === 0 &&
    refunds.saleBasis.count === 0
  );
}

/** That the day was not over when it was pulled, and until when it is told; `null` for a whole day. */
function soFarOf({ manifest, merchant: { timeZone } }: ReportInput, { texts }: FigureWords): string | null {
  const until = soFarUntil(manifest, timeZone);
  return until === null ? null : texts.say('soFar', { time: timeOfDay(until, timeZone, texts) });
}

function outcomeOf(manifest: Manifest, words: FigureWords): string {
  const { texts } = words;
  if (isEmpty(manifest)) return texts.say('nothingHappened');
  const { paid, total } = manifest.counts;
  if (paid !== null && total !== null) return texts.say('outcome', { paid: words.count(paid), count: total });
  const said = (state: 'paid' | 'total') =>
    `${texts.say(`states.${state}`)}: ${words.count(manifest.counts[state])}`;
  return [said('paid'), said('total')].join(texts.say('comma'));
}

/** The outcome, and what was received of it where that is known. */
function leadOf(input: ReportInput, words: FigureWords): string {
  const { manifest } = input;
  const { texts } = words;
  const soFar = soFarOf(input, words);
  if (soFar !== null) return texts.say('soFarLead', { soFar, outcome: wholeLeadOf(manifest, words) });
  return isEmpty(manifest) ? texts.say('emptyDay') : wholeLeadOf(manifest, words);
}

function wholeLeadOf(manifest: Manifest, words: FigureWords): string {
  const { texts } = words;
  const outcome = outcomeOf(manifest, words);
  if (manifest.amounts === null || isEmpty(manifest)) return outcome;
  const collected = texts.say('collected', { amount: words.amount(manifest.amounts.paid) });
  return [outcome, collected].join(texts.say('comma'));
}

function subjectOf(input: ReportInput, words: FigureWords): string {
  const { texts } = words;
  const marks = [
    ...(input.preview ? [`[${texts.say('preview')}]`] : []),
    ...(input.before === null ? [] : [`${texts.say('correction')}:`]),
    ...(input.manifest.balanced ? [] : [`${texts.say('notBalanced')}:`]),
  ];
  const outcome = withoutIsolates(outcomeOf(input.manifest, words));
  // The day in words: a date of digits is reordered where a subject reads from right to left.
  const soFar = soFarOf(input, words);
  const day = [shortDay(input.manifest.day, texts), ...(soFar === null ? [] : [withoutIsolates(soFar)])];
  const said = [nameInSubject(input.merchant), ...day, outcome].join(' · ');
  return oneLine([...marks, said].join(' '), LONGEST_SUBJECT);
}

function marksOf(input: ReportInput, words: FigureWords): MailPage['marks'] {
  const { preview, before, manifest } = input;
  const { texts } = words;
  const soFar = soFarOf(input, words);
  return [
    ...(preview ? [{ text: texts.say('previewNote'), tone: 'plain' as const }] : []),
    ...(before === null ? [] : [{ text: texts.say('correction'), tone: 'plain' as const }]),
    ...(soFar === null ? [] : [{ text: soFar, tone: 'plain' as const }]),
    ...(manifest.balanced ? [] : [{ text: texts.say('notBalanced'), tone: 'bad' as const }]),
  ];
}

/** What an eventful day has to say, most important first. */
function sectionsOf(input: ReportInput, words: FigureWords): PageSection[] {
  const { manifest, highlights, attachments } = input;
  // Part of a day is compared with no whole ones.
  const history = soFarOf(input, words) === null ? input.history : [];
  return [
    invoicesSection(manifest, history, words),
    ...trendSection(manifest, history, words),
    ...refundSections(manifest, words),
    ...(highlights === null ? [] : unpaidSections(highlights, words)),
    ...(highlights === null ? [] : typesSection(highlights, words)),
    balanceSection(manifest, words),
    ...attachmentsSection(attachments, words),
  ];
}

function pageOf(input: ReportInput, words: FigureWords): MailPage {
  const { merchant, manifest, before } = input;
  const { texts } = words;
  const lead = leadOf(input, words);
  return {
    texts,
    marks: marksOf(input, words),
    heading: words.outside(merchantName(merchant)),
    subheading: longDay(manifest.day, texts),
    lead,
    preheader: lead,
    sections: [
      ...(before === null ? [] : [changesSection(before, manifest, words)]),
      ...(isEmpty(manifest) ? [] : sectionsOf(input, words)),
      detailsSection(input, words),
    ],
    footer: texts.say('footer'),
  };
}

/**
 * The mail of a sealed revision: report, correction or preview. The same input gives the same mail, so a run that
 * goes on where another stopped sends what that one would have sent.
 */
export function renderReport(input: ReportInput): RenderedMail {
  const { language, currency } = input.merchant;
  const texts = textsIn(language);
  const contents = fittingMail((limits) => pageOf(input, new FigureWords(texts, currency, limits)));
  return { subject: subjectOf(input, new FigureWords(texts, currency, SUBJECT)), ...contents };
}
