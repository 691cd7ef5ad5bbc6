/** How a fleet's work is spread over a number of places. Milliseconds. */
export interface Schedule {
  total: number;
  /** The longest item. No number of places makes the whole shorter. */
  longest: number;
  /** The used share of the places' time, 0 to 1. */
  busy: number;
}

/** The place that becomes free first gets the next item of the list, as a Distributed Map starts its children. */
export function listSchedule(durations: readonly number[], places: number): Schedule {
  // A binary heap of the times at which places become free, the earliest first.
  const free = new Array<number>(Math.max(1, Math.min(places, durations.length))).fill(0);
  const at = (index: number) => free[index] ?? Infinity;
  for (const duration of durations) {
    const end = at(0) + duration;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = at(left + 1) < at(left) ? left + 1 : left;
      if (at(child) >= end) break;
      free[index] = at(child);
      index = child;
    }
    free[index] = end;
  }
  const total = Math.max(...free);
  const work = durations.reduce((sum, duration) => sum + duration, 0);
  return {
    total,
    longest: durations.reduce((most, duration) => Math.max(most, duration), 0),
    busy: total === 0 ? 0 : work / (total * free.length),
  };
}
