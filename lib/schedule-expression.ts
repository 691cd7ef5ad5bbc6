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

/** A schedule that runs at least every hour, because two hours of silence raise an alarm. */
export const everyHour = schedule.refine(
  isEveryHour,
  'must run at least every hour, such as rate(15 minutes) or cron(0/15 * * * ? *): silence is an alarm',
);
