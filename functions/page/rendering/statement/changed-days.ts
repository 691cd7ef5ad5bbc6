import type { Day } from '#records/day/business-day.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { changeText } from '../correction/change-words.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { listedDays } from '#mail/formatters/period-formatter.ts';
import type { PageSection } from '#mail/template/mail-page.ts';

interface ChangedDay {
  day: Day;
  was: StatementDay | undefined;
  is: StatementDay | undefined;
}

function changedDays(before: Statement, after: Statement): ChangedDay[] {
  const [was, is] = [before, after].map(({ days }) => new Map(days.map((day) => [day.day, day])));
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .sort()
    .map((day) => ({ day, was: was?.get(day), is: is?.get(day) }))
    .filter((day) => day.was?.revision !== day.is?.revision);
}

function revisionText({ was, is }: ChangedDay, { texts }: FigureFormatter): string {
  if (was === undefined) return texts.say('statement.day.new');
  if (is === undefined) return texts.say('statement.day.gone');
  return texts.say('group.revision', {
    revision: [was.revision, is.revision].map((revision) => String(revision)).join(texts.say('arrow')),
  });
}

function receivedText({ was, is }: ChangedDay, formatter: FigureFormatter): string {
  const day = is ?? was;
  if (day === undefined || was === undefined || is === undefined) {
    return formatter.amount(day?.net.received ?? null);
  }
  const [before, after] = [was.net.received, is.net.received];
  return before === after ? formatter.amount(after) : changeText(before, after, formatter);
}

/** The days with another revision than before: what was received on them, before and now. */
export function changedDaysSection(
  before: Statement,
  after: Statement,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const days = changedDays(before, after);
  if (days.length === 0) return [];
  return [
    {
      heading: texts.say('statement.daysChanged'),
      table: {
        columns: [
          { text: texts.say('statement.day'), under: texts.say('workbook.revision') },
          { text: texts.say('statement.received') },
        ],
        rows: days.map((day) => ({
          cells: [
            { text: dayOfTrend(day.day, texts), under: revisionText(day, formatter) },
            { text: receivedText(day, formatter) },
          ],
        })),
      },
    },
  ];
}

/** The days that arrived, were confirmed, or are no longer confirmed since the last mail, in sentences. */
export function settledSentences(before: Statement, after: Statement, { texts }: FigureFormatter): string[] {
  const sealed = new Set(after.days.map(({ day }) => day));
  const [was, is] = [new Set(before.unbalanced), new Set(after.unbalanced)];
  const sentence = (
    name: 'statement.arrived' | 'statement.confirmed' | 'statement.unconfirmed',
    days: Day[],
  ) => (days.length === 0 ? [] : [texts.say(name, { days: listedDays(days, texts) })]);
  const arrived = before.missing.filter((day) => sealed.has(day));
  return [
    ...sentence('statement.arrived', arrived),
    ...sentence(
      'statement.confirmed',
      before.unbalanced.filter((day) => !is.has(day) && sealed.has(day)),
    ),
    ...sentence(
      'statement.unconfirmed',
      after.unbalanced.filter((day) => !was.has(day) && !arrived.includes(day)),
    ),
  ];
}
