import type { AlertItem, AlertLine } from '#mail/ledger/alert-line.ts';
import { moment, shortDay, timeOfDay } from '#mail/formatters/day-formatter.ts';
import { bounded, isolated, isVisible, withoutIsolates } from '#mail/formatters/outside-text.ts';
import type { PageItem, PageLine, PageSection, PageTile, Tone } from '#mail/template/mail-page.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { AlertFormatter } from './alert-formatter.ts';
import type { AlertInput } from './alert-input.ts';

export interface AlertWriter {
  input: AlertInput;
  formatter: AlertFormatter;
  texts: Texts;
}

export const TONES: Record<AlertLine['says'], Tone> = {
  firing: 'bad',
  'still firing': 'bad',
  resolved: 'good',
};

const ITEMS_OF = {
  unpaidCount: 'unpaid',
  unpaidShare: 'unpaid',
  unpaidAmount: 'unpaid',
  cancelledCount: 'cancelled',
  cancelledShare: 'cancelled',
  refundCount: 'refunds',
  refundTotal: 'refunds',
  refundShare: 'refunds',
  largestRefund: 'refunds',
  expiringUnpaid: 'expiring',
} as const;

function hasItems(measure: string): measure is keyof typeof ITEMS_OF {
  return Object.hasOwn(ITEMS_OF, measure);
}

/**
 * How the figure went: at the beginning, at its worst and now. Empty with nothing but the sentence's value.
 */
export function courseTiles(line: AlertLine, { formatter, texts }: AlertWriter): PageTile[] {
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

/** UTF-16 units of a figure that fits beside two others on a narrow screen. */
const LONGEST_IN_ROW = 8;

const LONGEST_ID_IN_NOTE = 20;

/** Whether the figures fit in one row. Amounts and durations have a line each. */
export function fitInRow(tiles: readonly PageTile[]): boolean {
  return tiles.every(({ value }) => withoutIsolates(value).length <= LONGEST_IN_ROW);
}

export function courseDetails(line: AlertLine, writer: AlertWriter): PageTile[] {
  return courseTiles(line, writer).slice(0, 2);
}

/** Since when it fires, or from when until when it fired. The duration is between the two times shown. */
export function timesOf(line: AlertLine, { input, formatter, texts }: AlertWriter): PageTile[] {
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

export function noteLines(line: AlertLine, { formatter }: AlertWriter): PageLine[] {
  const note = formatter.note(line);
  return note === null ? [] : [{ text: note, tone: 'plain' }];
}

function itemOf(
  item: AlertItem,
  { day, isRefund }: { day: string; isRefund: boolean },
  { formatter, texts }: AlertWriter,
): PageItem {
  const { id, reference, expiresOn } = item;
  const nameWith = (shown: string) =>
    texts.say(isRefund ? 'alerts.refund' : 'invoice', { id: formatter.outside(shown) });
  const isNamed = reference !== null && isVisible(reference);
  const expires =
    expiresOn === null ? [] : [texts.say('expires', { day: isolated(shortDay(expiresOn, texts)) })];
  const facts = [...(isNamed ? [nameWith(bounded(id, LONGEST_ID_IN_NOTE))] : []), ...expires];
  const note = facts.length === 0 ? isolated(shortDay(day, texts)) : facts.join(texts.say('comma'));
  return {
    title: isNamed ? formatter.outside(reference) : nameWith(id),
    note,
    value: formatter.amount(item),
  };
}

/** The invoices or refunds to look at next. Empty when the line names none. */
export function itemsSection(line: AlertLine, writer: AlertWriter): PageSection[] {
  const { formatter, texts, input } = writer;
  if (line.items.length === 0 || !hasItems(line.measure)) return [];
  const kind = ITEMS_OF[line.measure];
  const most = line.says === 'firing' ? formatter.limits.list : MOST_WHILE_FIRING;
  const shown = line.items.slice(0, Math.min(most, formatter.limits.list));
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
