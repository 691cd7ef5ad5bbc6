/**
 * A time for a table or a sentence, in UTC to the minute: `2026-11-20 05:00`. `-` when it is not known.
 *
 * @param at ISO 8601, UTC
 */
export function utcMinute(at: string | null): string {
  return at === null ? '-' : at.slice(0, 16).replace('T', ' ');
}
