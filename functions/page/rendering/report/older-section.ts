import type { Day } from '#records/day/business-day.ts';
import type { ChangedRow } from '#records/revision/changed-rows.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { Older } from '#records/revision/told.ts';
import { dayAndMonth } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { amountText, stateText } from '../correction/changed-figures.ts';
import { moreNotes, paragraph } from '../mail-parts.ts';

interface CountAndSum {
  count: number;
  /** Decimal string with three fraction digits. */
  sum: string;
}

/** In the order of the mail. */
export const WAYS = ['paid', 'cancelled', 'approved', 'rejected', 'other'] as const;
/** What became of an older invoice or refund. `approved` and `rejected` are of refunds. */
export type Way = (typeof WAYS)[number];

export interface LargestChange extends ChangedRow {
  table: Table;
  day: Day;
  currency: string;
}

/** What changed on older days since their last mail, and what is said of all of them. */
export interface OlderChanges {
  /** The days, newest first, with the number that their page has now. */
  pages: readonly { day: Day; revision: number }[];
  sums: readonly { currency: string; ways: Record<Way, CountAndSum> }[];
  largest: readonly LargestChange[];
  older: Older | null;
}

/** More would push the figures of the day off the second screen. */
export const MOST_LARGEST = 5;
const MOST_PAGES = 8;

function changeLines({ sums }: OlderChanges, formatter: FigureFormatter): string[] {
  return sums.flatMap(({ currency, ways }) =>
    WAYS.filter((way) => ways[way].count > 0).map((way) => {
      const { count, sum } = ways[way];
      return formatter.texts.say(`older.${way}`, { count, amount: formatter.in(currency).amount(sum) });
    }),
  );
}

function olderLines(older: Older | null, formatter: FigureFormatter): string[] {
  if (older === null) return [];
  const { expired, leaving } = older;
  const say = (name: TextName, { count, sum }: CountAndSum, day = '') =>
    count === 0 ? [] : [formatter.texts.say(name, { count, amount: formatter.amount(sum), day })];
  return [
    ...say('older.expired', expired),
    ...say('older.leaving', leaving, dayAndMonth(leaving.until, formatter.texts)),
  ];
}

function pageNotes({ pages }: OlderChanges, formatter: FigureFormatter): string[] {
  const { texts, limits } = formatter;
  if (pages.length === 0) return [];
  const shown = pages.slice(0, Math.min(MOST_PAGES, limits.list));
  const named = shown.map(({ day, revision }) =>
    texts.say('older.page', { day: dayAndMonth(day, texts), page: revision }),
  );
  return [
    texts.say('older.pages', { pages: named.join(texts.say('comma')) }),
    ...moreNotes(pages.length, shown.length, formatter),
  ];
}

function rowOf(change: LargestChange, formatter: FigureFormatter): PageFigures['rows'][number] {
  const { texts } = formatter;
  const name = change.table === 'invoices' ? 'correction.invoice' : 'correction.refund';
  const label = [texts.say(name, { id: formatter.outside(change.id) }), dayAndMonth(change.day, texts)];
  // What became of it is enough, where that says what it was: a line of a phone has no room for both.
  const { was, is } = change;
  const state = was === null || is === null ? change : { was: is, is };
  const said = [stateText(change.table, state, formatter), amountText(change, formatter.in(change.currency))];
  return { label: label.join(texts.say('comma')), values: [said.filter((text) => text !== '').join(' · ')] };
}

/** What ordinarily becomes of older invoices and refunds: it has no mail of its own. */
export function olderSection(
  changes: OlderChanges | null | undefined,
  formatter: FigureFormatter,
): PageSection[] {
  if (!changes) return [];
  const { texts, limits } = formatter;
  const said = [...changeLines(changes, formatter), ...olderLines(changes.older, formatter)];
  const rows = changes.largest
    .slice(0, Math.min(MOST_LARGEST, limits.list))
    .map((change) => rowOf(change, formatter));
  const notes = pageNotes(changes, formatter);
  if (said.length + notes.length === 0) return [];
  return [
    {
      heading: texts.say('older'),
      // In one paragraph: the mail is long.
      lines: said.length === 0 ? [] : [paragraph(said.join(' '))],
      ...(rows.length > 0 && {
        // The lines above say what they are.
        figures: { columns: [], rows },
      }),
      notes,
    },
  ];
}
