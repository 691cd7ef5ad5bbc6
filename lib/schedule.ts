import * as z from 'zod';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const UNITS = new Map([
  ['minute', 1],
  ['hour', HOUR],
  ['day', DAY],
]);

/** CloudWatch looks back seven days at most, with periods of an hour. */
const MOST_HOURS = 168;
/**
 * Runs may come late, and a night in autumn has an hour more. A run that the clock leaves out in spring is not counted in: the runbook says what
 * an alarm means then.
 */
const SPARE_HOURS = 2;

/** The values that a field of a cron expression may have, and the names that stand for them, beginning with the first. */
interface CronRange {
  first: number;
  last: number;
  names?: readonly string[];
}

const MINUTES_OF_HOUR: CronRange = { first: 0, last: 59 };
const HOURS_OF_DAY: CronRange = { first: 0, last: 23 };
/** As EventBridge counts them. */
const DAYS_OF_WEEK: CronRange = {
  first: 1,
  last: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};

/** A value, a range such as `1-5`, or `*` or `?` for all, each with a step such as `/15` or without. */
const PART = /^(?:[*?]|(?<from>\d{1,2}|[A-Z]+)(?:-(?<to>\d{1,2}|[A-Z]+))?)(?:\/(?<step>[0-5]?\d))?$/;
/** A number of at most two digits, the name of a month or weekday, or a sign of cron. */
const FIELD = /^[\dA-Z*,/L#W-]+$/;

/**
 * The values that a field chooses, such as 0, 15, 30 and 45 for `0/15` of {@link MINUTES_OF_HOUR}; `undefined` for what is no choice of single
 * values, such as `L`, `W` and `#`.
 */
function cronValues(field: string, { first, last, names = [] }: CronRange): Set<number> | undefined {
  const valueOf = (text: string) => (names.includes(text) ? first + names.indexOf(text) : Number(text));
  const size = last - first + 1;
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const groups = PART.exec(part)?.groups;
    if (groups === undefined) return undefined;
    const { from, to, step } = groups;
    const begin = from === undefined ? first : valueOf(from);
    // With a step and no end, a field counts on to its last value.
    const end = to === undefined ? (from === undefined || step !== undefined ? last : begin) : valueOf(to);
    if (!(begin >= first && begin <= last && end >= first && end <= last)) return undefined;
    // A range may go past the end, such as from Friday to Monday.
    const length = (end - begin + size) % size;
    for (let at = 0; at <= length; at += Math.max(1, Number(step ?? 1)))
      values.add(first + ((begin - first + at) % size));
  }
  return values;
}

/** The time between two runs of `rate(…)`, minutes; `undefined` for everything else. */
function minutesOfRate(expression: string): number | undefined {
  const [, every, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = UNITS.get(unit);
  return minutes === undefined ? undefined : Number(every) * minutes;
}

function cronFields(expression: string): string[] | undefined {
  return /^cron\((\S+(?: \S+){5})\)$/.exec(expression)?.[1]?.split(' ');
}

/** The times of a cron expression's runs, minutes since the week began; none if its weeks differ. */
function runsOfAWeek(expression: string): number[] {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] =
    cronFields(expression) ?? [];
  if (![dayOfMonth, month, year].every((field) => field === '*' || field === '?')) return [];
  const minutes = [...(cronValues(minute, MINUTES_OF_HOUR) ?? [])];
  const hours = [...(cronValues(hour, HOURS_OF_DAY) ?? [])];
  const days = [...(cronValues(dayOfWeek, DAYS_OF_WEEK) ?? [])];
  return days
    .flatMap((day) => hours.flatMap((at) => minutes.map((past) => (day - 1) * DAY + at * HOUR + past)))
    .sort((one, other) => one - other);
}

/** The longest time from one run to the next, minutes; `undefined` if the pauses are not the same every week. */
function longestPause(expression: string): number | undefined {
  const runs = runsOfAWeek(expression);
  const [first] = runs;
  if (first === undefined) return minutesOfRate(expression);
  return Math.max(...runs.map((run, index) => (runs[index + 1] ?? first + WEEK) - run));
}

/**
 * The number of hours without a run after which a schedule has stopped: a little more than it ever pauses by itself.
 * @param expression `rate(…)` or `cron(…)` of EventBridge Scheduler
 * @returns `undefined` if no alarm of CloudWatch can wait so long, or if the pauses are not the same every week
 */
export function hoursOfSilence(expression: string): number | undefined {
  const pause = longestPause(expression);
  if (pause === undefined) return undefined;
  const hours = Math.ceil(pause / HOUR) + SPARE_HOURS;
  return hours <= MOST_HOURS ? hours : undefined;
}

function isSchedule(expression: string): boolean {
  if (minutesOfRate(expression) !== undefined) return true;
  const [minute = '', hour, dayOfMonth, month, dayOfWeek, year] = cronFields(expression) ?? [];
  // Exactly one of the two day fields must be `?`.
  const days = [dayOfMonth, dayOfWeek].filter((field) => field !== '?');
  if (days.length !== 1 || minute.includes('?') || cronValues(minute, MINUTES_OF_HOUR) === undefined)
    return false;
  return [hour, month, year, ...days].every((field = '') => FIELD.test(field));
}

/** A time in the form of EventBridge Scheduler: `rate(…)` or `cron(…)`. */
export const schedule = z
  .string()
  .refine(
    isSchedule,
    'must be a schedule: rate(15 minutes), or cron(…) with six fields, "?" for one of the two days',
  );

/** A schedule that runs at least every hour, because two hours of silence raise an alarm. */
export const everyHour = schedule.refine(
  (expression) => (longestPause(expression) ?? Infinity) <= HOUR,
  'must run at least every hour, such as rate(15 minutes) or cron(0/15 * * * ? *): silence is an alarm',
);
