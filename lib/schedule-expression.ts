import * as z from 'zod';

const MINUTES = /^rate\([1-9]\d* minutes?\)$/;
/** A number of at most two digits, the name of a month or weekday, or a sign of cron. */
const FIELD = /^[\dA-Z*,/L#W-]+$/;
const MINUTE = /^(\*|[0-5]?\d(-[0-5]?\d)?)(\/[0-5]?\d)?(,[0-5]?\d(-[0-5]?\d)?(\/[0-5]?\d)?)*$/;

/** The six fields of a cron expression; `undefined` if EventBridge Scheduler would not accept it. */
function cronFields(expression: string): string[] | undefined {
  const fields = /^cron\((\S+(?: \S+){5})\)$/.exec(expression)?.[1]?.split(' ');
  if (fields === undefined) return undefined;
  const [minute = '', hour, dayOfMonth, month, dayOfWeek, year] = fields;
  // Exactly one of the two day fields must be `?`.
  const days = [dayOfMonth, dayOfWeek].filter((field) => field !== '?');
  if (days.length !== 1 || !MINUTE.test(minute)) return undefined;
  return [hour, month, year, ...days].every((field = '') => FIELD.test(field)) ? fields : undefined;
}

/** A time in the form of EventBridge Scheduler: `rate(…)` or `cron(…)`. */
export const schedule = z
  .string()
  .refine(
    (text) => /^rate\([1-9]\d* (minute|hour|day)s?\)$/.test(text) || cronFields(text) !== undefined,
    'must be a schedule: rate(15 minutes), or cron(…) with six fields, "?" for one of the two days',
  );

function isEveryHour(expression: string): boolean {
  if (MINUTES.test(expression)) return Number.parseInt(expression.slice('rate('.length), 10) <= 60;
  if (/^rate\(1 hours?\)$/.test(expression)) return true;
  const [, hour, ...days] = cronFields(expression) ?? [];
  return hour === '*' && days.every((field) => field === '*' || field === '?');
}

const MINUTES_OF = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 1_440],
]);

function isEveryDay(expression: string): boolean {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit !== undefined) return Number(number) * (MINUTES_OF.get(unit) ?? Infinity) <= 1_440;
  const [, , ...days] = cronFields(expression) ?? [];
  return days.every((field) => field === '*' || field === '?');
}

/** A schedule that runs at least every day, because 26 hours without a run raise an alarm. */
export const everyDay = schedule.refine(
  isEveryDay,
  'must run at least every day, such as rate(1 day) or cron(0 5 * * ? *): silence is an alarm',
);

/** A schedule that runs at least every hour, because two hours of silence raise an alarm. */
export const everyHour = schedule.refine(
  isEveryHour,
  'must run at least every hour, such as rate(15 minutes) or cron(0/15 * * * ? *): silence is an alarm',
);
