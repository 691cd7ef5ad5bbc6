/** A number with its noun: `1 merchant`, `2,000 merchants`. @param noun its plural ends with `s` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first names of a list, and how many more there are: `2026-11-03, 2026-11-17 and 4 more`. */
export function firstNamed(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}

/**
 * A time for a table or a sentence, in UTC to the minute: `2026-11-20 05:00`. `-` when it is not known.
 *
 * @param at ISO 8601, UTC
 */
export function utcMinute(at: string | null): string {
  return at === null ? '-' : at.slice(0, 16).replace('T', ' ');
}
