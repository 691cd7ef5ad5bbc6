import type { Manifest } from '../manifest.ts';
import { FigureWords } from './figure-words.ts';
import { toHtml } from './html.ts';
import { LONGEST_SUBJECT } from './mail-page.ts';
import type { MailPage, RenderedMail } from './mail-page.ts';
import { merchantName, nameInSubject } from './merchant-name.ts';
import { isolated, oneLine, withoutIsolates } from './outside-text.ts';
import { toPlainText } from './plain-text.ts';
import type { ReportInput } from './report-input.ts';
import {
  attachmentSections,
  balanceSection,
  changesSection,
  detailsSection,
  invoicesSection,
  refundSections,
} from './report-sections.ts';
import { textsIn } from './texts/catalogue.ts';
import type { Texts } from './texts/texts.ts';

function isEmpty({ counts, refunds, balanced }: Manifest): boolean {
  return balanced && counts.total === 0 && refunds.count === 0 && refunds.saleBasis.count === 0;
}

function outcomeOf(manifest: Manifest, words: FigureWords, texts: Texts): string {
  if (isEmpty(manifest)) return texts.nothingHappened;
  const { paid, total } = manifest.counts;
  if (paid !== null && total !== null) return texts.outcome(words.count(paid), words.count(total));
  const said = (state: 'paid' | 'total') => `${texts.states[state]}: ${words.count(manifest.counts[state])}`;
  return [said('paid'), said('total')].join(texts.comma);
}

function subjectOf(input: ReportInput, outcome: string, texts: Texts): string {
  const marks = [
    ...(input.preview ? [`[${texts.preview}]`] : []),
    ...(input.before === null ? [] : [`${texts.correction}:`]),
    ...(input.manifest.balanced ? [] : [`${texts.notBalanced}:`]),
  ];
  const name = nameInSubject(input.merchant);
  const said = [name, input.manifest.day, withoutIsolates(outcome)].join(' · ');
  return oneLine([...marks, said].join(' '), LONGEST_SUBJECT);
}

function marksOf(input: ReportInput, texts: Texts): MailPage['marks'] {
  return [
    ...(input.preview ? [{ text: texts.previewNote, tone: 'plain' as const }] : []),
    ...(input.before === null ? [] : [{ text: texts.correction, tone: 'plain' as const }]),
    ...(input.manifest.balanced ? [] : [{ text: texts.notBalanced, tone: 'bad' as const }]),
  ];
}

/**
 * The mail of a sealed revision: report, correction or preview. The same input gives the same mail, so a run that
 * goes on where another stopped sends what that one would have sent.
 */
export function renderReport(input: ReportInput): RenderedMail {
  const { merchant, manifest, before } = input;
  const texts = textsIn(merchant.language);
  const words = new FigureWords(texts, merchant.currency);
  const outcome = outcomeOf(manifest, words, texts);
  const empty = isEmpty(manifest);
  const page: MailPage = {
    texts,
    marks: marksOf(input, texts),
    heading: isolated(merchantName(merchant)),
    subheading: isolated(manifest.day),
    lead: empty ? texts.emptyDay : outcome,
    sections: [
      ...(before === null ? [] : [changesSection(before, manifest, words, texts)]),
      ...(empty
        ? []
        : [
            invoicesSection(manifest, words, texts),
            ...refundSections(manifest, words, texts),
            balanceSection(manifest, words, texts),
            ...attachmentSections(input.attachments, words, texts),
          ]),
      detailsSection(input, texts),
    ],
    footer: texts.footer,
  };
  return {
    subject: subjectOf(input, outcome, texts),
    text: toPlainText(page),
    html: toHtml(page),
  };
}
