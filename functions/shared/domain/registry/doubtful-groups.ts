import { isMembers } from '../json/exact-json.ts';
import { doubt, repeatedRecipients } from './doubtful-settings.ts';
import type { Problem } from './problem.ts';

/** Codes that are in a list before. */
function repeatedCodes(codes: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!Array.isArray(codes)) return [];
  const places = new Map<unknown, number>();
  const problems: Problem[] = [];
  for (const [index, code] of codes.entries()) {
    const first = places.get(code);
    if (first === undefined) places.set(code, index);
    else problems.push(doubt([...at, index], `is the code of merchants[${first}], too`, code));
  }
  return problems;
}

/**
 * What of a group can be used and does less than it seems to: no pages come by themselves, nobody gets them, or
 * an address or a code is listed twice.
 *
 * @param at the place of the group
 */
export function doubtfulGroup(group: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(group)) return [];
  const { daily = false, weekly, monthly, recipients, merchants } = group;
  const isNever = daily === false && weekly === undefined && monthly === undefined;
  const never = 'has neither "daily": true nor "weekly" or "monthly": no page of it comes by itself';
  const isSentToNobody = Array.isArray(recipients) && recipients.length === 0;
  return [
    ...(isNever ? [doubt(at, never, undefined)] : []),
    ...(isSentToNobody ? [doubt([...at, 'recipients'], 'is empty: nobody gets its pages', recipients)] : []),
    ...repeatedRecipients(recipients, [...at, 'recipients']),
    ...repeatedCodes(merchants, [...at, 'merchants']),
  ];
}
