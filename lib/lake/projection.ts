import { partitionTemplate } from './lake-table.ts';
import type { LakeTable, PartitionColumn } from './lake-table.ts';
import { addDays } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import type { PeriodKind } from '#records/period/period.ts';

function numbers(last: number): string[] {
  return Array.from({ length: last }, (_, index) => (index + 1).toString().padStart(2, '0'));
}

/** The days of a year with a 29 February. */
const LEAP_YEAR = daysOf({ from: '2028-01-01', to: '2028-12-31' });

const PARTS: Record<PeriodKind, readonly string[]> = {
  month: numbers(12),
  week: numbers(53).map((number) => `W${number}`),
  day: LEAP_YEAR.map((day) => day.slice(5)),
};

/** Everything that may follow the year in the name of a period: `11` of a month, `W47` of a week, `11-20` of a day. */
function periodParts(kinds: readonly PeriodKind[]): string[] {
  return kinds.flatMap((kind) => PARTS[kind]);
}

/** The most days from the first day of a week to its Thursday, which names it. */
const TO_THE_THURSDAY = 6;

/** The year in the name of the first period with a day in the tables. A week may have the name of the year before. */
function firstYear(firstDay: string): string {
  return addDays(firstDay, -TO_THE_THURSDAY).slice(0, 4);
}

/** A date of each day or year. Athena's "now" is in UTC. */
function dates(format: string, unit: 'DAYS' | 'YEARS', range: string): Record<string, string> {
  return { type: 'date', format, interval: '1', 'interval.unit': unit, range };
}

function projected(
  column: PartitionColumn,
  { periods = [] }: LakeTable,
  firstDay: string,
): Record<string, string> {
  switch (column) {
    case 'merchant':
      return { type: 'injected' };
    case 'day':
    case 'noted_on':
      // A merchant can be a day ahead of UTC.
      return dates('yyyy-MM-dd', 'DAYS', `${firstDay},NOW+1DAYS`);
    case 'year':
      // A period is sealed when it is over: by then, its year has begun in UTC as well.
      return dates('yyyy', 'YEARS', `${firstYear(firstDay)},NOW`);
    case 'part':
      return { type: 'enum', values: periodParts(periods).join(',') };
  }
}

/**
 * The table's parameters that tell Athena its partitions without a list.
 *
 * @param firstDay the first day of the tables
 * @param bucketUrl such as `s3://bucket/`
 */
export function projectionOf(table: LakeTable, firstDay: string, bucketUrl: string): Record<string, string> {
  const columns = table.partitions.flatMap((column) =>
    Object.entries(projected(column, table, firstDay)).map(([name, value]): [string, string] => [
      `projection.${column}.${name}`,
      value,
    ]),
  );
  return {
    'projection.enabled': 'true',
    ...Object.fromEntries(columns),
    'storage.location.template': bucketUrl + partitionTemplate(table),
  };
}
