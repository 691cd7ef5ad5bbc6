/** A tick as it is remembered: its scheduled time and where its window began, both ISO 8601 in UTC. */
export interface RememberedTick {
  tick: string;
  since: string;
}

/** The time that a tick looks after: `since` itself not in it, `tick` in it. */
export interface TickWindow extends RememberedTick {
  /** Whether this is the newest tick so far, after which the next one goes on. */
  isNewest: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How often the schedule fires: the window of a tick that has no other to go on from. */
const TICK_INTERVAL = 15 * MINUTE;
/** The longest outage that is made up for by itself; a longer one is a backfill. */
const LONGEST_WINDOW = 24 * HOUR;
/** A remembered tick so far ahead of the clock was typed by a person, and must not hold up the schedule. */
const FAR_AHEAD = 24 * HOUR;

/** The newest tick so far: none before the first, and `lost` where something else stands in its place. */
export type LastKnown = RememberedTick | 'none' | 'lost';

/**
 * The window of a tick. It goes on where the last tick ended, so that a missed one is made up for; the same tick
 * again has the same window again; and one that comes late, after a newer one, has the time between two ticks. Where
 * the last tick is lost, the window is as long as one may be: to do a round again costs time, to leave one out a report.
 *
 * @param tick the scheduled time, ISO 8601 in UTC
 * @param now milliseconds UTC
 */
export function tickWindow(tick: string, last: LastKnown, now: number): TickWindow {
  const until = Date.parse(tick);
  const from = (since: number, isNewest: boolean): TickWindow => ({
    tick,
    since: new Date(Math.max(since, until - LONGEST_WINDOW)).toISOString(),
    isNewest,
  });
  if (last === 'none') return from(until - TICK_INTERVAL, true);
  if (last === 'lost') return from(until - LONGEST_WINDOW, true);
  const lastTick = Date.parse(last.tick);
  const isFarAhead = lastTick > until && lastTick > now + FAR_AHEAD;
  if (isFarAhead) return from(until - LONGEST_WINDOW, true);
  // Its own window again, which cannot end before it began, whatever somebody wrote there.
  if (lastTick === until) return from(Math.min(Date.parse(last.since), until), false);
  if (lastTick > until) return from(until - TICK_INTERVAL, false);
  return from(lastTick, true);
}
