import { DAYS_OF_WEEK, HOURS_OF_DAY, MINUTES_OF_HOUR, cronValues } from './cron-values.ts';

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

/**
 * The number of hours without a run after which a schedule has stopped: a little more than it ever pauses by itself.
 *
 * @param expression `rate(…)` or `cron(…)` of EventBridge Scheduler
 * @returns `undefined` if no alarm of CloudWatch can wait so long, or if the pauses are not the same every week
 */
export function hoursOfSilence(expression: string): number | undefined {
  const pause = longestPause(expression);
  if (pause === undefined) return undefined;
  const hours = Math.ceil(pause / HOUR) + SPARE_HOURS;
  return hours <= MOST_HOURS ? hours : undefined;
}

/** The longest time from one run to the next, minutes. */
function longestPause(expression: string): number | undefined {
  const [, every, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = UNITS.get(unit);
  if (every !== undefined && minutes !== undefined) return Number(every) * minutes;
  const runs = runsOfAWeek(expression);
  const [first] = runs;
  if (first === undefined) return undefined;
  return Math.max(...runs.map((run, index) => (runs[index + 1] ?? first + WEEK) - run));
}

/** The times of a cron expression's runs, minutes since the week began; none if its weeks differ. */
function runsOfAWeek(expression: string): number[] {
  const fields = /^cron\((\S+(?: \S+){5})\)$/.exec(expression)?.[1]?.split(' ') ?? [];
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields;
  if (![dayOfMonth, month, year].every((field) => field === '*' || field === '?')) return [];
  const minutes = cronValues(minute, MINUTES_OF_HOUR) ?? [];
  const hours = cronValues(hour, HOURS_OF_DAY) ?? [];
  const days = cronValues(dayOfWeek, DAYS_OF_WEEK) ?? [];
  return [...days]
    .flatMap((day) =>
      [...hours].flatMap((at) => [...minutes].map((past) => (day - 1) * DAY + at * HOUR + past)),
    )
    .sort((one, other) => one - other);
}
