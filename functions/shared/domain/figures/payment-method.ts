import { isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { LONGEST_METHOD } from './breakdown.ts';

const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const FIRST_HALF_AT_END = /[\uD800-\uDBFF]$/;

/** The text, or its beginning: at most {@link LONGEST_METHOD} UTF-16 units, no character cut in two. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST_METHOD) return text;
  const characters = Array.from(text.slice(0, LONGEST_METHOD).replace(FIRST_HALF_AT_END, ''));
  // Joined, it is a copy. A slice would keep the whole text in memory.
  return characters.join('');
}

/**
 * How an invoice was paid: the service's own text in `transaction.payment_type`, whose type the contract leaves open
 * (docs/contract.md, 2.3 Invoice record). It is one line of well-formed text, at most {@link LONGEST_METHOD} UTF-16
 * units. A number counts as its digits.
 *
 * @param row a row of a pull or of a sealed invoices file, redacted
 * @returns `null` when the service says none, when it is blank, redacted, or neither a text nor a number
 */
export function paymentMethod(row: Members): string | null {
  const { transaction } = row;
  const text = isMembers(transaction) ? textOrDigits(transaction['payment_type']) : null;
  if (text === null) return null;
  // Cut first, so that a huge text costs no more than a short one.
  const method = beginningOf(text).toWellFormed().replace(BREAKS_AND_CONTROLS, ' ');
  return method.trim() === '' ? null : method;
}
