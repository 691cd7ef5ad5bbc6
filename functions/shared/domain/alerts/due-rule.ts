import { dayAt, daysReaching } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { Rule } from './rule.ts';

const TWO_DAYS = 2 * 24 * 60 * 60 * 1_000;

/** The parts of a check that decide whether it looks at a rule. */
export interface DueInput {
  day: Day;
  isDaySealed: boolean;
  /** Milliseconds UTC. */
  now: number;
  timeZone: string;
}

/**
 * Whether the clock reached the time on that day. On a past day it has. Once reached it stays reached, also
 * when the clock is set back. A time that daylight saving skips is reached when the clock passes it.
 */
function hasReached(timeOfDay: string, { day, now, timeZone }: DueInput): boolean {
  if (day < dayAt(now, timeZone)) return true;
  return daysReaching(timeOfDay, timeZone, now - TWO_DAYS, now).includes(day);
}

/**
 * Whether a check looks at the rule. A day's figures begin at zero, so a `below` rule would fire every
 * midnight. It waits for its `notBefore`, or for the sealed day. An `above` rule waits only when it has a
 * `notBefore`.
 */
export function isRuleDue(rule: Rule, input: DueInput): boolean {
  if (!rule.ofDay || input.isDaySealed) return true;
  return rule.notBefore === null ? rule.side === 'above' : hasReached(rule.notBefore, input);
}
