import type { AlertLine, AlertItem } from '#records/ledger/alert-line.ts';
import { kindBehind } from '../rules/measures.ts';
import { worstFirst } from '#records/ledger/alert-line.ts';
import { dayLine, moment, shortDay, timeOfDay } from '#mail/formatters/day-formatter.ts';
import { merchantName, nameInSubject } from '#mail/template/mailed-merchant.ts';
import { bounded, isolated, oneLine, withoutIsolates, isVisible } from '#mail/formatters/outside-text.ts';
import { footerOf } from '#mail/template/footer.ts';
import { fittingMail } from '#mail/template/fitting-mail.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-layout.ts';
import type {
  MailPage,
  PageSection,
  KeyFigure,
  RenderedMail,
  PageItem,
  PageLine,
  Tone,
} from '#mail/template/mail-layout.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { AlertFormatter } from './alert-formatter.ts';
import type { AlertInput } from './alert-formatter.ts';

interface AlertWriter {
  input: AlertInput;
  formatter: AlertFormatter;
  texts: Texts;
}

const TONES: Record<AlertLine['says'], Tone> = {
  firing: 'bad',
  'still firing': 'bad',
  resolved: 'good',
};

/** How the figure went: at the beginning, at its worst and now. Empty with nothing but the sentence's value. */
function courseFigures(line: AlertLine, { formatter, texts }: AlertWriter): KeyFigure[] {
  const { course, value, says, bound } = line;
  if (course === null) return [];
  const isNew = says === 'firing' && course.began === value && course.worst === value;
  if (isNew) return [];
  const worst = bound.side === 'above' ? 'alerts.highest' : 'alerts.lowest';
  const isOver = says === 'resolved';
  return [
    { label: texts.say('alerts.began'), value: formatter.value(course.began, line) },
    { label: texts.say(isOver ? `${worst}.resolved` : worst), value: formatter.value(course.worst, line) },
    { label: texts.say(isOver ? 'alerts.atTheEnd' : 'alerts.now'), value: formatter.value(value, line) },
  ];
}

/** How many items a repeated mail names. The first mail named more, and this one has to show the course. */
const MOST_WHILE_FIRING = 3;

const LONGEST_ID_IN_NOTE = 20;

/** Since when it fires, or from when until when it fired. The duration is between the two times shown. */
function timesOf(line: AlertLine, { input, formatter, texts }: AlertWriter): KeyFigure[] {
  const { since, until, says } = line;
  const time = (instant: string) => moment(instant, input.merchant.timeZone, texts);
  const end = until ?? input.checkedAt;
  const isOver = says === 'resolved';
  const began = { label: texts.say(isOver ? 'alerts.from' : 'alerts.since'), value: time(since) };
  if (time(since) === time(end)) return [began];
  const duration = formatter.between(since, end);
  if (!isOver) {
    // The mail is of the day of the check, so the time of day is enough.
    const soFar = texts.say('alerts.durationUntil', {
      duration,
      time: timeOfDay(end, input.merchant.timeZone, texts),
    });
    return [began, { label: texts.say('alerts.lastedSoFar'), value: soFar }];
  }
  return [
    began,
    { label: texts.say('alerts.until'), value: time(end) },
    { label: texts.say('alerts.lasted'), value: duration },
  ];
}

function wordsBelow(line: AlertLine, { formatter }: AlertWriter): PageLine[] {
  const sentence = formatter.title(line) === null ? null : formatter.sentence(line);
  const words = [sentence, formatter.note(line)].filter((text) => text !== null);
  return words.map((text) => ({ text, tone: 'plain' }));
}

function itemOf(
  item: AlertItem,
  { day, isRefund }: { day: string; isRefund: boolean },
  { formatter, texts }: AlertWriter,
): PageItem {
  const { id, reference, expiresOn } = item;
  const nameWith = (shown: string) =>
    texts.say(isRefund ? 'alerts.refund' : 'invoice', { id: formatter.figures.outside(shown) });
  const isNamed = reference !== null && isVisible(reference);
  const expires =
    expiresOn === null ? [] : [texts.say('expires', { day: isolated(shortDay(expiresOn, texts)) })];
  const facts = [...(isNamed ? [nameWith(bounded(id, LONGEST_ID_IN_NOTE))] : []), ...expires];
  const note = facts.length === 0 ? isolated(shortDay(day, texts)) : facts.join(texts.say('comma'));
  return {
    title: isNamed ? formatter.figures.outside(reference) : nameWith(id),
    note,
    value: formatter.amount(item),
  };
}

function itemsSection(line: AlertLine, writer: AlertWriter): PageSection[] {
  const { formatter, texts, input } = writer;
  const kind = kindBehind(line.measure);
  if (line.items.length === 0 || kind === undefined) return [];
  const most = line.says === 'firing' ? formatter.figures.limits.list : MOST_WHILE_FIRING;
  const shown = line.items.slice(0, Math.min(most, formatter.figures.limits.list));
  const isPart = line.unit === 'count' && Number(line.value) > shown.length;
  const some = texts.say('alerts.items.some', {
    shown: shown.length,
    all: formatter.value(line.value, line),
  });
  return [
    {
      heading: texts.say(`alerts.items.${kind}`),
      items: shown.map((item) =>
        itemOf(item, { day: line.day ?? input.day, isRefund: kind === 'refunds' }, writer),
      ),
      ...(isPart && { notes: [some] }),
    },
  ];
}

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

/** `Alert · 16 unpaid invoices today, your limit is 10 · Kuwait Coffee`: a phone shows the beginning. */
function subjectOf(input: AlertInput, texts: Texts): string {
  const formatter = new AlertFormatter(texts, input, IN_SUBJECT);
  const lines = worstFirst(input.lines);
  const parts = lines.slice(0, 1).flatMap((worst) => {
    const headline = bounded(withoutIsolates(formatter.headline(worst)), LONGEST_HEADLINE);
    return [lines.length === 1 ? formatter.state(worst) : counted(lines, texts), headline];
  });
  return oneLine([...parts, nameInSubject(input.merchant)].join(' · '), LONGEST_SUBJECT);
}

function onlySections(line: AlertLine, writer: AlertWriter): PageSection[] {
  return [{ lines: wordsBelow(line, writer), details: timesOf(line, writer) }, ...itemsSection(line, writer)];
}

function lineSections(line: AlertLine, writer: AlertWriter): PageSection[] {
  const { formatter } = writer;
  const headline = { text: formatter.headline(line), tone: TONES[line.says] };
  return [
    {
      heading: formatter.state(line),
      lines: [headline, ...wordsBelow(line, writer)],
      // Its headline says the last one.
      details: [...timesOf(line, writer), ...courseFigures(line, writer).slice(0, 2)],
    },
    ...itemsSection(line, writer),
  ];
}

function moreSection(lines: readonly AlertLine[], { formatter, texts }: AlertWriter): PageSection {
  return {
    heading: texts.say('moreLines', { count: lines.length }),
    lines: lines.slice(0, formatter.figures.limits.list * LINES_FOR_A_SECTION).map((line) => ({
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
  return [...wordsBelow(only, writer).map(({ text }) => text), ...times].join(' · ');
}

function pageOf(input: AlertInput, formatter: AlertFormatter, texts: Texts): MailPage {
  const writer = { input, formatter, texts };
  const lines = worstFirst(input.lines);
  const own = lines.slice(0, formatter.figures.limits.list);
  const more = lines.slice(own.length);
  const [worst] = lines;
  const only = lines.length === 1 ? worst : undefined;
  const end = footerOf(input.merchant, 'alert', formatter.figures);
  return {
    texts,
    marks: worst === undefined ? [] : [{ text: formatter.state(worst), tone: TONES[worst.says] }],
    heading: isolated(merchantName(input.merchant), formatter.figures.limits.text),
    subheading: dayLine(input.day, texts),
    lead: only === undefined ? counted(lines, texts) : formatter.headline(only),
    keyFigures: only === undefined ? [] : courseFigures(only, writer),
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
