import type { ViewColumn } from '../lake-view.ts';
import { ownColumn } from './own-column.ts';

/** SQL for the name of a row's period. A condition on it reaches the partitions, as it is made of them alone. */
export function periodName(alias?: string): string {
  const of = alias === undefined ? '' : `${alias}.`;
  return `${of}"year" || '-' || ${of}"part"`;
}

/** The period of a page. @param alias of a query with the partition columns */
export function periodColumns(alias: string): ViewColumn[] {
  const part = `${alias}."part"`;
  return [
    ownColumn(
      'period',
      'varchar',
      periodName(alias),
      'The period: the month 2026-11, the week 2026-W47, or the day 2026-11-20 of a group.',
    ),
    ownColumn(
      'period_kind',
      'varchar',
      `CASE WHEN ${part} LIKE 'W%' THEN 'week' WHEN length(${part}) = 2 THEN 'month' ELSE 'day' END`,
      'month, week or day.',
    ),
    ownColumn(
      'year',
      'varchar',
      `${alias}."year"`,
      'The year in the name of the period. A partition: a condition on it and on `part` is what keeps a query cheap.',
      { unit: 'YYYY' },
    ),
    ownColumn(
      'part',
      'varchar',
      part,
      'What follows the year: 11 of a month, W47 of a week, 11-20 of a day. A partition.',
    ),
  ];
}

/** The first and the last day of a page. @param alias of a query with `from` and `to` */
export function fromAndTo(alias: string, meanings: { from: string; to: string }): ViewColumn[] {
  return [
    ownColumn('from_date', 'date', `CAST(${alias}."from" AS date)`, meanings.from, { unit: 'date' }),
    ownColumn('to_date', 'date', `CAST(${alias}."to" AS date)`, meanings.to, { unit: 'date' }),
  ];
}
