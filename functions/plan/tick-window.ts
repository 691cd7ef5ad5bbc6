/** ISO 8601 in UTC. */
export interface RememberedTick {
  tick: string;
  since: string;
}

export interface TickWindow extends RememberedTick {
  isNewest: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds between ticks, and the window of a tick without an earlier one. */
const TICK_INTERVAL = 15 * MINUTE;
/** The longest outage that ticks make up for by themselves. Milliseconds. A longer one needs a backfill. */
const LONGEST_WINDOW = 24 * HOUR;
/** A stored tick that is further ahead of the clock was typed by a person. It must not stop the schedule. */
const FAR_AHEAD = 24 * HOUR;

/** The newest tick so far. `none`: there was no tick yet. `lost`: the stored object cannot be read. */
export type LastKnown = RememberedTick | 'none' | 'lost';

/**
 * The window of a tick. It starts where the last tick ended, so that missed ticks are made up for. The same
 * tick gets the same window; a late one the time between two ticks; without a readable last tick it has the
 * greatest length, because leaving a tick out costs a report.
 * @param tick ISO 8601 in UTC
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
  // The same window again. It cannot end before it starts, even when somebody edited the object.
  if (lastTick === until) return from(Math.min(Date.parse(last.since), until), false);
  if (lastTick > until) return from(until - TICK_INTERVAL, false);
  return from(lastTick, true);
}
