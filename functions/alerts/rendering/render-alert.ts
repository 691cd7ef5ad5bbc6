import type { AlertLine } from '#mail/ledger/alert-line.ts';
import { worstFirst } from '../rules/worst-first.ts';
import { dayLine } from '#mail/formatters/day-formatter.ts';
import { merchantName, nameInSubject } from '#mail/formatters/merchant-name.ts';
import { bounded, isolated, oneLine, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { footerOf } from '#mail/template/footer.ts';
import { fittingMail } from '#mail/template/fitting-mail.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import type { MailPage, PageSection, PageTile, RenderedMail } from '#mail/template/mail-page.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { AlertFormatter } from './alert-formatter.ts';
import type { AlertInput } from './alert-input.ts';
import {
  courseDetails,
  courseTiles,
  fitInRow,
  itemsSection,
  noteLines,
  timesOf,
  TONES,
} from './alert-sections.ts';
import type { AlertWriter } from './alert-sections.ts';

/** Lines without a section, as a multiple of the list limit: the text part names every rule of a merchant. */
const LINES_FOR_A_SECTION = 10;

const LONGEST_HEADLINE = 100;

const IN_SUBJECT: Limits = { list: 1, rows: 0, text: LONGEST_HEADLINE };

function counted(lines: readonly AlertLine[], texts: Texts): string {
  const resolved = lines.filter(({ says }) => says === 'resolved').length;
  const firing = lines.length - resolved;
  return [
    ...(firing > 0 ? [texts.say('alerts.counted', { count: firing })] : []),
    ...(resolved > 0 ? [texts.say('alerts.counted.resolved', { count: resolved })] : []),
  ].join(texts.say('comma'));
}

/** `16 unpaid invoices today, your limit is 10 · Alert · Kuwait Coffee` */
function subjectOf(input: AlertInput, texts: Texts): string {
  const formatter = new AlertFormatter(texts, input, IN_SUBJECT);
  const lines = worstFirst(input.lines);
  const parts = lines.slice(0, 1).flatMap((worst) => {
    const headline = bounded(withoutIsolates(formatter.headline(worst)), LONGEST_HEADLINE);
    return [headline, lines.length === 1 ? formatter.state(worst) : counted(lines, texts)];
  });
  return oneLine([...parts, nameInSubject(input.merchant)].join(' · '), LONGEST_SUBJECT);
}

function sentenceBelowTitle(line: AlertLine, { formatter }: AlertWriter): string[] {
  return formatter.title(line) === null ? [] : [formatter.sentence(line)];
}

function tilesOf(line: AlertLine, writer: AlertWriter): PageTile[] {
  const course = courseTiles(line, writer);
  return fitInRow(course) ? course : [];
}

function onlySections(line: AlertLine, writer: AlertWriter): PageSection[] {
  const sentence = sentenceBelowTitle(line, writer).map((text) => ({ text, tone: 'plain' as const }));
  const isInRow = fitInRow(courseTiles(line, writer));
  const details = [...timesOf(line, writer), ...(isInRow ? [] : courseDetails(line, writer))];
  return [{ lines: [...sentence, ...noteLines(line, writer)], details }, ...itemsSection(line, writer)];
}

function lineSections(line: AlertLine, writer: AlertWriter): PageSection[] {
  const { formatter } = writer;
  const sentence = sentenceBelowTitle(line, writer).map((text) => ({ text, tone: 'plain' as const }));
  return [
    {
      heading: formatter.state(line),
      lines: [
        { text: formatter.headline(line), tone: TONES[line.says] },
        ...sentence,
        ...noteLines(line, writer),
      ],
      details: [...timesOf(line, writer), ...courseDetails(line, writer)],
    },
    ...itemsSection(line, writer),
  ];
}

function moreSection(lines: readonly AlertLine[], { formatter, texts }: AlertWriter): PageSection {
  return {
    heading: texts.say('moreLines', { count: lines.length }),
    lines: lines.slice(0, formatter.limits.list * LINES_FOR_A_SECTION).map((line) => ({
      text: [formatter.state(line), formatter.headline(line)].join(': '),
      tone: TONES[line.says],
    })),
  };
}

function changeLine({ replyTo, lines }: AlertInput, texts: Texts): string {
  const change = lines.length === 1 ? 'alerts.change' : 'alerts.changeSome';
  return replyTo === null
    ? texts.say(`${change}.provider`)
    : texts.say(`${change}.reply`, { address: isolated(replyTo) });
}

/** What support needs to find the check: its time begins the name of its ledger. */
function referenceOf({ merchant, day, checkedAt }: AlertInput, texts: Texts): string {
  const time = `${new Date(checkedAt).toISOString().slice(11, 19)} UTC`;
  return texts.say('alerts.reference', {
    merchant: isolated(merchant.merchantCode),
    day: isolated(day),
    time: isolated(time),
  });
}

/** What the subject does not say: the sentence below a title, the note and the times, or the other rules. */
function preheaderOf(lines: readonly AlertLine[], writer: AlertWriter): string {
  const [only, ...others] = lines;
  if (only === undefined) return '';
  if (others.length > 0) return others.map((line) => writer.formatter.headline(line)).join(' · ');
  const times = timesOf(only, writer).map(({ label, value }) => `${label}: ${value}`);
  const note = noteLines(only, writer).map(({ text }) => text);
  return [...sentenceBelowTitle(only, writer), ...note, ...times].join(' · ');
}

function pageOf(input: AlertInput, formatter: AlertFormatter, texts: Texts): MailPage {
  const writer = { input, formatter, texts };
  const lines = worstFirst(input.lines);
  const own = lines.slice(0, formatter.limits.list);
  const more = lines.slice(own.length);
  const [worst] = lines;
  const only = lines.length === 1 ? worst : undefined;
  const end = footerOf(input.merchant, 'alert', formatter.figures);
  return {
    texts,
    marks: worst === undefined ? [] : [{ text: formatter.state(worst), tone: TONES[worst.says] }],
    heading: isolated(merchantName(input.merchant), formatter.limits.text),
    subheading: dayLine(input.day, texts),
    lead: only === undefined ? counted(lines, texts) : formatter.headline(only),
    tiles: only === undefined ? [] : tilesOf(only, writer),
    preheader: preheaderOf(lines.slice(0, MOST_IN_PREHEADER), writer),
    sections: [
      ...(only === undefined
        ? own.flatMap((line) => lineSections(line, writer))
        : onlySections(only, writer)),
      ...(more.length > 0 ? [moreSection(more, writer)] : []),
    ],
    ...end,
    footer: [changeLine(input, texts), ...end.footer],
    reference: referenceOf(input, texts),
  };
}

/** A list of mails shows no more. */
const MOST_IN_PREHEADER = 4;

/** The one mail of a check, the worst rule first. The same input gives the same mail. */
export function renderAlert(input: AlertInput): RenderedMail {
  const texts = textsIn(input.merchant.language);
  const contents = fittingMail((limits) => pageOf(input, new AlertFormatter(texts, input, limits), texts));
  return { subject: subjectOf(input, texts), ...contents };
}
