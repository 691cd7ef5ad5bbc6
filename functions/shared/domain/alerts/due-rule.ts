import { dayAt, daysReaching } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { Rule } from './rule.ts';

const TWO_DAYS = 2 * 24 * 60 * 60 * 1_000;

/** What of a check says whether a rule is looked at in it. */
export interface DueInput {
  day: Day;
  isDaySealed: boolean;
  /** Milliseconds UTC. */
  now: number;
  timeZone: string;
}

/**
 * Whether the clock reached the time on that day; on a past day it has. What was reached stays so when the clock is set
 * back, and a time that daylight saving skips is reached when the clock passes it.
 */
function hasReached(timeOfDay: string, { day, now, timeZone }: DueInput): boolean {
  if (day < dayAt(now, timeZone)) return true;
  return daysReaching(timeOfDay, timeZone, now - TWO_DAYS, now).includes(day);
}

/**
 * Whether a check looks at the rule. A day's figures begin at nothing, so a `below` rule would fire every midnight: it
 * waits for its `notBefore`, or for the sealed day. A rule `above` waits only where it has a `notBefore`.
 */
export function isRuleDue(rule: Rule, input: DueInput): boolean {
  if (!rule.ofDay || input.isDaySealed) return true;
  return rule.notBefore === null ? rule.side === 'above' : hasReached(rule.notBefore, input);
}
