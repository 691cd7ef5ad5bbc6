import type { Table } from '#records/revision/manifest.ts';
import type { ChangedRow, ChangedRows, RowState } from '#records/revision/changed-rows.ts';
import { MOST_LISTED } from '#records/revision/changed-rows.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-page.ts';
import { moreLines } from '../report/more-lines.ts';
import { changeText } from './change-words.ts';
import type { CorrectionInput } from './correction-input.ts';

/** Places that refunds get of the list when there are many invoices. */
const KEPT_FOR_REFUNDS = 3;

function stateName(table: Table, { state }: RowState, formatter: FigureFormatter): string | null {
  if (state === null) return null;
  if (table === 'refunds') return formatter.refundStatus(state);
  const name = `states.${state}`;
  return formatter.texts.has(name) ? formatter.texts.say(name) : formatter.outside(state);
}

/** The state before and after, or that the row is new or gone. Empty when states are unknown. */
function stateText(table: Table, { was, is }: ChangedRow, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const [before, after] = [was, is].map((state) => state && stateName(table, state, formatter));
  const named = (name: 'new' | 'gone', state: string | null | undefined) =>
    typeof state === 'string'
      ? texts.say(`correction.${name}`, { state })
      : texts.say(`correction.${name}.unknown`);
  if (was === null) return named('new', after);
  if (is === null) return named('gone', before);
  if (typeof before !== 'string' || typeof after !== 'string') return '';
  return before === after ? after : [before, after].join(texts.say('arrow'));
}

function amountText({ was, is }: ChangedRow, formatter: FigureFormatter): string {
  const before = (was ?? is)?.amount ?? null;
  const after = (is ?? was)?.amount ?? null;
  return before === after ? formatter.amount(after) : changeText(before, after, formatter);
}

function rowsOf(
  table: Table,
  { first }: ChangedRows,
  most: number,
  formatter: FigureFormatter,
): PageFigures['rows'] {
  const name = table === 'invoices' ? 'correction.invoice' : 'correction.refund';
  return first.slice(0, most).map((row) => ({
    label: formatter.texts.say(name, { id: formatter.outside(row.id) }),
    // One value, because a narrow screen has no room for three columns.
    values: [
      [stateText(table, row, formatter), amountText(row, formatter)]
        .filter((text) => text !== '')
        .join(' · '),
    ],
    under: true,
  }));
}

export function rowSections(rows: CorrectionInput['rows'], formatter: FigureFormatter): PageSection[] {
  const { texts, limits } = formatter;
  if (rows === null) return [{ lines: [{ text: texts.say('correction.rows.unknown'), tone: 'plain' }] }];
  const { invoices, refunds } = rows;
  const count = invoices.count + refunds.count;
  if (count === 0) return [];
  const most = Math.min(MOST_LISTED, limits.list);
  const ofRefunds = Math.min(
    refunds.count,
    Math.max(most - invoices.count, Math.min(KEPT_FOR_REFUNDS, most)),
  );
  const shown = [
    ...rowsOf('invoices', invoices, most - ofRefunds, formatter),
    ...rowsOf('refunds', refunds, ofRefunds, formatter),
  ];
  return [
    {
      heading: texts.say('correction.rows'),
      figures: {
        columns: [texts.say('correction.number'), texts.say('correction.stateAndAmount')],
        rows: shown,
      },
      notes: moreLines(count, shown.length, formatter).map(({ text }) => text),
    },
  ];
}
