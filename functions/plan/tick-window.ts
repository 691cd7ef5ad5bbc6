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

/**
 * The window of a tick. It goes on where the last tick ended, so that a missed one is made up for; the same tick
 * again has the same window again; and one that comes late, after a newer one, has the time between two ticks.
 *
 * @param tick the scheduled time, ISO 8601 in UTC
 * @param last the newest tick so far
 * @param now milliseconds UTC
 */
export function tickWindow(tick: string, last: RememberedTick | undefined, now: number): TickWindow {
  const until = Date.parse(tick);
  const startingAt = (since: number) => new Date(since).toISOString();
  const lastTick = last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.tick);
  if (last !== undefined && lastTick === until) return { tick, since: last.since, isNewest: false };
  if (last === undefined || (lastTick > until && lastTick > now + FAR_AHEAD)) {
    return { tick, since: startingAt(until - TICK_INTERVAL), isNewest: true };
  }
  if (lastTick > until) return { tick, since: startingAt(until - TICK_INTERVAL), isNewest: false };
  return { tick, since: startingAt(Math.max(lastTick, until - LONGEST_WINDOW)), isNewest: true };
}
