import { HOURS_OF_DAY, MINUTES_OF_HOUR, cronValues } from '#lib/cron/cron-values.ts';

const HOURS = 24;
const MINUTES = 60;
const MINUTES_OF: Record<string, number> = { minute: 1, hour: MINUTES, day: MINUTES * HOURS };

/**
 * How often a schedule of EventBridge Scheduler runs in a day: `rate(15 minutes)`, `cron(0/15 * * * ? *)`. A cron expression
 * for some days only counts as one for every day.
 *
 * @returns `undefined` for any other text
 */
export function runsADay(expression: string): number | undefined {
  const [, every, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const length = MINUTES_OF[unit];
  if (every !== undefined && length !== undefined) return (MINUTES * HOURS) / (Number(every) * length);
  const [, minute, hour] = /^cron\((\S+) (\S+)( \S+){4}\)$/.exec(expression) ?? [];
  if (minute === undefined || hour === undefined) return undefined;
  const minutes = cronValues(minute, MINUTES_OF_HOUR)?.size;
  const hours = cronValues(hour, HOURS_OF_DAY)?.size;
  return minutes === undefined || hours === undefined ? undefined : minutes * hours;
}
