const HOURS = 24;
const MINUTES = 60;
const MINUTES_OF: Record<string, number> = { minute: 1, hour: MINUTES, day: MINUTES * HOURS };

/** How many values of a cron field are chosen, of `count` values from 0. */
function chosen(field: string, count: number): number {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step] = part.split('/');
    const [first = '', last] = range.split('-');
    const from = first === '*' ? 0 : Number(first);
    const to =
      first === '*' || (last === undefined && step !== undefined) ? count - 1 : Number(last ?? first);
    for (let value = from; value <= to && value < count; value += Math.max(1, Number(step ?? 1)))
      values.add(value);
  }
  return values.size;
}

/**
 * How often a schedule of EventBridge Scheduler runs in a day: `rate(15 minutes)`, `cron(0/15 * * * ? *)`. A cron expression
 * for some days only counts as one for every day.
 *
 * @returns `undefined` for any other text
 */
export function runsADay(expression: string): number | undefined {
  const [, every, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = MINUTES_OF[unit];
  if (every !== undefined && minutes !== undefined) return (MINUTES * HOURS) / (Number(every) * minutes);
  const [, minute, hour] = /^cron\((\S+) (\S+)( \S+){4}\)$/.exec(expression) ?? [];
  if (minute === undefined || hour === undefined) return undefined;
  return chosen(minute, MINUTES) * chosen(hour, HOURS);
}
