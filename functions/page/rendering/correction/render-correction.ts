import { soFarUntil, figuresOf } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dayLine, shortDay, timeOfDay } from '#mail/formatters/day-formatter.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName, nameInSubject } from '#mail/template/mailed-merchant.ts';
import { isolated, oneLine, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { footerOf } from '#mail/template/footer.ts';
import { fittingMail } from '#mail/template/fitting-mail.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import type { MailPage, PageLine, RenderedMail } from '#mail/template/mail-page.ts';
import { questionLines } from '../report/to-do-section.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { changedFigures } from './changed-figures.ts';
import type { CorrectionInput } from './correction-input.ts';
import { figureSection } from './figure-section.ts';
import { whatChanged } from './headline.ts';
import { preheaderOf } from './preheader.ts';
import { rowSections } from './row-sections.ts';

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, rows: 0, text: LONGEST_SUBJECT };

function headlineOf({ before, manifest }: CorrectionInput, formatter: FigureFormatter): string {
  const what = whatChanged(before, figuresOf(manifest), formatter);
  return formatter.texts.say('correction.headline', { what });
}

function subjectOf(input: CorrectionInput, formatter: FigureFormatter): string {
  const headline = withoutIsolates(headlineOf(input, formatter));
  const { merchant, manifest } = input;
  const said = [headline, nameInSubject(merchant), shortDay(manifest.day, formatter.texts)].join(' · ');
  return oneLine(said, LONGEST_SUBJECT);
}

function stampOf({ balanced, notCompared }: Manifest, { texts }: FigureFormatter): PageLine {
  if (!balanced) return { text: texts.say('correction.stamp.bad'), tone: 'bad' };
  const name = notCompared.length === 0 ? 'correction.stamp.good' : 'correction.stamp.apart';
  return { text: texts.say(name), tone: 'good' };
}

function marksOf(
  { manifest, merchant: { timeZone } }: CorrectionInput,
  { texts }: FigureFormatter,
): PageLine[] {
  const until = soFarUntil(manifest, timeZone);
  if (until === null) return [];
  return [
    { text: texts.say('correction.soFar', { time: timeOfDay(until, timeZone, texts) }), tone: 'plain' },
  ];
}

function fullFigures({ attached }: CorrectionInput, { texts }: FigureFormatter): string[] {
  if (attached === null) return [texts.say('correction.full.ask')];
  const formats = attached.formats.map((format) => isolated(format.toUpperCase())).join(texts.say('comma'));
  const count = attached.rows;
  return [texts.say('correction.full.attached', { count, formats }), texts.say('correction.full.others')];
}

function pageOf(input: CorrectionInput, formatter: FigureFormatter): MailPage {
  const { merchant, manifest, before, rows, paidTwice } = input;
  const { texts } = formatter;
  const after = figuresOf(manifest);
  const questions = questionLines(manifest, paidTwice, formatter);
  const { merchantCode, day, revision } = manifest;
  const reference = isolated([merchantCode, day, revision].join(' · '));
  return {
    texts,
    marks: marksOf(input, formatter),
    heading: formatter.outside(merchantName(merchant)),
    subheading: dayLine(day, texts),
    lead: headlineOf(input, formatter),
    leadNote: texts.say('received.day'),
    stamp: stampOf(manifest, formatter),
    preheader: preheaderOf(before, after, formatter),
    sections: [
      ...figureSection(changedFigures(before, after), formatter),
      ...rowSections(rows, formatter),
      ...(questions.length === 0 ? [] : [{ heading: texts.say('toDo'), lines: questions }]),
      { notes: fullFigures(input, formatter) },
    ],
    ...footerOf(merchant, 'report', formatter),
    reference: texts.say('correction.reference', { reference }),
  };
}

/**
 * The mail about a sealed revision whose figures differ from those of the last mail. The same input gives the
 * same mail.
 */
export function renderCorrection(input: CorrectionInput): RenderedMail {
  const { language, currency } = input.merchant;
  const texts = textsIn(language);
  const contents = fittingMail((limits) => pageOf(input, new FigureFormatter(texts, currency, limits)));
  return { subject: subjectOf(input, new FigureFormatter(texts, currency, SUBJECT)), ...contents };
}
