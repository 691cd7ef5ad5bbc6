/** The values that a field may have, first and last, and the names that stand for them, beginning with the first. */
export interface CronRange {
  first: number;
  last: number;
  names?: readonly string[];
}

export const MINUTES_OF_HOUR: CronRange = { first: 0, last: 59 };
export const HOURS_OF_DAY: CronRange = { first: 0, last: 23 };
/** As EventBridge counts them. */
export const DAYS_OF_WEEK: CronRange = {
  first: 1,
  last: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};

/** A value, a range such as `1-5`, or `*` or `?` for all, each with a step such as `/15` or without. */
const PART = /^(?:[*?]|(?<from>[\dA-Z]+)(?:-(?<to>[\dA-Z]+))?)(?:\/(?<step>\d+))?$/;

/**
 * The values that a field of a cron expression chooses, such as 0, 15, 30 and 45 for `0/15` of {@link MINUTES_OF_HOUR}.
 *
 * @returns `undefined` for what is no choice of single values, such as `L`, `W` and `#`
 */
export function cronValues(field: string, { first, last, names = [] }: CronRange): Set<number> | undefined {
  const valueOf = (text: string) => (names.includes(text) ? first + names.indexOf(text) : Number(text));
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const groups = PART.exec(part)?.groups;
    if (groups === undefined) return undefined;
    const { from, to, step } = groups;
    const begin = from === undefined ? first : valueOf(from);
    // With a step and no end, a field counts on to its last value.
    const end = to === undefined ? (from === undefined || step !== undefined ? last : begin) : valueOf(to);
    if (!(begin >= first && begin <= last && end >= first && end <= last)) return undefined;
    const size = last - first + 1;
    // A range may go past the end, such as from Friday to Monday.
    const length = (end - begin + size) % size;
    for (let at = 0; at <= length; at += Math.max(1, Number(step ?? 1)))
      values.add(first + ((begin - first + at) % size));
  }
  return values;
}
