import type { ChangedRow, RowState } from '#records/revision/changed-rows.ts';
import type { Table } from '#records/revision/manifest.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { changeText } from './correction/changed-figures.ts';

function stateName(table: Table, { state }: RowState, formatter: FigureFormatter): string | null {
  if (state === null) return null;
  if (table === 'refunds') return formatter.refundStatus(state);
  const name = `states.${state}`;
  return formatter.texts.has(name) ? formatter.texts.say(name) : formatter.outside(state);
}

/** The state before and after, or that the row is new or gone. Empty when states are unknown. */
export function stateText(
  table: Table,
  { was, is }: Pick<ChangedRow, 'was' | 'is'>,
  formatter: FigureFormatter,
): string {
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

/** The amount, with the one before if it is another. */
export function amountText({ was, is }: Omit<ChangedRow, 'id'>, formatter: FigureFormatter): string {
  const before = (was ?? is)?.amount ?? null;
  const after = (is ?? was)?.amount ?? null;
  return before === after ? formatter.amount(after) : changeText(before, after, formatter);
}
