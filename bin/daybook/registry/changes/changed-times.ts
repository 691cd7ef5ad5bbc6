import { durationText } from '#registry/statement-settings.ts';
import type { MonthlySettings, StatementSettings, WeeklySettings } from '#registry/statement-settings.ts';

interface Times {
  weekly?: WeeklySettings | undefined;
  monthly?: MonthlySettings | undefined;
}

type Durations = Pick<StatementSettings, 'waitFor' | 'correctFor'>;

/** A word with a capital: `Sunday`. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** When pages of weeks and months come, such as `on Sunday at 08:00`. */
export function timesInWords({ weekly, monthly }: Times): { week?: string; month?: string } {
  return {
    ...(weekly !== undefined && { week: `on ${capital(weekly.on)} at ${weekly.at}` }),
    ...(monthly !== undefined && { month: `on day ${monthly.onDay} of the next month at ${monthly.at}` }),
  };
}

/** A period whose pages come at another time, or no more (`when` is `undefined`). */
export interface ChangedTime {
  period: 'week' | 'month';
  when: string | undefined;
}

/** @param timeZone the clock of the times */
export function changedTimes(before: Times, after: Times, timeZone: string): ChangedTime[] {
  const [was, is] = [timesInWords(before), timesInWords(after)];
  return (['week', 'month'] as const).flatMap((period) => {
    const when = is[period];
    if (when === was[period]) return [];
    return [{ period, when: when === undefined ? undefined : `${when} (${timeZone})` }];
  });
}

/** The durations that change: as they are, and as they were. */
export function changedDurations(
  before: Durations,
  after: Durations,
): { waitFor?: [string, string]; correctFor?: [string, string] } {
  const texts = (name: keyof Durations): [string, string] | undefined =>
    before[name] === after[name] ? undefined : [durationText(after[name]), durationText(before[name])];
  const [waitFor, correctFor] = [texts('waitFor'), texts('correctFor')];
  return { ...(waitFor && { waitFor }), ...(correctFor && { correctFor }) };
}
