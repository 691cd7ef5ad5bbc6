/** More than any day has. Four such counts still add up exactly. */
const MOST_STATED = 1_000_000_000_000;
const STATED_DIGITS = /^\d{1,12}$/;

/** A count as a number or digits. `null` is unreadable: unknown, and not zero. */
export function countOf(value: unknown): number | null {
  if (typeof value === 'string') return STATED_DIGITS.test(value) ? Number(value) : null;
  const isCount =
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_STATED;
  return isCount ? value : null;
}
