const DAY_MILLISECONDS = 86_400_000;

/** Seconds in a day, as the service's wall clock counts them. */
export const DAY_SECONDS = 86_400;

/** True for a calendar date that exists, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The date `days` after `day`. A negative number counts back. */
export function addDays(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) + days * DAY_MILLISECONDS;
  return new Date(time).toISOString().slice(0, 10);
}

/** Days from 2000-01-01 to `day`. */
export function dayNumber(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - Date.parse('2000-01-01T00:00:00Z')) / DAY_MILLISECONDS;
}

/** A datetime (docs/contract.md, 2.1 Formats): `day` and the second within it, `YYYY-MM-DD HH:MM:SS`. */
export function datetime(day: string, second: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(second / 3600);
  const minutes = Math.floor(second / 60) % 60;
  return `${day} ${two(hours)}:${two(minutes)}:${two(second % 60)}`;
}
