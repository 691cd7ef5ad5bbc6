/** A time to the minute, such as `2026-11-20 06:00`. @param time UTC in ISO 8601 */
export function utcMinutes(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
