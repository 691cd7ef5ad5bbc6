import { duePeriods } from '#domain/period/due.ts';
import type { StatementTimes } from '#domain/period/due.ts';
import { dueGroupDays } from '#domain/period/group-times.ts';
import type { MemberClock } from '#domain/period/group-times.ts';
import type { Period } from '#domain/period/period.ts';
import type { StatementClock } from './facts.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Days after the end of a period on which its statement is due at the latest. */
const LATEST_DUE = 40;

/**
 * When the statement of a week or month is due.
 *
 * @param to the last day of the period
 * @param now milliseconds UTC
 * @returns `null` when the times have none of its kind
 */
export function statementClock(
  times: StatementTimes,
  period: Period,
  to: string,
  now: number,
): StatementClock | null {
  // A statement is due within a month of its last day. So at that time it is among the due ones.
  const then = Date.parse(to) + LATEST_DUE * DAY;
  const longer = { ...times, correctFor: Math.max(times.correctFor, 2 * LATEST_DUE * DAY) };
  const found = duePeriods(longer, then).find((due) => due.period === period);
  if (found === undefined) return null;
  const isNewest = duePeriods(longer, now).some((due) => due.period === period && due.isNewest);
  const { dueAt, deadline } = found;
  const issueUntil = isNewest ? null : found.issueUntil;
  return { dueAt, deadline, issueUntil, closedAt: Math.max(dueAt + times.correctFor, found.issueUntil) };
}

/** When a group's page of a day is due. It is not made again by itself, so it is closed when nobody looks for it any more. */
export function groupDayClock(
  waitFor: number,
  clocks: readonly MemberClock[],
  day: Period,
): StatementClock | null {
  const then = Date.parse(day) + LATEST_DUE * DAY;
  const times = { waitFor, correctFor: 2 * LATEST_DUE * DAY };
  const found = dueGroupDays(times, clocks, then).find((due) => due.period === day);
  if (found === undefined) return null;
  const { dueAt, deadline } = found;
  return { dueAt, deadline, issueUntil: deadline + DAY, closedAt: deadline + DAY };
}
